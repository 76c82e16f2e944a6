"""Every command's example in the reference is run, and the reference has every command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from othello_bot.dialects.command_table import Declaration, reference
from othello_bot.dialects.gtp import COMMANDS
from othello_bot.engine.options import markdown_table
from tests.session.harness import check_dialogue, dialogue, in_process, matches

README = Path(__file__).parents[2] / "protocol" / "README.md"


@pytest.mark.parametrize("declaration", COMMANDS.values(), ids=list(COMMANDS))
def test_example(declaration: Declaration) -> None:
    commands = [command.split()[0] for command, _ in dialogue(declaration.example)]
    assert declaration.name in commands
    check_dialogue(declaration.example)


@pytest.mark.parametrize("dialect", ["nboard", "cassio"])
def test_examples_of_the_other_dialects(dialect: str) -> None:
    examples = re.findall(rf"^```{dialect}\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert examples
    for example in examples:
        pairs = dialogue(example)
        answers = in_process("".join(f"{command}\n" for command, _ in pairs))
        expected = "".join(f"{answer}\n" for _, answer in pairs if answer)
        assert matches(expected, answers), answers


def test_the_reference_is_generated_from_the_declarations() -> None:
    text = README.read_text()
    assert reference(COMMANDS) in text, "run scripts/figures protocols"
    assert markdown_table() in text, "run scripts/figures protocols"
