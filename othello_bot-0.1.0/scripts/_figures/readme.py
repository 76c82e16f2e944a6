"""Renew the examples in README.md by running them.

Run it from a checkout: scripts/figures readme. With --check it writes nothing and exits with 1 if an example's output
differs from the README; times and rates may differ. A comment before a block changes this: `<!-- not run: why -->`
skips the block, `<!-- varies: why -->` also ignores moves and numbers. --quick skips `<!-- varies, slow: why -->` too.
The boards that a session draws are omitted: a picture shows them. The Python examples are doctests, run by
tests/launcher/test_readme.py.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

from _setup.enter import ROOT

README = ROOT / "README.md"
BLOCK = re.compile(
    r"(?:<!-- (?P<note>not run|varies)(?P<slow>, slow)?[^>]*-->\n)?"
    r"^```(?P<language>console|session)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SHELL_PROMPT, SESSION_PROMPT = "$ ", "othello> "
LONGEST_S = 120
# Examples run in an empty directory, and the engine without its launcher, which might start a build.
EXAMPLE = "docs/examples/two_process_match.py"
STANDS_FOR = {
    "scripts/othello-bot": f"'{sys.executable}' -m othello_bot",
    f".venv/bin/python {EXAMPLE}": f"'{sys.executable}' '{ROOT}/{EXAMPLE}'",
}
PATHS = re.compile(r"(?<!\S)(" + "|".join(map(re.escape, STANDS_FOR)) + r")(?!\S)")
DRAWN_BOARD = re.compile(r"(?:^\n)?^    a  b  c  d  e  f  g  h\b.*\n(?: [1-8] .*\n){8}", re.MULTILINE)
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
MEASURED = re.compile(
    r"[\d.,]+(?= ?(?:s|ms|nodes/s|positions/s|million nodes/s)\b)|(?<=^time )[\d.]+|(?<=^rate )\d+", re.MULTILINE
)
VARIABLE = re.compile(
    r", and \d+ empty squares? counts? for the winner|\b[0-9a-f]{8}\b|\b(?:[a-h][1-8])+\b"
    r"|\b(?:black|white|pass|drawn?|wins|by|inf)\b|[+-]?[\d.]+|\s+"
)


def typed(body: str, prompt: str) -> list[str]:
    """Return the commands of a block, in order."""
    return [line.removeprefix(prompt) for line in body.splitlines() if line.startswith(prompt)]


def run_console(body: str) -> str:
    """Return the block with the current output of its shell commands."""
    shown = ""
    # A caller that has loaded readline has COLUMNS in its environment, whatever the width of its terminal.
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as directory:
        for command in typed(body, SHELL_PROMPT):
            ended = subprocess.run(
                ["/bin/sh", "-c", PATHS.sub(lambda found: STANDS_FOR[found[1]], command)],
                cwd=directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=LONGEST_S,
                check=True,
            )
            shown += f"{SHELL_PROMPT}{command}\n{ended.stdout.rstrip()}\n"
    return shown


def run_session(body: str) -> str:
    """Return the block as a terminal shows it after its commands, without colours and boards."""
    import pexpect

    history = tempfile.TemporaryDirectory()
    environment = {**os.environ, "TERM": "dumb", "XDG_STATE_HOME": history.name}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "othello_bot"],
        cwd=str(ROOT),
        env=environment,
        encoding="utf-8",
        dimensions=(100, 120),
        timeout=LONGEST_S,
    )
    try:
        child.expect_exact(SESSION_PROMPT)
        shown = child.before or ""
        for command in typed(body, SESSION_PROMPT):
            child.sendline(command)
            child.expect_exact([SESSION_PROMPT, pexpect.EOF])
            shown += SESSION_PROMPT + (child.before or "")
    finally:
        child.close(force=True)
        history.cleanup()
    return DRAWN_BOARD.sub("", ESCAPES.sub("", shown).replace("\r", "")).rstrip() + "\n"


def renewed(block: re.Match[str], *, quick: bool) -> str:
    """Return the text of a block with its examples run again, except slow ones if `quick`."""
    if block["note"] == "not run" or quick and block["slow"]:
        return block[0]
    run = run_console if block["language"] == "console" else run_session
    return block[0].replace(block["body"], run(block["body"]))


def comparable(text: str) -> str:
    """Return `text` without the parts that differ between runs."""

    def masked(block: re.Match[str]) -> str:
        body = MEASURED.sub("#", block["body"])
        if block["note"] == "varies":
            # The number of moves in a game and its winner differ from run to run.
            commands = [line for line in body.splitlines() if line.startswith((SHELL_PROMPT, SESSION_PROMPT))]
            answers = {VARIABLE.sub("", line) for line in body.splitlines() if line not in commands}
            body = "\n".join([*commands, *sorted(answers)])
        return block[0].replace(block["body"], body)

    return BLOCK.sub(masked, text)


def main() -> int:
    """Renew the examples; return the exit status: 1 for a difference that --check finds."""
    parser = argparse.ArgumentParser(description="renew the examples in README.md")
    parser.add_argument("--check", action="store_true", help="write nothing, show differences and end with 1")
    parser.add_argument("--quick", action="store_true", help="skip the examples marked as slow")
    arguments = parser.parse_args()
    old = README.read_text(encoding="utf-8")
    new = BLOCK.sub(lambda block: renewed(block, quick=arguments.quick), old)
    if not arguments.check:
        README.write_text(new, encoding="utf-8")
        return 0
    before, after = (comparable(text).splitlines(keepends=True) for text in (old, new))
    differences = list(difflib.unified_diff(before, after, "README.md", "what comes now"))
    sys.stdout.writelines(differences)
    return int(bool(differences))
