"""Names of months as logs write them: short and long, in the languages that machines are set to."""

ENGLISH = "jan feb mar apr may jun jul aug sep oct nov dec"
WHOLE = "january february march april may june july august september october november december"
GERMAN = "jan feb mär apr mai jun jul aug sep okt nov dez"
GERMAN_WHOLE = "januar februar märz april mai juni juli august september oktober november dezember"
FRENCH = "janv févr mars avr mai juin juil août sept oct nov déc"
FRENCH_WHOLE = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
SPANISH = "ene feb mar abr may jun jul ago sept oct nov dic"
ITALIAN = "gen feb mar apr mag giu lug ago set ott nov dic"
PORTUGUESE = "jan fev mar abr mai jun jul ago set out nov dez"
DUTCH = "jan feb mrt apr mei jun jul aug sep okt nov dec"

LANGUAGES = (ENGLISH, WHOLE, GERMAN, GERMAN_WHOLE, FRENCH, FRENCH_WHOLE, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
MONTHS = {name: place for names in LANGUAGES for place, name in enumerate(names.split(), 1)}
"""From a name in lower case, without a full stop, to the number of the month. No name has two meanings."""


def month(name: str) -> int | None:
    """The number of the month of this name, 1 to 12, or None."""
    return MONTHS.get(name.lower().rstrip("."))
