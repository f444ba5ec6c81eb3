"""The version of the model that a release's configuration names, for releases managed by REST."""

from packaging.version import Version

from tidegate.record.releases import release

MODELS = ((Version("9.2"), "9.1"), (Version("9.0"), "9.0"))
"""The model version of releases from each of these on; before them it is the release's own."""


def model_version(version: str) -> str:
    """The version of the model that a configuration for this release names."""
    asked = release(version)
    return next((model for since, model in MODELS if asked >= since), f"{asked.major}.{asked.minor}")
