"""What a controller sends in GTP, and how it understands the answers, without process or waiting."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import ClockState, TimeSettings, TimeSystem
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, RESIGN, START, Board, Color, parse_square
from othello_bot.protocol.conversation import MOST_NOISE_LINES, Deadlines, EngineInfo
from othello_bot.protocol.conversation_gtp import GtpConversation, Passes
from othello_bot.protocol.errors import Awaited, EngineGarbage, EngineRefused, EngineStalled, EngineUnsupported
from tests.protocol.script import Stage, best, fault, talk

F5, D6, C3 = (parse_square(name) for name in ("f5", "d6", "c3"))
EMPTYISH = Board("-" * 62 + "XO", Color.WHITE)


def gtp(commands: str = "") -> GtpConversation:
    """Return a conversation after the handshake with an engine that lists these commands."""
    conversation = GtpConversation(fault, Deadlines(1, 2, 3, 4))
    listed = "\n".join(f"< {'= ' if not at else ''}{word}" for at, word in enumerate(commands.split()))
    answer = f"{listed}\n<" if listed else "< ? unknown command\n<"
    talk(conversation, f"> name\n< = Mock\n<\n> version\n< = 1.5\n<\n> list_commands\n{answer}")
    return conversation


def test_gtp_handshake() -> None:
    assert gtp("name play GENMOVE").info == EngineInfo("Mock", "1.5", frozenset(("name", "play", "genmove")))


def test_gtp_handshake_with_an_engine_that_knows_nothing_and_greets() -> None:
    conversation = GtpConversation(fault)
    no = "< ? unknown command\n<"
    talk(conversation, f"> name\n< Edax 4.6\n<\n< copyright\n{no}\n> version\n{no}\n> list_commands\n{no}")
    assert conversation.info == EngineInfo()


def test_gtp_start_has_its_own_deadline() -> None:
    stage = Stage("> name\n...")
    with pytest.raises(EngineStalled) as caught:
        stage.run(GtpConversation(fault, Deadlines(start_s=7)).handshake())
    assert caught.value.awaited is Awaited.START
    assert stage.waits[0].within_s == 7


@pytest.mark.parametrize(
    ("commands", "time", "dialogue"),
    [
        ("clear_board", None, "> clear_board\n< =\n<"),
        # The size first, and its refusal is no event.
        ("boardsize clear_board", None, "> boardsize 8\n< ? unacceptable size\n<\n> clear_board\n< =\n<"),
        ("", None, "> boardsize 8\n< ? unknown command\n<\n> clear_board\n< =\n<"),
        (
            "clear_board time_settings",
            TimeSettings(TimeSystem.FISCHER, 60, 0.5),
            "> clear_board\n< =\n<\n> time_settings 60 0.5 0\n< ? no floats\n<",
        ),
        (
            "clear_board time_settings kata-time_settings",
            TimeSettings(TimeSystem.FISCHER, 60, 0.5),
            "> clear_board\n< =\n<\n> kata-time_settings fischer 60 0.5\n< =\n<",
        ),
        (
            "clear_board time_settings kata-time_settings",
            TimeSettings(TimeSystem.ABSOLUTE, 60),
            "> clear_board\n< =\n<\n> time_settings 60 0 0\n< =\n<",
        ),
        ("clear_board", TimeSettings(TimeSystem.ABSOLUTE, 60), "> clear_board\n< =\n<"),
    ],
)
def test_gtp_new_game(commands: str, time: TimeSettings | None, dialogue: str) -> None:
    Stage(dialogue).run(gtp(commands).new_game(START, time))


def test_gtp_new_game_from_a_set_up_board() -> None:
    Stage(f"> setposition {EMPTYISH}\n< =\n<").run(gtp("clear_board setposition gogui-setup").new_game(EMPTYISH))
    dialogue = "> clear_board\n< =\n<\n> gogui-setup b g8 w h8\n< =\n<\n> gogui-setup_player w\n< =\n<"
    Stage(dialogue).run(gtp("clear_board gogui-setup").new_game(EMPTYISH))
    with pytest.raises(EngineUnsupported, match="set up a board"):
        Stage("").run(gtp("clear_board").new_game(EMPTYISH))


def test_gtp_colours_alternate_and_passes_are_moves() -> None:
    conversation = gtp("clear_board")
    Stage("> clear_board\n< =\n<").run(conversation.new_game())
    for move, line in ((F5, "b f5"), (PASS, "w pass"), (C3, "b c3")):
        Stage(f"> play {line}\n< =\n<").run(conversation.play(move))
    assert conversation.moves == [F5, PASS, C3]
    assert conversation.to_move is Color.WHITE


def test_gtp_a_refused_move_is_not_played() -> None:
    conversation = gtp("clear_board")
    with pytest.raises(EngineRefused) as caught:
        Stage("> play b a1\n< ? illegal move\n<").run(conversation.play(0))
    assert (caught.value.command, caught.value.reason) == ("play b a1", "illegal move")
    assert conversation.moves == []


def test_gtp_an_engine_that_refuses_a_pass_is_not_told_of_passes_again() -> None:
    conversation = gtp("clear_board")
    Stage("> play b f5\n< =\n<").run(conversation.play(F5))
    Stage("> play w pass\n< ? syntax error\n<").run(conversation.play(PASS))
    Stage("> play b d6\n< =\n<").run(conversation.play(D6))
    Stage("").run(conversation.play(PASS))
    Stage("> genmove b\n< = c3\n<").run(conversation.best_move())
    assert conversation.moves == [F5, PASS, D6, PASS, C3]


def test_gtp_passes_can_be_omitted_or_demanded() -> None:
    conversation = gtp("clear_board")
    conversation.passes = Passes.OFF
    Stage("").run(conversation.play(PASS))
    conversation.passes = Passes.ON
    with pytest.raises(EngineRefused, match="refused 'play w pass': syntax error"):
        Stage("> play w pass\n< ? syntax error\n<").run(conversation.play(PASS))
    assert conversation.moves == [PASS]


@pytest.mark.parametrize("answer", ["< =\n<", "< ? unsupported game\n<"])
def test_gtp_an_engine_for_several_games_is_told_which(answer: str) -> None:
    conversation = GtpConversation(fault)
    listed = "> name\n< = Mock\n<\n> version\n< = 1\n<\n> list_commands\n< = set_game\n< play\n<"
    talk(conversation, f"{listed}\n> set_game Othello\n{answer}")
    assert conversation.info.commands == {"set_game", "play"}


def test_gtp_a_position_that_continues_the_known_one_is_played_on() -> None:
    conversation = gtp("clear_board")
    Stage("> play b f5\n< =\n<\n> play w d6\n< =\n<").run(conversation.set_position(START, [F5, D6]))
    Stage("> play b c3\n< =\n<").run(conversation.set_position(START, [F5, D6, C3]))
    Stage("").run(conversation.set_position(START, [F5, D6, C3]))
    Stage("> clear_board\n< =\n<\n> play b f5\n< =\n<").run(conversation.set_position(START, [F5]))
    assert conversation.moves == [F5]


@pytest.mark.parametrize(("answer", "move"), [("f5", F5), ("F5", F5), ("PASS", PASS), ("pa", PASS), ("resign", RESIGN)])
def test_gtp_best_move(answer: str, move: int) -> None:
    conversation = gtp()
    stage = Stage(f"> genmove b\n< = {answer}\n<")
    assert stage.run(conversation.best_move()) == best(move, 1.0)
    assert conversation.moves == ([] if move == RESIGN else [move])


def test_gtp_the_time_of_a_move_ends_with_its_first_line() -> None:
    assert Stage("> genmove b\n< noise\n< = f5\n<").run(gtp().best_move()).time_s == 2.0


@pytest.mark.parametrize(
    ("commands", "lines"),
    [
        ("time_left", ("time_left b 59 0", "time_left w 0 0")),
        ("time_left kata-time_settings", ("time_left b 59.9 0", "time_left w 0.9 0")),
        ("genmove", ()),
    ],
)
def test_gtp_both_clocks_before_each_move(commands: str, lines: tuple[str, ...]) -> None:
    told = "".join(f"> {line}\n< ? not now\n<\n" for line in lines)
    stage = Stage(told + "> genmove b\n< = f5\n<")
    stage.run(gtp(commands).best_move((ClockState(59.9), ClockState(0.9))))
    assert stage.waits[-2].within_s == pytest.approx(59.9 + 4)


def test_gtp_move_deadlines() -> None:
    for within_s, expected in ((None, 3.0), (0.5, 0.5)):
        stage = Stage("> genmove b\n...")
        with pytest.raises(EngineStalled) as caught:
            stage.run(gtp().best_move(within_s=within_s))
        assert caught.value.awaited is Awaited.MOVE
        assert stage.waits[0].within_s == expected


@pytest.mark.parametrize("answer", ["< =\n<", "< = the best one\n<", "< = f5 d6\n<", "< = f5\n< d6\n<"])
def test_gtp_an_answer_that_is_no_move(answer: str) -> None:
    conversation = gtp()
    with pytest.raises(EngineGarbage, match="no move"):
        Stage(f"> genmove b\n{answer}").run(conversation.best_move())
    assert conversation.moves == []


def test_gtp_noise_and_then_silence_is_garbage() -> None:
    with pytest.raises(EngineGarbage, match=r"no answer but: '%%%'") as caught:
        Stage("> genmove b\n< %%%\n< later\n...").run(gtp().best_move())
    assert caught.value.line == "%%%"


def test_gtp_endless_noise_is_garbage() -> None:
    chatter = "".join(f"< chatter {number}\n" for number in range(MOST_NOISE_LINES + 1))
    with pytest.raises(EngineGarbage, match=r"lines without meaning, the first: 'chatter 0'") as caught:
        Stage(f"> genmove b\n{chatter}").run(gtp().best_move())
    assert caught.value.line == "chatter 0"


def test_gtp_a_reply_that_never_ends_is_a_stall() -> None:
    with pytest.raises(EngineStalled, match=r"no empty line has ended its reply: '= f5'") as caught:
        Stage("> genmove b\n< = f5\n...").run(gtp().best_move())
    assert caught.value.awaited is Awaited.REPLY


def test_gtp_ping() -> None:
    assert Stage("> ping 1\n< = 1\n<").run(gtp("ping").ping()) == 1.0
    assert Stage("> protocol_version\n< = 2\n<").run(gtp().ping()) == 1.0


@pytest.mark.parametrize(
    ("commands", "line"),
    [
        ("setoption kata-set-param", "setoption name level value 5"),
        ("kata-set-param", "kata-set-param level 5"),
        ("set_level", "set_level 5"),
    ],
)
def test_gtp_options(commands: str, line: str) -> None:
    Stage(f"> {line}\n< =\n<").run(gtp(commands).set_option("level", "5"))


def test_gtp_no_way_to_set_an_option() -> None:
    with pytest.raises(EngineUnsupported):
        Stage("").run(gtp("genmove").set_option("level", "5"))


REPORT = "info move f5 visits 9 winrate 0.6 scoreLead 3 order 0 pv f5 d6"


def test_gtp_a_refusal_without_end_is_repeated_in_brief() -> None:
    """Whatever an engine says, our own message stays one short line."""
    lines = "\n".join(f"< line {number} of the reasons" for number in range(300))
    gtp = GtpConversation(fault)
    with pytest.raises(EngineRefused) as caught:
        Stage(f"> play b f5\n< ? no, for these reasons:\n{lines}\n<").run(gtp.play(F5))
    assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)
    assert caught.value.reason.startswith("no, for these reasons: line 0")


THINK = "> kata-genmove_analyze b 5\n< =\n"
OTHER = REPORT.replace("f5", "d6")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (f"< {OTHER}\n< {REPORT}\n< play f5\n<", best(F5, 4.0, 3.0, "", 9, (F5, D6))),
        # From the book, or of another move than the one that was played in the end: no thoughts.
        ("< play F5\n<", best(F5, 2.0)),
        (f"< {OTHER}\n< play f5\n<", best(F5, 3.0)),
        ("< play resign\n<", best(RESIGN, 2.0)),
    ],
)
def test_gtp_thoughts(said: str, answer: EvaluatedMove) -> None:
    conversation = gtp("kata-genmove_analyze")
    assert Stage(THINK + said).run(conversation.best_move(thoughts=True)) == answer
    assert conversation.moves == ([] if answer.move == RESIGN else [F5])


def test_gtp_thoughts_that_come_to_nothing() -> None:
    with pytest.raises(EngineGarbage, match="no move"):
        Stage(THINK + "<").run(gtp("kata-genmove_analyze").best_move(thoughts=True))
    with pytest.raises(EngineGarbage, match="no move"):
        Stage(THINK + "< play well\n<").run(gtp("kata-genmove_analyze").best_move(thoughts=True))
    with pytest.raises(EngineRefused):
        Stage("> kata-genmove_analyze b 5\n< ? no\n<").run(gtp("kata-genmove_analyze").best_move(thoughts=True))
    with pytest.raises(EngineStalled):
        Stage(THINK + "...").run(gtp("kata-genmove_analyze").best_move(thoughts=True))
    # An engine that cannot be asked is only asked for its move.
    assert Stage("> genmove b\n< = f5\n<").run(gtp("genmove").best_move(thoughts=True)) == best(F5, 1.0)
