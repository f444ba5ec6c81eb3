"""Flags of tox for the suite: `tox -e conformance --adapter=NAME --report=DIR`, in whatever project.

tox knows no flags of its own for an environment. These become environment variables of every environment, and
`tidegate run` takes each for the option of the same name, so that a tox.ini needs no word about them. This module
imports nothing but tox, because tidegate's own checkout loads it before tidegate is installed anywhere.
"""

from pathlib import Path

from tox.config.cli.parser import ToxParser
from tox.config.sets import EnvConfigSet
from tox.plugin import impl
from tox.session.state import State

FLAGS = {
    "adapter": ("NAME", "implementation to run the suite on"),
    "report": ("DIR", "folder for its report"),
    "requirements": ("SET", "frozen set of rules that counts; later ones are shown"),
    "known_deviations": ("FILE", "deviations that do not fail the run"),
    "write_deviations": ("FILE", "where to declare what is violated"),
}
"""A flag, the placeholder of its value, and its help."""
PATHS = {"report", "known_deviations", "write_deviations"}
"""Flags whose value is a path from where tox was called."""


@impl
def tox_add_option(parser: ToxParser) -> None:
    """Accept the flags."""
    for flag, (value, meaning) in FLAGS.items():
        parser.add_argument(f"--{flag.replace('_', '-')}", of_type=str, default="", metavar=value, help=meaning)


@impl
def tox_add_env_config(env_conf: EnvConfigSet, state: State) -> None:
    """Hand the flags that were given on to the commands of the environment."""
    given = {flag: value for flag in FLAGS if (value := getattr(state.conf.options, flag))}
    for flag in PATHS & given.keys():
        given[flag] = str(Path(given[flag]).resolve())
    env_conf["set_env"].update({f"TIDEGATE_{flag.upper()}": value for flag, value in given.items()})
