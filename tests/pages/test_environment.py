"""Templates are compiled once, and what was compiled is never taken for another text."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment, nodes

from tidegate.pages.environment import environment

PACKAGE = "tidegate.pipeline.report"


def page_of(text: str) -> str:
    """What a template of this text gives, always under the same name."""
    templates = environment(PACKAGE)
    templates.loader = DictLoader({"page": text})
    return templates.get_template("page").render()


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_template_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = page_of("one")
    monkeypatch.setattr(Environment, "compile", None)
    assert page_of("one") == first == "one"
    with pytest.raises(TypeError):
        page_of("two")


def test_a_changed_template_is_compiled_anew() -> None:
    assert [page_of(text) for text in ("one", "two", "one")] == ["one", "two", "one"]


@pytest.mark.parametrize("package", ["pipeline.report", "sweep", "conformance.report.html"])
def test_no_filter_is_applied_while_a_template_is_compiled(package: str) -> None:
    """What a filter gives for a constant would be kept beyond a change of the filter."""
    templates = environment(f"tidegate.{package}")
    templates.filters.update(dict.fromkeys(("word", "wording", "cell_class"), str))
    for name in templates.list_templates(filter_func=lambda name: name.endswith(".html.j2")):
        assert templates.loader is not None
        source, *_ = templates.loader.get_source(templates, name)
        assert not list(filtered_constants(templates, source))


def test_a_filtered_constant_is_found() -> None:
    assert len(list(filtered_constants(environment(PACKAGE), "{{ 'x' | slug }} {{ x | slug }}"))) == 1


def filtered_constants(templates: Environment, source: str) -> Iterator[nodes.Filter]:
    """The filters of a template that are applied when it is compiled."""
    for each in templates.parse(source).find_all(nodes.Filter):
        with suppress(nodes.Impossible):
            each.as_const(nodes.EvalContext(templates))
            yield each
