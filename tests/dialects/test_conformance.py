"""GTP and the session: what is sent and what must come back, in this process and from the real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot import __version__
from tests.session.harness import check_dialogue, dialogue, in_process, matches, real_process, replies

# After eight plies Black must pass; White can then play a3, b4 or d6.
BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"
# Black has taken everything: a game of nine moves.
FINISHED = "d3c3f5f4f3d2d1e3b3"

SCENARIOS = {
    "handshake": """
> protocol_version
= 2
> 1 name
=1 othello-bot
> 0002 version
=0002 VERSION
> known_command play
= true
> known_command PLAY
= true
> known_command nothing
= false
> list_commands
= protocol_version
name
version
known_command
list_commands...
""",
    "unknown commands and syntax errors": """
> foo
? unknown command: 'foo'
> 77 foo bar
?77 unknown command: 'foo'
> name you
? syntax error: ...
> boardsize
? syntax error: ...
> boardsize eight
? syntax error: ...
> boardsize 19
? unacceptable size
> play
? syntax error: ...
> play b
? illegal move 'pass': expected d3 c4 f5 e6
> play x f5
? syntax error: ...
> play b z9
? syntax error: ...
> genmove purple
? syntax error: ...
> undo many
? syntax error: ...
> 5
?5 syntax error: an id without a command
> transcript
=
""",
    "case and spaces do not matter": """
> PLAY Black F5
=
> pLaY w D6
=
>    play   b    c3
=
> transcript
= f5d6c3
""",
    "a bare move and a bare transcript are played": """
> f5
=
> D6c3
=
> 9 d3 c4
=9
> pass
? illegal move 'pass': expected ...
> transcript
= f5d6c3d3c4
""",
    "a transcript is played whole or not at all": """
> play f5d6a1c3
? illegal move 'a1': expected ...
> transcript
=
> play 1. f5 d6 2. c3 d3
=
> transcript
= f5d6c3d3
> gogui-play_sequence b c4 w a1
? illegal move 'a1': expected ...
> gogui-play_sequence b c4 b f4
? illegal move: wrong color 'black': expected white, ...
> transcript
= f5d6c3d3
""",
    "colour out of turn": """
> play w f5
? illegal move: wrong color 'white': expected black, who can play d3 c4 f5 e6
> genmove w
? illegal move: wrong color 'white': expected black, who can play d3 c4 f5 e6
> reg_genmove w
? illegal move: wrong color ...
> transcript
=
""",
    "an explicit pass": f"""
> play {BLACK_MUST_PASS}
=
> legal_moves
= pass
> play b a3
? illegal move 'a3': expected pass
> play b pass
=
> play b pass
=
> legal_moves
= a3 b4 d6
> play w PA
? illegal move 'pass': expected a3 b4 d6
> play w a3
=
> undo 2
=
> legal_moves
= pass
""",
    "a pass that is left out": f"""
> play {BLACK_MUST_PASS}
=
> play w a3
=
> transcript
= {BLACK_MUST_PASS}paa3
> undo
=
> transcript
= {BLACK_MUST_PASS}
> redo
=
> transcript
= {BLACK_MUST_PASS}paa3
> undo 2
=
> transcript
= d3c3e6d2d1e1b2
""",
    "a pass left out in a refused move is not put in": f"""
> play {BLACK_MUST_PASS}
=
> play w h8
? illegal move 'h8': expected pass
> transcript
= {BLACK_MUST_PASS}
""",
    "genmove where the side must pass": f"""
> play {BLACK_MUST_PASS}
=
> genmove b
= pass
> transcript
= {BLACK_MUST_PASS}pa
""",
    "genmove for the other side where the side on turn must pass": f"""
> play {BLACK_MUST_PASS}
=
> setoption depth 1
=
> reg_genmove w
= ...
> transcript
= {BLACK_MUST_PASS}
> genmove w
= ...
> transcript
= {BLACK_MUST_PASS}pa...
> undo
=
> transcript
= {BLACK_MUST_PASS}
""",
    "the end of the game": f"""
