"""The dialect of the first line, and the arrows between the packages."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from othello_bot.protocol.detect import Dialect, detect
from othello_bot.protocol.wire import clean

PACKAGE = Path(__file__).resolve().parents[2] / "protocol"


@pytest.mark.parametrize(
    ("line", "dialect"),
    [
        ("nboard 2", Dialect.NBOARD),
        ("nboard 1", Dialect.NBOARD),
        ("NBOARD\t2\r", Dialect.NBOARD),
        ("nboard", Dialect.NBOARD),
        ("nboarding", Dialect.NATIVE),
        ("nboard\u20032", Dialect.NATIVE),
        ("engine-protocol", Dialect.CASSIO),
        ("engine-protocol\u2003init", Dialect.NATIVE),
        ("1" * 20 + " anything", Dialect.GTP),
        ("1" * 21 + " anything", Dialect.NATIVE),
        ("gogui", Dialect.GTP),
        ("hint-gogui", Dialect.NATIVE),
        ("ENGINE-PROTOCOL init", Dialect.CASSIO),
        ("engine-protocol get-version", Dialect.CASSIO),
        ("protocol_version", Dialect.GTP),
        ("1 protocol_version", Dialect.GTP),
        ("12 anything", Dialect.GTP),
        ("list_commands # who are you", Dialect.GTP),
        ("GENMOVE b", Dialect.GTP),
        ("boardsize 8", Dialect.GTP),
        ("gogui-rules_game_id", Dialect.GTP),
        ("kata-time_settings fischer 60 1", Dialect.GTP),
        ("lz-analyze 10", Dialect.GTP),
        ("hint 3", Dialect.NATIVE),
        ("f5", Dialect.NATIVE),
        ("help", Dialect.NATIVE),
        ("uci", Dialect.NATIVE),
        ("xboard", Dialect.NATIVE),
        ("12", Dialect.NATIVE),
        ("\x00\xff\xfe", Dialect.NATIVE),
        ("", None),
        ("   \t\r", None),
        ("# a comment", None),
        ("\ufeff", None),
    ],
)
def test_detection(line: str, dialect: Dialect | None) -> None:
    assert detect(clean(line)) is dialect


@pytest.mark.parametrize("module", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.stem)
def test_the_text_layer_needs_what_all_share_alone(module: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            name = node.module or ""
            own = re.match(r"othello_bot[.](?:base|protocol)(?![^.])", name)
            imported.add(own.group() if own else name.partition(".")[0])
    assert imported <= sys.stdlib_module_names | {"othello_bot.base", "othello_bot.protocol"}
