"""ENGINE-PROTOCOL as text, in both directions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import PASS, START, Board, Color, parse_square
from othello_bot.protocol import cassio
from othello_bot.protocol.cassio import CassioError, Result, SearchCommand

F5, D6, C3 = (parse_square(name) for name in ("f5", "d6", "c3"))
BOARD = START.cells + "X"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ENGINE-PROTOCOL init", cassio.Init()),
        ("engine-protocol INIT\r", cassio.Init()),
        ("ENGINE-PROTOCOL get-version", cassio.GetVersion()),
        ("ENGINE-PROTOCOL new-position", cassio.NewPosition()),
        ("ENGINE-PROTOCOL empty-hash", cassio.EmptyHash()),
        ("ENGINE-PROTOCOL stop", cassio.Stop()),
        ("ENGINE-PROTOCOL get-search-infos", cassio.GetSearchInfos()),
        ("ENGINE-PROTOCOL quit", cassio.Quit()),
        ("", cassio.Poll()),
        ("  \t", cassio.Poll()),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -64 64 12 73", SearchCommand(START, -64, 64, 12, 73)),
        (f"ENGINE-PROTOCOL midgame-search {START} -1.5 +2.00 12 100", SearchCommand(START, -1.5, 2, 12)),
        (f"ENGINE-PROTOCOL midgame-search {BOARD}", SearchCommand(START, depth=60)),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -100 100 12 73", SearchCommand(START, -64, 64, 12, 73)),
        (f"ENGINE-PROTOCOL endgame-search {BOARD} -1 1 100", SearchCommand(START, -1, 1)),
        (f"ENGINE-PROTOCOL endgame-search {BOARD}", SearchCommand(START)),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -1000 1000 1000 0", SearchCommand(START, -64, 64, 1000, 0)),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} 3 3 0 100", SearchCommand(START, 3, 3, 0)),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} 1 2 0 0 f5 d6", cassio.FeedHash(START, 1, 2, 0, 0, (F5, D6))),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} -2 3.5 14 98 f5d6", cassio.FeedHash(START, -2, 3.5, 14, 98, (F5, D6))),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} -2 3.5 14 98", cassio.FeedHash(START, -2, 3.5, 14, 98)),
    ],
)
def test_commands(line: str, command: cassio.Command) -> None:
    assert cassio.parse_command(line) == command


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hello", "unknown protocol 'hello'"),
        ("hello ENGINE-PROTOCOL", "unknown protocol 'hello'"),
        ("ENGINE-PROTOCOL", "unknown command ''"),
        ("ENGINE-PROTOCOL dance", "unknown command 'dance'"),
        ("ENGINE-PROTOCOL midgame-search", "midgame-search: expected 64 cells"),
        ("ENGINE-PROTOCOL midgame-search xyz -64 64 12 73", "midgame-search: expected 64 cells"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} a", "midgame-search: expected a number"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} 5 -5", "alpha not above beta"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -64 64 12 101", "an integer from 0 to 100"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -64 64 12 73 9", "precision at most"),
        (f"ENGINE-PROTOCOL endgame-search {BOARD} -64 64 73 9", "precision at most"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -64 64 12 -1", "an integer from 0 to 100"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -64 64 -1", "an integer from 0 to 1000"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -64 64 1001", "an integer from 0 to 1000"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} -1001", "a number from -1000 to 1000"),
        (f"ENGINE-PROTOCOL midgame-search {BOARD} 0 1001", "a number from -1000 to 1000"),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} 1 2 -1 73", "an integer of at least 0"),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} 1 2 3 101", "an integer from 0 to 100"),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} 1 2 3 -1", "an integer from 0 to 100"),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} 1 2 3", "lower, upper, depth and precision"),
        (f"ENGINE-PROTOCOL feed-hash {BOARD} 1 2 3 73 z9", "expected moves"),
    ],
)
def test_errors(line: str, message: str) -> None:
    with pytest.raises(CassioError) as caught:
        cassio.parse_command(line)
    assert message in caught.value.message
    assert str(caught.value) == caught.value.message


BOARDS = st.builds(Board, st.text(alphabet="XO-", min_size=64, max_size=64), st.sampled_from(Color))
HUNDREDTHS = st.integers(-6400, 6400).map(lambda number: number / 100)
MOVES = st.integers(0, PASS)
PVS = st.lists(MOVES, max_size=9).map(tuple)
MILLISECONDS = st.integers(0, 10**7).map(lambda number: number / 1000)


@given(
    st.one_of(
        st.builds(
            lambda board, window, depth, precision: SearchCommand(board, window[0], window[1], depth, precision),
            BOARDS,
            st.tuples(HUNDREDTHS, HUNDREDTHS).map(sorted),
            st.integers(0, 60),
            st.integers(0, 100),
        ),
        st.builds(
            lambda board, window, precision: SearchCommand(board, float(window[0]), float(window[1]), None, precision),
            BOARDS,
            st.tuples(st.integers(-64, 64), st.integers(-64, 64)).map(sorted),
            st.integers(0, 100),
        ),
        st.builds(cassio.FeedHash, BOARDS, HUNDREDTHS, HUNDREDTHS, st.integers(0, 60), st.integers(0, 100), PVS),
        st.sampled_from((cassio.Init(), cassio.GetVersion(), cassio.NewPosition(), cassio.EmptyHash(), cassio.Stop())),
        st.sampled_from((cassio.GetSearchInfos(), cassio.Poll(), cassio.Quit())),
    )
)
def test_a_command_reads_back(command: cassio.Command) -> None:
    assert cassio.parse_command(str(command)) == command


def test_a_result_as_edax_writes_it() -> None:
    result = Result(START, F5, 12, 73, 2, 2, (F5, D6, PASS), 12345, 0.123)
    line = f"{BOARD}, move F5, depth 12, @73%, B+2.00 <= v <= B+2.00, f5d6PA, node 12345, time 0.123"
    assert str(result) == line
    assert cassio.parse_response(line) == result
    white = Result(Board(START.cells, Color.WHITE), F5, 1, 100, -3, 0)
    assert str(white).endswith(", W-3.00 <= v <= W+0.00, , node 0, time 0.000")
    assert cassio.parse_response(line.replace("f5d6PA", "F5d6ps")) == result


@given(
    st.one_of(
        st.builds(
            Result,
            BOARDS,
            MOVES,
            st.integers(0, 60),
            st.integers(0, 100),
            HUNDREDTHS,
            HUNDREDTHS,
            PVS,
            st.integers(0, 10**15),
            MILLISECONDS,
        ),
        st.builds(cassio.SearchInfos, st.integers(0, 10**15), MILLISECONDS),
        st.builds(cassio.Version, st.from_regex(r"[!-~]{1,9}( [!-~]{1,9})?", fullmatch=True)),
        st.builds(cassio.ErrorReply, st.from_regex(r"[!-~]{1,9}( [!-~]{1,9})?", fullmatch=True)),
        st.sampled_from((cassio.Ready(), cassio.Ok(), cassio.Bye())),
    )
)
def test_a_response_reads_back(response: cassio.Response) -> None:
    line = str(response)
    assert "\n" not in line
    assert cassio.parse_response(line) == response


def test_the_fixed_words() -> None:
    assert [str(word) for word in (cassio.Ready(), cassio.Ok(), cassio.Bye())] == [
        "ready.",
        "ok.",
        "bye bye.",
    ]
    assert str(cassio.Version("Edax 4.6")) == "version: Edax 4.6"
    assert str(cassio.ErrorReply("no\nposition")) == "ERROR: no position"


@pytest.mark.parametrize("line", ["", "hello", "ready", "readyready.", f"{BOARD}, move F5", "node x, time 1"])
def test_chatter_is_ignored(line: str) -> None:
    assert cassio.parse_response(line) is None


@pytest.mark.parametrize(
    "line",
    [
        f"{BOARD}, move Z9, depth 12, @73%, B+2.00 <= v <= B+2.00, f5, node 1, time 0.1",
        f"{BOARD}, move F5, depth 12, @73%, B+2.0.0 <= v <= B+2.00, f5, node 1, time 0.1",
        f"{BOARD}, move F5, depth 12, @73%, B+2.00 <= v <= B+2.00, f5??, node 1, time 0.1",
    ],
)
def test_damaged_results(line: str) -> None:
    with pytest.raises(CassioError):
        cassio.parse_response(line)