> final_score
? cannot score: the game is not over
> play {FINISHED}
=
> legal_moves
=
> final_score
= B+64
> genmove w
= pass
> genmove b
= pass
> genmove
= pass
> reg_genmove b
= pass
> play w pass
=
> play b pass
=
> play b a1
? illegal move 'a1': expected no move, the game is over
> transcript
= {FINISHED}
> hint
= the game is over
> eval
= -64
> gogui-rules_legal_moves
=
> gogui-rules_final_result
= Black wins by 64 points. Final score is B 13 and W 0.
""",
    "undo and redo": """
> undo
? cannot undo 1: expected a move before it
> play f5d6c3
=
> undo 4
? cannot undo 4: expected at most 3 moves
> transcript
= f5d6c3
> undo 0
=
> undo 3
=
> redo 2
=
> redo 2
? cannot redo 2: expected at most 1 move
> transcript
= f5d6
> play c4
=
> redo
? cannot redo 1: expected an undo before it
""",
    "boardsize and clear_board in either order": """
> clear_board
=
> boardsize 8
=
> play b f5
=
> boardsize 8
=
> transcript
= f5
> clear_board
=
> transcript
=
> komi 6.5
=
> komi much
? syntax error: ...
""",
    "positions": """
> newgame nonsense
? syntax error: board 'nonsense': ...
> setposition ---------------------------OX------XO---------------------------Y
? syntax error: board 'Y': expected X or O, the side to move...
> position
= ---------------------------OX------XO--------------------------- X
> setposition --------------------------- OX ------ XO --------------------------- O
=
> position
= ---------------------------OX------XO--------------------------- O
> undo
? cannot undo 1: expected a move before it
> set_position b d4 w d4
? expected each square once, got d4
> set_position b d4 w
? syntax error: ...
> position
= ---------------------------OX------XO--------------------------- O
> newgame
=
> position
= ---------------------------OX------XO--------------------------- X
""",
    "clocks": """
> clocks
= black none white none
> time_settings 0 1 0
=
> clocks
= black none white none
> time_settings 60 0 0
=
> time_left b 12.345 0
=
> time_left white -3 0
=
> clocks
= black 12.345 white 0.000
> time_settings 1 2 3 4
? syntax error: ...
> time_settings x 0 0
? syntax error: ...
> time_left green 1 0
? syntax error: ...
> kata-time_settings fischer-capped 1 2 3
? syntax error: ...
> clocks
= black 12.345 white 0.000
> genmove b
= ...
> genmove w
= ...
> time_settings 0 5 0
=
> clocks
= black none white none
> time_left b 5 0
=
> clocks
= black 5.000 white 5.000
> kata-time_settings fischer 3 0.5
=
> clocks
= black 3.000 white 3.000
> kata-time_settings none
=
> clocks
= black none white none
""",
    "options": """
> setoption threads 0
? option threads '0': expected 1 to 256
> setoption nothing 1
? option name 'nothing': expected one of hash, threads, ...
> setoption
? syntax error: ...
> setoption name level value 7
=
> getoption level
= 7
> setoption LEVEL 8
=
> getoption level
= 8
> setoption name Rose
=
> name
= Rose
> setoption name name value Tulip
=
> name
= Tulip
> setoption log_file /no/such/place/log
? option log_file '/no/such/place/log': expected a writable file (No such file or directory)
> getoption log_file
=
> setoption ponder
? option ponder '': expected on or off
> getoption name
= Tulip
""",
    "a book move comes at once and has a name": """
> setoption nodes 1
=
> play f5
=
> genmove w
= ...
> stats
? nothing has been searched yet
> showboard
=...opening: ...
""",
    "files": """
> loadsgf
? syntax error: ...
> loadsgf /no/such/file.sgf
? cannot load file: /no/such/file.sgf: No such file or directory
> loadsgf /etc/hostname
? cannot load file: ...
> printsgf /no/such/place/game.sgf
? cannot save file: /no/such/place/game.sgf: No such file or directory
> transcript
=
""",
    "one position searched": """
