"""Pages of Markdown as text for a terminal."""

from __future__ import annotations

import pytest

from othello_bot.tools.markdown_text import plain_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A *page*\n\nSome `code *x*` and\n**two** lines.", "A page\n======\n\nSome code *x*\nand two lines.\n"),
        ("### Third\ntext", "Third\n\ntext\n"),
        ("- one item that\n  goes on\n- two", "- one item that\n  goes on\n- two\n"),
        ("1. first\n2. second\n   [here](x.md)", "1. first\n2. second here\n"),
        ("see [it](https://a.b/c) and [that](d.md#e)", "see it\n(https://a.b/c)\nand that\n"),
        ("![a board](b.svg)", "[picture: a\nboard]\n"),
        ("```sh\n# not a heading and as wide as it is\n```\nend", "    # not a heading and as wide as it is\n\nend\n"),
        ("    indented | code\n\nend", "    indented | code\n\nend\n"),
        ("<!-- a\ncomment -->\ntext", "text\n"),
        ("a_b_c and 2 * 3 * 4", "a_b_c and 2 * 3\n* 4\n"),
        ("| a | b |\n|---|--:|\n| x\\|y | `z` |", "a    b\n---  -\nx|y  z\n"),
        ("> quoted\n> text", "quoted text\n"),
        ("```\nnever closed", "    never closed\n"),
        ("", "\n"),
    ],
)
def test_blocks(markdown: str, text: str) -> None:
    assert plain_text(markdown, 16) == text


def test_a_table_that_is_too_wide_is_broken_in_its_widest_column() -> None:
    table = (
        "| option | meaning |\n|---|---|\n| level | how deep the engine thinks before it plays |\n| book | uses it |"
    )
    assert plain_text(table, 30).split("\n") == [
        "option  meaning",
        "------  ----------------------",
        "level   how deep the engine",
        "        thinks before it plays",
        "book    uses it",
        "",
    ]


def test_a_table_of_many_columns_becomes_several() -> None:
    lines = plain_text("|" + "| ".join(f"column{number}" for number in range(9)) + "|\n|" + "---|" * 9, 40).split("\n")
    assert max(map(len, lines)) <= 40 and sum(line.startswith("column0") for line in lines) == 3


def test_a_page_of_one_character_columns_is_shown() -> None:
    assert plain_text("| a | b |\n|---|---|\n| long words everywhere | and here too |", 1)
