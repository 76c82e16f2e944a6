"""The text that a web page shows, row by row; of Java applets, what they are told to show."""

from __future__ import annotations

import html
import re
from typing import Final

ROW_END: Final = "\x1e"
"""What ends a row of a web page within a line of its source."""

_PAGE: Final = re.compile(
    r"<(?:!doctype|html|body|table|t[drh]|br|p|div|span|li|ol|ul|b|i|pre|font|applet|param)\b[^<>]*>", re.IGNORECASE
)
_HIDDEN: Final = {"<script": "</script", "<style": "</style", "<!--": "-->"}
_HIDDEN_BEGIN: Final = re.compile(r"<script\b|<style\b|<!--", re.IGNORECASE)
_BREAK: Final = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?table|/?h\d)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)
_PARAM: Final = re.compile(r"<param\b([^<>]*)>", re.IGNORECASE)
_VALUE: Final = re.compile(r"""\bvalue\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


def plain_text(text: str) -> str:
    """Return the text that a web page shows, with ROW_END between its rows; any other text as it is.

    The line breaks of the source are kept.
    """
    if _PAGE.search(text) is None:
        return text
    text = _PARAM.sub(_told, _without_hidden(text))
    text = _BREAK.sub(lambda tag: ROW_END + _line_breaks(tag[0]), text)
    return html.unescape(_TAG.sub(lambda tag: " " + _line_breaks(tag[0]), text))


def _told(tag: re.Match[str]) -> str:
    """Return the value of a parameter of an applet as a row."""
    found = _VALUE.search(tag[1])
    if found is None:
        return _line_breaks(tag[1])
    value = found[1] or found[2] or found[3] or ""
    return f"{_line_breaks(tag[1][: found.start()])}{ROW_END}{value}{ROW_END}{_line_breaks(tag[1][found.end() :])}"


def _line_breaks(text: str) -> str:
    return "\n" * text.count("\n")


def _without_hidden(text: str) -> str:
    """Return a page without its scripts, styles and comments; what is never closed ends with the page."""
    shown = []
    place = 0
    while (begin := _HIDDEN_BEGIN.search(text, place)) is not None:
        end = re.compile(re.escape(_HIDDEN[begin[0].lower()]), re.IGNORECASE).search(text, begin.end())
        stop = len(text) if end is None else end.end()
        shown += [text[place : begin.start()], _line_breaks(text[begin.start() : stop])]
        place = stop
    return "".join([*shown, text[place:]])
