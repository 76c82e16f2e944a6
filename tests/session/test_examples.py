"""Every command's example in the reference is run, and the reference has every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.command_table import Declaration, reference
from othello_bot.gtp_dialect import COMMANDS
from othello_bot.options import markdown_table
from tests.session.harness import check_dialogue, dialogue

README = Path(__file__).parents[2] / "protocol" / "README.md"


@pytest.mark.parametrize("declaration", COMMANDS.values(), ids=list(COMMANDS))
def test_example(declaration: Declaration) -> None:
    commands = [command.split()[0] for command, _ in dialogue(declaration.example)]
    assert declaration.name in commands
    check_dialogue(declaration.example)


def test_the_reference_is_generated_from_the_declarations() -> None:
    text = README.read_text()
    assert reference(COMMANDS) in text, "run scripts/protocol-reference"
    assert markdown_table() in text, "run scripts/protocol-reference"