> play f5
=
> search ---------------------------OX------XO---------------------------X -64 64 2 100
=...move ... depth 2@100% score ... <= v <= ... nodes ... time ... pv ...
> search XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO X
= game over, score +62
> search X--------------------------------------------------------------- O -1 1
= game over, score -64
> search nothing
? syntax error: ...
> search ---------------------------OX------XO---------------------------X 1 0
? syntax error: ...
> transcript
= f5
""",
    "moves that are not to be considered": """
> setoption depth 2
=
> kata-genmove_analyze b 1 avoid b d3,c4,f5 1
=...play e6
> undo
=
> kata-genmove_analyze b 1 allow b f5 1
=...play f5
> undo
=
> kata-genmove_analyze b 1 avoid w d3,c4,f5,e6 1
=...play ...
> undo
=
> kata-genmove_analyze b 1 avoid b d3,c4,f5,e6 1
? expected a legal move to be left, there are d3 c4 f5 e6
> kata-analyze b 1 allow b a1 1
? expected a legal move to be left, ...
> transcript
=
""",
    "a search without its move": f"""
> setoption depth 2
=
> kata-search b
= ...
> kata-search w
? illegal move: wrong color ...
> kata-search_analyze b 1 avoid b d3,c4,f5 1
=...play e6
> transcript
=
> play {FINISHED}
=
> kata-search w
= pass
> kata-search_cancellable b
= pass
> kata-search_analyze
=
play pass
> kata-search_analyze_cancellable
=
play pass
""",
    "KataGo's parameters are the options": """
> kata-list-params
= hash threads level ...
> kata-set-param level 7
=
> kata-get-param level
= 7
> kata-set-param maxVisits 1000
=
> kata-get-param nodes
= 1000
> kata-set-param numSearchThreads 0
? option threads '0': expected 1 to 256
> kata-get-param komi
? option name 'komi': expected one of hash, ...
> kata-get-param
? syntax error: ...
> kata-set-param level
? syntax error: ...
""",
    "GoGui sets a position up": """
> gogui-setup_player w
=
> position
= ---------------------------OX------XO--------------------------- O
> clear_board
=
> gogui-setup b D4 w E4 b F4
=
> position
= ---------------------------XOX---------------------------------- X
> gogui-setup_player w
=
> position
= ---------------------------XOX---------------------------------- O
> undo
? cannot undo ...
> gogui-setup b D4 w d4
? expected each square once, got d4
> gogui-setup b pass
? syntax error: ...
> clear_board
=
> play f5
=
> gogui-setup b d4
? expected a board without moves: clear_board comes before
> gogui-setup_player b
? expected a board without moves: clear_board comes before
> transcript
= f5
""",
    "other games": """
> list_games
= Othello
> set_game othello
=
> set_game Go
? unsupported game: Go
""",
    "a textbook player": """
> setoption strategy weighted
=
> genmove b
= d3
> setoption strategy iago:1
=
> genmove w
= ...
> setoption strategy nobody
? option strategy 'nobody': expected one of engine, random, ...
> getoption strategy
= iago:1
""",
}


@pytest.mark.parametrize(
    "moves",
    [";B[f5];W[d6];B[c3]", ";B[fd];W[dc];B[cf]", ";B[fe];W[df];B[cc]"],
    ids=["as players write", "as GoGui writes, row a is rank 8", "row a is rank 1"],
)
def test_a_game_is_loaded_and_written(moves: str, tmp_path: Path) -> None:
    """Both ways of naming squares, a name with spaces, up to a move, and back into a file."""
    path, copy = tmp_path / "a game.sgf", tmp_path / "copy.sgf"
    path.write_text(f"(;FF[4]GM[2]SZ[8]PB[a]PW[b]{moves})")
    check_dialogue(f"""
