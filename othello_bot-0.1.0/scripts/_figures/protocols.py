"""Write the generated parts of protocol/README.md and docs/command-lines.md: options and commands, as declared.

Run it from a checkout after a command or an option has changed: scripts/figures protocols
"""

from __future__ import annotations

from _setup.enter import ROOT

from othello_bot.daemon import edax_arguments
from othello_bot.dialects.command_table import reference
from othello_bot.dialects.gtp import COMMANDS
from othello_bot.engine.options import markdown_table


def replaced(text: str, name: str, body: str) -> str:
    """Return `text` with the text between the two markers called `name` replaced by `body`."""
    begin, end = f"<!-- {name}: generated -->\n", f"<!-- {name}: end -->\n"
    head, _, rest = text.partition(begin)
    _, _, tail = rest.partition(end)
    return f"{head}{begin}\n{body}\n{end}{tail}"


def main() -> int:
    """Rewrite the files; return 0."""
    path = ROOT / "protocol" / "README.md"
    text = replaced(path.read_text(encoding="utf-8"), "options", markdown_table())
    path.write_text(replaced(text, "commands", reference(COMMANDS)), encoding="utf-8")
    path = ROOT / "docs" / "command-lines.md"
    text = replaced(path.read_text(encoding="utf-8"), "options of Edax", edax_arguments.markdown_table())
    path.write_text(text, encoding="utf-8")
    return 0
