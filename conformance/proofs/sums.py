"""Sums over any number of entries, by induction: the base of the bounds over all producers.

`index` entries are summed up so far, and one more follows. A sum is never unfolded in the solver.
"""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem


@theorem("SUM-T1")
def a_sum_changes_by_as_much_as_its_one_changed_entry(
    index: int, changed: int, entry: int, old: int, new: int, before: int, after: int
) -> None:
    """SUM-T1: step; two partial sums are alike up to the entry at `changed` and differ by its change then."""
    assume(after == before + (new - old if changed < index else 0))
    possible(index == changed and new != old)
    possible(changed < index)
    entry_before = old if index == changed else entry
    entry_after = new if index == changed else entry
    prove(after + entry_after == before + entry_before + (new - old if changed < index + 1 else 0))


@theorem("SUM-T2")
def a_count_is_at_most_the_number_of_all(index: int, entry: int, count: int) -> None:
    """SUM-T2: step; counting entries of 0 or 1, no count passes the number of entries looked at."""
    assume(entry <= 1 and count <= index)
    possible(entry == 1 and count == index)
    prove(count + entry <= index + 1)


@theorem("SUM-T3")
def a_count_that_leaves_one_out_is_less_than_the_number_of_all(
    index: int, left_out: int, entry: int, count: int
) -> None:
    """SUM-T3: step; where the entry at `left_out` is 0, the count stays one below the number of entries."""
    assume(entry <= 1 and (entry == 0 or index != left_out))
    assume(count <= index - (1 if left_out < index else 0))
    possible(index == left_out)
    possible(entry == 1 and left_out < index)
    prove(count + entry <= index + 1 - (1 if left_out < index + 1 else 0))


@theorem("SUM-T4")
def a_sum_is_at_most_the_number_of_entries_times_the_largest(index: int, entry: int, largest: int, total: int) -> None:
    """SUM-T4: step; entries that are no larger than `largest` sum up to at most that many times it."""
    assume(entry <= largest and total <= index * largest)
    possible(entry == largest and index == 2)
    prove(total + entry <= (index + 1) * largest)


@theorem("SUM-T5")
def fewer_entries_sum_up_to_no_more(entries: int, all_entries: int, largest: int) -> None:
    """SUM-T5: a bound for some of the entries is within the bound for all of them."""
    assume(entries <= all_entries and largest >= 0)
    possible(entries < all_entries)
    prove(entries * largest <= all_entries * largest)


@refuted("SUM-R1", because="an entry above 1 counts more than once")
def a_count_of_arbitrary_entries_is_at_most_the_number_of_all(index: int, entry: int, count: int) -> None:
    """SUM-R1: SUM-T2 without the assumption on the entries."""
    assume(index >= 0 and entry >= 0 and 0 <= count <= index)
    prove(count + entry <= index + 1)