> loadsgf {path}
= white
> transcript
= f5d6c3
> printsgf {copy}
=
> loadsgf {path} 3
= black
> transcript
= f5d6
> loadsgf {path} 1
= black
> transcript
=
> loadsgf {copy}
= white
> transcript
= f5d6c3
> loadsgf {tmp_path}
? cannot load file: {tmp_path}: Is a directory
> transcript
= f5d6c3
""")


@pytest.mark.parametrize(
    ("command", "framed"),
    [
        ("name", "= othello-bot\n\n"),
        ("7 name", "=7 othello-bot\n\n"),
        ("play f5", "=\n\n"),
        ("7 play f5", "=7 \n\n"),
        ("7 gogui-rules_legal_moves", "=7 D3 C4 F5 E6\n\n"),
        ("gogui-settings level 9", "=\n\n"),
        ("7 undo", "?7 cannot undo"),
        ("gogui-rules_board", "= . . . . . . . .\n. . "),
        ("showboard", "= \n  a b c d e f g h\n1 "),
        ("7 showboard", "=7 \n  a b c d e f g h\n1 "),
        ("gogui-analyze_commands", "= param/Settings/gogui-settings\ngfx/"),
        ("7 lz-analyze", "=7 \n"),
    ],
)
def test_sign_and_number_end_with_a_space(command: str, framed: str) -> None:
    assert in_process(f"setoption depth 2\n{command}\n").removeprefix("=\n\n").startswith(framed)


RESET = ["newgame", "time_settings 0 0 0"] + [
    f"setoption {setting}"
    for setting in ("depth 0", "nodes 0", "level 21", "name othello-bot", "strategy engine", "book on", "move_time 0")
]


def _text(scenario: str) -> str:
    return scenario.replace("VERSION", __version__)


@pytest.mark.parametrize("name", SCENARIOS)
def test_in_process(name: str) -> None:
    check_dialogue(_text(SCENARIOS[name]))


def test_the_real_process_answers_the_same() -> None:
    """All scenarios in one process, with a reset between them."""
    sent: list[str] = []
    expected: list[str] = []
    for scenario in SCENARIOS.values():
        for command, reply in dialogue(_text(scenario)):
            sent.append(command)
            expected.append(reply)
        sent += RESET
        expected += ["="] * len(RESET)
    # The position of "stats" among the scenarios matters: what was searched before is remembered until a new game.
    answers = replies(real_process("".join(f"{command}\n" for command in sent)))
    assert len(answers) == len(expected)
    for command, reply, answer in zip(sent, expected, answers, strict=True):
        assert matches(reply, answer), f"{command}: expected {reply!r}, got {answer!r}"


WIRE = [
    (b"name\r\n", ["= othello-bot"]),
    (b"\xef\xbb\xbfname\n", ["= othello-bot"]),
    (b"1\tname\t\n", ["=1 othello-bot"]),
    (b"na\x00me\x07\n", ["= othello-bot"]),
    (b"\n\r\n   \n\t\n# only a comment\n", []),
    (b"name # with a comment\n", ["= othello-bot"]),
    (b"1 name\n2 name\n\n\n3 name", ["=1 othello-bot", "=2 othello-bot", "=3 othello-bot"]),
    (b"play b f", ["? syntax error: ..."]),
    (b"", []),
    (b"\xff\xfe\x80\n", ["? unknown command: ..."]),
    (
        b"12 " + b"x" * 10_000_000 + b"\nname\n",
        ["?12 syntax error: a line of 10000003 bytes is too long", "= othello-bot"],
    ),
    (b"x" * 70_000, ["? syntax error: a line of 70000 bytes is too long"]),
    ("play b \u0666\u0665\n".encode(), ["? syntax error: ..."]),
    (b"99999999999999999999 name\n", ["=99999999999999999999 othello-bot"]),
]


@pytest.mark.parametrize(("data", "expected"), WIRE)
def test_on_the_wire(data: bytes, expected: list[str]) -> None:
    answers = replies(in_process(data))
    assert len(answers) == len(expected)
    for want, got in zip(expected, answers, strict=True):
        assert matches(want, got)


def test_on_the_wire_of_the_real_process() -> None:
    data = b"\n".join(data for data, _ in WIRE)
    answers = replies(real_process(data))
    expected = [want for _, wanted in WIRE for want in wanted]
    assert len(answers) == len(expected)
    for want, got in zip(expected, answers, strict=True):
        assert matches(want, got)
