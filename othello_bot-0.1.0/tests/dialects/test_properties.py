"""Properties of any session: one reply a command, and a refused command changes nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from othello_bot.dialects.gtp import COMMANDS
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, in_process, replies

PROBES = ["position", "transcript", "clocks", "options", "gogui-rules_legal_moves"]

SQUARES = [f"{column}{row}" for column in "abcdefgh" for row in "12345678"]
BOARDS = [
    "---------------------------OX------XO---------------------------",
    "X" * 64,
    "-" * 64,
    "--OOO----X-O------XX-------XX------XX-------X------------------- X",
]
WORDS = st.one_of(
    st.sampled_from(SQUARES),
    st.sampled_from(["f5", "d6", "c3", "f5d6c3", "d3c3e6d2d1e1b2c1", "d3c3f5f4f3d2d1e3b3", "pass", "PA", "--"]),
    st.sampled_from(["b", "w", "black", "White", "0", "1", "2", "8", "-1", "0.5", "1e9", "nan", "60", "100"]),
    st.sampled_from(["name", "value", "level", "depth", "hash", "none", "fischer", "absolute", "byoyomi", "canadian"]),
    st.sampled_from(["maxmoves", "avoid", "Othello", "/no/such/file", "X", "O", *BOARDS]),
    st.text(st.characters(codec="utf-8", exclude_characters="\n#"), max_size=8),
)
# Without the one that ends the session, and those that write files.
VERBS = st.sampled_from(
    [name for name in COMMANDS if name not in ("quit", "printsgf", "save")] + SQUARES[:8] + ["nonsense", "f5"]
)
LINES = st.builds(lambda verb, words: " ".join([verb, *words]), VERBS, st.lists(WORDS, max_size=5))


@pytest.mark.slow
@given(st.lists(LINES, max_size=12))
@example(["hint", "stop"])
@example(["lz-analyze 1", "isready", "genmove", "ping 3"])
def test_any_lines_at_all(lines: list[str]) -> None:
    # Options that open files and first lines of other dialects are out of scope here.
    lines = [line for line in lines if "log_file" not in line]
    commands = ["name", *PROBES]
    for line in lines:
        commands += [line, *PROBES]
    sent = "".join(f"{identity} {command}\n" for identity, command in enumerate(commands))
    found = replies(in_process(sent, search=FakeSearch(), options=SMALL))
    assert len(found) == len(commands)
    # Matched by their ids, as a host does: commands that overtake a search are answered before it.
    by_id = {int(re.match("[=?]([0-9]+)", reply)[1]): reply for reply in found}  # type: ignore[index]
    answers = [re.sub("^([=?])[0-9]+", r"\1", by_id[identity]) for identity in range(len(commands))]
    step = len(PROBES) + 1
    state = answers[1:step]
    for number, line in enumerate(lines, start=1):
        answer, *after = answers[number * step : (number + 1) * step]
        if answer.startswith("?"):
            assert after == state, (line, answer)
        state = after


@given(st.binary(max_size=400))
def test_any_bytes_at_all(data: bytes) -> None:
    text = in_process(b"1 name\n" + data + b"\n999 position\n", search=FakeSearch(), options=SMALL)
    answers = replies(text)
    assert answers[0] == "=1 othello-bot"
    # Eight bytes can spell a move, and "quit" is a way to end; nothing else changes the board.
    if answers[-1].startswith("=999"):
        assert len(answers[-1]) == 71


@given(
    st.lists(st.one_of(st.just("nboard 2"), LINES, st.builds("set game {}".format, st.text(max_size=30))), max_size=8)
)
def test_nboard_survives_any_lines(lines: list[str]) -> None:
    sent = ["nboard 2", *(line.replace("\r", " ") for line in lines), "ping 12345"]
    text = in_process("".join(f"{line}\n" for line in sent), search=FakeSearch(), options=SMALL)
    if "quit" not in lines:
        assert text.endswith("pong 12345\n")
