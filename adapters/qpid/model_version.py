"""Which version of its model the configuration of a release names, for those that are managed by REST."""

from packaging.version import Version

MODELS = ((Version("9.2"), "9.1"), (Version("9.0"), "9.0"))
"""From which release on a configuration is of which version of the model; before, it is of the release's own."""


def model_version(version: str) -> str:
    """The version of the model that a configuration for this release names."""
    release = Version(version)
    return next((model for since, model in MODELS if release >= since), f"{release.major}.{release.minor}")
