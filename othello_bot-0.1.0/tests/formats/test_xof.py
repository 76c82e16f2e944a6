"""XOF: what Cassio writes, other names of things, and invalid text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import Color
from othello_bot.formats import xof
from othello_bot.formats.found import FoundGame
from othello_bot.formats.reading import games_of_content
from tests.formats.samples import passing_game

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE database SYSTEM "xof.dtd">\n'
    '<database xmlns="http://www.example.org/xof">\n <info version="1.1" date="2004-05-06" author="A 7.0" />\n'
    " <game-collection>\n"
)
TAIL = " </game-collection>\n</database>\n"


RESULT = '<result winner="white" type="normal">20-44</result>'


def game(moves: str = "F5D6C3", result: str = RESULT, kind: str = "othello-8x8") -> str:
    """Return a game as Cassio writes it."""
    return (
        '  <game>\n   <event date="1999" name="Open &amp; shut &quot;99&quot;" />\n'
        f"   {result}\n"
        '   <player color="black" name="Ann" />\n   <player color="white" name="Bo" />\n'
        f'   <moves game="{kind}" type="flat">{moves}</moves>\n   </game>\n'
    )


def found(*games: str) -> list[FoundGame]:
    return list(games_of_content((HEAD + "".join(games) + TAIL).encode()))


def test_names_event_date_and_result_are_kept() -> None:
    first, second = (each.checked() for each in found(game(), game("f5f6")))
    assert (first.black, first.white, first.event, first.date) == ("Ann", "Bo", 'Open & shut "99"', "1999")
    assert (first.game.transcript(), first.result, first.left_out) == ("f5d6c3", -24.0, set())
    assert second.game.transcript() == "f5f6"


def test_the_board_tells_the_result_of_a_finished_game() -> None:
    record = found(game(passing_game().transcript(), '<result winner="black">10-0</result>'))[0].checked()
    assert (record.game, record.result) == (passing_game(), None)


@pytest.mark.parametrize(
    ("result", "score", "winner", "ending"),
    [
        ('<result winner="black" type="normal"/>', None, Color.BLACK, ""),
        ('<result winner="white" type="timeout"></result>', -64.0, None, "time"),
        ("<result winner='white' type='resigned'>?</result>", -64.0, None, "resignation"),
        ('<result winner="draw" type="normal">32-32</result>', 0.0, None, ""),
        ("", None, None, ""),
    ],
)
def test_results(result: str, score: float | None, winner: Color | None, ending: str) -> None:
    record = found(game(result=result))[0].checked()
    assert (record.result, record.winner, record.ending) == (score, winner, ending)


def test_ratings_rounds_comments_and_what_is_left_out() -> None:
    text = (
        '<xof version="1.1"><game id="7"><event name="A" round="3" site="B" date="03.12.15"/>'
        '<player rating="1500,5" color="black" name="A"/><player color="white" rating="?" name="B" club="C"/>'
        "<!-- <moves>a1</moves> --><comment>good &#9829; game</comment><clock/><moves>f5 d6</moves></game></xof>"
    )
    (record,) = (each.checked() for each in games_of_content(text.encode()))
    assert (record.event, record.round, record.place, record.date) == ("A", "3", "B", "2003-12-15")
    assert (record.black_rating, record.white_rating, record.comment) == (1500.5, None, "good \u2665 game")
    assert record.left_out == {"unreadable details", "other attributes", "other elements"}
    assert record.game.transcript() == "f5d6"


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (game("a1"), "illegal move 'a1': expected d3 c4 f5 e6"),
        (game("hello"), "moves 'hello': expected moves (f5d6c3, passes as pa)"),
        (game(kind="othello-10x10"), "game 'othello-10x10': expected othello-8x8"),
        (game(kind="anti-othello"), "game 'anti-othello': expected othello-8x8"),
        (game("f5 " * 2000), "moves "),
        (game()[:-12], "XOF '<game> "),
        (game().replace('"Ann" />', '"Ann"\n'), "XOF '<player color=\"b': expected a tag like"),
        (f"<game><!--{game()[8:]}", "XOF '<!--"),
    ],
)
def test_a_broken_game_hides_no_other(broken: str, reason: str) -> None:
    games = found(game("f5"), broken, game("d3"))
    assert [each.record.game.transcript() for each in games if each.record] == ["f5", "d3"]
    (error,) = (each.error for each in games if each.error)
    assert error.reason.startswith(reason)


@given(st.text("<game>/ moves=\"f5d6'!?-&;lt\n", max_size=200) | st.text(max_size=100))
def test_any_text_is_games_or_refused(text: str) -> None:
    for each in xof.FORMAT.games(f"<game>{text}<game><moves>f5</moves></game>"):
        assert (each.record is None) is not (each.error is None)


def test_pages_of_the_web_are_not_xof() -> None:
    assert xof.BEGINNING.match("<!DOCTYPE html>\n<p>xof <moves>") is None
    assert xof.BEGINNING.match('<?xml version="1.0"?><!DOCTYPE html><p>f5d6</p>') is None
