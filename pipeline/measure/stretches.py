"""Stretches: the time in which a party, or a destination, is stopped without a gap, whatever the causes.

Steps are read in their order; +1 where a hold begins, -1 where it ends. A stretch goes from none to none.
"""

import polars as pl

from tidegate.pipeline.measure.frames import CARRIED
from tidegate.pipeline.measure.steps import HOLD, PARTY, SENDERS, STEPS, TOLD

HELD, STRETCH = "held", "stretch"
HOUR_MS = 3_600_000
SEGMENTS = pl.Schema({
    **dict.fromkeys(PARTY, pl.String), "causes": pl.String, "count": pl.Int64, "from_ms": pl.Int64, "to_ms": pl.Int64,
})  # fmt: skip


def numbered(steps: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """The steps with `held`, how many holds are on after each, and `stretch`, its number within the keys."""
    change = pl.when("opens").then(1).otherwise(-1)
    return steps.with_columns(change.cum_sum().over(keys).alias(HELD)).with_columns(
        begins_stretch().cum_sum().over(keys).alias(STRETCH)
    )


def begins_stretch() -> pl.Expr:
    """Whether a step takes its key from free to stopped."""
    return pl.col("opens") & (pl.col(HELD) == 1)


def ends_stretch() -> pl.Expr:
    """Whether a step takes its key from stopped to free."""
    return pl.col(HELD) == 0


def by_party(steps: pl.DataFrame) -> pl.DataFrame:
    """The steps numbered for each party."""
    return numbered(steps, *PARTY)


def still_open(of_parties: pl.DataFrame) -> pl.DataFrame:
    """The steps of each party's stretch that has not ended, which the next file must see again."""
    unended = pl.col(HELD).last().over(*PARTY, STRETCH) > 0
    return of_parties.filter(unended).with_columns(pl.lit(value=True).alias(CARRIED)).select(STEPS.names())


def waits(of_parties: pl.DataFrame) -> pl.DataFrame:
    """For each sender that was let go: when all of its destinations had been seen to have space, and when it was."""
    ended = (
        of_parties.filter(pl.col("of").is_in(SENDERS))
        .group_by(*PARTY, STRETCH, maintain_order=True)
        .agg(
            left=pl.col(HELD).last(),
            how=pl.col("how").last(),
            measured=~pl.col(CARRIED).last(),
            destinations=pl.col("destination").unique(),
            to_seq=pl.col("seq").last(),
            to_ms=pl.col("time").last(),
            seen_all=pl.col("free_seq").filter(pl.col("opens")).is_not_null().all(),
            free_seq=pl.col("free_seq").max(),
            free_ms=pl.col("free_ms").sort_by("free_seq", nulls_last=False).last(),
        )
        .filter((pl.col("left") == 0) & pl.col("measured") & (pl.col("how") == TOLD))
    )
    seen = pl.col("seen_all") & (pl.col("free_seq") < pl.col("to_seq"))
    wait = pl.when(seen & (pl.col("to_ms") >= pl.col("free_ms"))).then(pl.col("to_ms") - pl.col("free_ms"))
    return ended.select(
        *PARTY,
        pl.col("destinations").list.sort().list.join(" + ").alias("destinations"),
        pl.when(seen).then("free_ms").alias("free_ms"),
        pl.col("to_ms").alias("released_ms"),
        wait.alias("waited_ms"),
    )


def together(of_parties: pl.DataFrame) -> pl.DataFrame:
    """The times in which a party was stopped by two or more causes at once, each with its set of causes."""
    overlapping = of_parties.filter(pl.col(HELD).max().over(*PARTY, STRETCH) > 1)
    rows: list[tuple[object, ...]] = []
    holding: set[str] = set()
    party: tuple[str, ...] | None = None
    since = 0
    for step in overlapping.sort(*PARTY, "seq", maintain_order=True).iter_rows(named=True):
        here = tuple(step[name] for name in PARTY)
        if here != party:
            party, holding = here, set()
        if len(holding) > 1 and step["time"] > since and not step[CARRIED]:
            rows.append((*here, " + ".join(sorted(holding)), len(holding), since, step["time"]))
        name = f"{step['cause']} of {step['destination']}" if step["destination"] else step["cause"]
        (holding.add if step["opens"] else holding.discard)(name)
        since = step["time"]
    return pl.DataFrame(rows, schema=SEGMENTS, orient="row")


def closings(steps: pl.DataFrame) -> pl.DataFrame:
    """For each destination and hour: how often it began to stop somebody, and how often it ceased to stop anybody.

    What the broker says of the destination itself (`gate`) and what it orders single senders are told apart.
    """
    gate = pl.col("of") == "destination"
    own = numbered(steps.filter(pl.col("destination") != "").with_columns(gate=gate), "source", "destination", "gate")
    return (
        own.filter(~pl.col(CARRIED) & (begins_stretch() | ends_stretch()))
        .group_by("source", "destination", "gate", hour=pl.col("time") // HOUR_MS)
        .agg(
            closings=begins_stretch().sum().cast(pl.Int64),
            cycles=ends_stretch().sum().cast(pl.Int64),
            first_ms=pl.col("time").filter(begins_stretch()).min(),
            last_ms=pl.col("time").filter(begins_stretch()).max(),
        )
    )


def paired(steps: pl.DataFrame) -> pl.DataFrame:
    """Each hold's begin beside its end, null where it has none yet."""
    after = {name: pl.col(name).shift(-1).over(HOLD) for name in ("seq", "time", "how", CARRIED)}
    return steps.with_columns(
        to_seq=after["seq"], to_ms=after["time"], end=after["how"], end_carried=after[CARRIED]
    ).filter("opens")
