"""Leaves out the `else` branches of a template of Ruby, Jinja or Helm, conditions within conditions among them."""

import re
from collections.abc import Iterator

_TAG = re.compile(r"<%(?!=)-?(?P<ruby>.*?)-?%>|\{%-?(?P<jinja>.*?)-?%\}|\{\{-?(?P<helm>.*?)-?\}\}", re.DOTALL)
_RUBY_OPENS = re.compile(r"^\s*(?:if|unless|case|while|until|for|begin)\b|\bdo\b\s*(?:\|[^|\n]*\|\s*)?$", re.MULTILINE)
_RUBY_ENDS = re.compile(r"\bend\b")
_RUBY_COMMENT = re.compile(r"(?:^|\s)#[^\n]*")
_ELSE = re.compile(r"\s*(?:else|elsif|elif|elseif)\b")
_JINJA_OPENS = re.compile(r"\s*(?:if|for|block|macro|call|filter)\b")
_JINJA_ENDS = re.compile(r"\s*end\w+\b")
_HELM_OPENS = re.compile(r"\s*(?:if|range|with|define|block)\b")
_HELM_ENDS = re.compile(r"\s*end\b")


def first_branches(text: str) -> str:
    """The text of a template without its `else` branches; lines keep their numbers."""
    kept: list[str] = []
    is_else: list[bool] = []
    """For each open condition or loop, whether its `else` branch is read."""
    end = 0
    for tag in _TAG.finditer(text):
        before = text[end : tag.start()]
        kept.append(_lines(before) if any(is_else) else before)
        end = tag.end()
        is_left_out = any(is_else)
        for step in _steps(tag):
            if step > 0:
                is_else.append(False)
            elif is_else and step < 0:
                is_else.pop()
            elif is_else:
                is_else[-1] = True
        is_left_out = is_left_out and any(is_else)
        kept.append(_lines(tag[0]) if is_left_out else tag[0])
    return "".join(kept) + text[end:]


def _steps(tag: re.Match[str]) -> Iterator[int]:
    """What a tag does: 1 for each condition or loop that it opens, -1 for each that it ends, 0 for an `else`."""
    if tag["ruby"] is not None:
        code = _RUBY_COMMENT.sub(" ", tag["ruby"])
        more = len(_RUBY_OPENS.findall(code)) - len(_RUBY_ENDS.findall(code))
        yield from [1 if more > 0 else -1] * abs(more)
        if not more and _ELSE.match(code):
            yield 0
        return
    code = tag["helm"] if tag["jinja"] is None else tag["jinja"]
    opens, ends = (_HELM_OPENS, _HELM_ENDS) if tag["jinja"] is None else (_JINJA_OPENS, _JINJA_ENDS)
    if _ELSE.match(code):
        yield 0
    elif opens.match(code):
        yield 1
    elif ends.match(code):
        yield -1


def _lines(text: str) -> str:
    return "\n" * text.count("\n")
