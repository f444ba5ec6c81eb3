"""Vectors: each comparison of a rule at its boundary and on either side, as JSON for any language.

The files are generated from the rules (`tidegate vectors write`) and committed, so that anyone can read and replay them
without tidegate.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from pydantic import ValidationError

from tidegate.conformance.vectors.form import Vector, VectorFile
from tidegate.record.errors import BadInput

SCHEMA_FILE = "vectors.schema.json"


@cache
def vectors() -> tuple[Vector, ...]:
    """Every committed vector; raises BadInput for a malformed file."""
    found = (file for file in files(__name__).iterdir() if file.name.endswith(".json") and file.name != SCHEMA_FILE)
    return tuple(vector for file in sorted(found, key=lambda file: file.name) for vector in read_vectors(file))


def read_vectors(file: Traversable) -> tuple[Vector, ...]:
    """The vectors of one file; raises BadInput that names the field if the file does not fit the schema."""
    try:
        return VectorFile.model_validate_json(file.read_text(encoding="utf-8")).vectors
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"expected vectors: {first['msg']}", file=file, field=field) from error


def served() -> Mapping[str, int]:
    """The number of vectors for each rule id."""
    return Counter(rule_id for vector in vectors() for rule_id in vector.rules)
