"""What tox needs in this checkout beside the plugin that tidegate ships: the plugin itself, extras and tools.

The plugin is loaded from its file where tox has not found it installed. Whether it has is asked only when tox calls,
for a build leaves in the checkout what looks like an installed distribution. What an environment needs beside Python
is looked for here, so that a missing tool is one sentence and not the build log of a dependency.
"""

import os
import shutil
import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tox.config.cli.parser import ToxParser
from tox.config.sets import ConfigSet, EnvConfigSet
from tox.plugin import impl
from tox.session.state import State

JAVA = ("a JDK (java)", "Maven (mvn)")
NATIVE = ("a C compiler (cc)", "the headers of Python (Python.h)")
NEEDED = {
    **dict.fromkeys(
        ("artemis", "artemis-core", "artemis-openwire", "artemis-stomp", "qpid", "andes-client"), (*JAVA, *NATIVE)
    ),
    "classic": JAVA,
}
"""From the built-in adapter, which is also the name of the extra with its client, to the tools that it needs."""
BROWSER = ("npm", "Chromium (chromium)", "the driver of Chromium (chromedriver)")
FOR_TESTS = (*JAVA, *NATIVE, "a Java compiler (javac)", "Node.js (node)", *BROWSER)
BAD_INPUT = 2

SHIPPED = "tidegate.plugins.tox_flags"
"""The module of the plugin, where tox has loaded it from an installed distribution."""

_spec = spec_from_file_location("tidegate_tox_flags", Path(__file__).parent / "plugins" / "tox_flags.py")
assert _spec is not None and _spec.loader is not None
flags = module_from_spec(_spec)
_spec.loader.exec_module(flags)


@impl
def tox_add_option(parser: ToxParser) -> None:
    """Accept the flags, unless tox has loaded the plugin by itself."""
    if SHIPPED not in sys.modules:
        flags.tox_add_option(parser)


@impl
def tox_add_env_config(env_conf: EnvConfigSet, state: State) -> None:
    """Hand the flags on, unless tox has loaded the plugin by itself."""
    if SHIPPED not in sys.modules:
        flags.tox_add_env_config(env_conf, state)


@impl
def tox_add_core_config(core_conf: ConfigSet, state: State) -> None:
    """Choose the extras before tox.ini is read, and stop where a tool is missing."""
    options = state.conf.options
    adapter = options.adapter.partition(":")[0]
    if options.adapter:
        os.environ["TIDEGATE_EXTRAS"] = adapter if adapter in NEEDED else ""
    chosen = str(getattr(options, "env", ""))
    if chosen in ("", "<env_list>") or any(each in chosen for each in ("tests", "nightly")):
        _stop_without(FOR_TESTS, "the tests need")
    _stop_without(NEEDED.get(adapter, ()), f"the {adapter} adapter needs")


def _stop_without(tools: tuple[str, ...], who_needs: str) -> None:
    there = tools_there()
    missing = [tool for tool in tools if not there[tool]]
    if missing:
        print(f"tidegate: {who_needs} {', '.join(missing)}; please install it", file=sys.stderr)
        sys.exit(BAD_INPUT)


def tools_there() -> dict[str, bool]:
    """Every tool that something here needs, and whether it is there."""
    return {
        "a JDK (java)": bool(os.environ.get("JAVA_HOME") or shutil.which("java")),
        "Maven (mvn)": bool(shutil.which("mvn")),
        "a C compiler (cc)": bool(shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")),
        "the headers of Python (Python.h)": (Path(sysconfig.get_path("include")) / "Python.h").is_file(),
        "a Java compiler (javac)": bool(shutil.which("javac")),
        "Node.js (node)": bool(shutil.which("node")),
        "npm": bool(shutil.which("npm")),
        "Chromium (chromium)": bool(shutil.which("chromium")),
        "the driver of Chromium (chromedriver)": bool(shutil.which("chromedriver")),
    }
