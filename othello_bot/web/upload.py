"""Reading an upload in a process of its own, so that no tab waits for it and it can be ended at any moment.

In a thread it would hold Python's lock most of the time: moves, and the end of the server, would wait for it. Run as a
program, this module reads an upload on stdin and writes the reply to stdout.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, Final

from othello_bot.base.errors import SHOWN_COLUMNS, FormatError, InputError
from othello_bot.base.visible import visible

MOST_MIB: Final = 2048
"""Memory that the process may have, in MiB."""

COMMAND: Final = (sys.executable, "-m", "othello_bot.web.upload")


async def games_of_upload(body: bytes, longest_s: float) -> dict[str, Any]:
    """Return the reply to an upload: its games, or an error, also if it takes longer than `longest_s` seconds."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(body), longest_s)
    except asyncio.TimeoutError:
        text = f"the upload takes more than {longest_s:g} s to read; othello-bot convert has no time limit"
        return {**error(text, "slow"), "seconds": longest_s}
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()  # until nothing of it is left that would outlive the event loop
    try:
        reply: dict[str, Any] = json.loads(said)
    except ValueError:
        return error("the upload could not be read", "unread")
    return reply


def main() -> None:
    """Read an upload on stdin, write the reply to stdout."""
    from othello_bot.base import posix

    posix.yield_to_others(MOST_MIB)
    sys.stdout.write(json.dumps(reply_to(sys.stdin.buffer.read())))


def reply_to(body: bytes) -> dict[str, Any]:
    """Return the reply to an upload: its games, or an error."""
    from othello_bot.web.writing import listed  # imported here: the server never needs it

    try:
        reply = listed(body)
        if not reply["games"]:
            forms = "transcripts, GGF, SGF, PGN, WTHOR, OBF and games of Othello Quest"
            reply = error(f"there is no game in it; accepted: {forms}", "empty")
    except InputError as wrong:
        reply = invalid(wrong)
    except MemoryError:
        reply = error("not enough memory for the games of the upload", "memory")
    return reply


def error(text: str, code: str) -> dict[str, Any]:
    """Return a reply that says what is wrong; the page has the words for each code in its languages."""
    return {"kind": "error", "code": code, "text": text}  # not a status: browsers note those as errors


def invalid(error_of_input: InputError) -> dict[str, Any]:
    """Return the reply to invalid input: the message, and what it consists of."""
    value, expected = str(error_of_input.value), error_of_input.expected
    reply = {**error(str(error_of_input), "input"), "value": visible(value, SHOWN_COLUMNS), "expected": expected}
    if isinstance(error_of_input, FormatError):
        reply |= {"what": error_of_input.what, "where": error_of_input.where}
    return reply


if __name__ == "__main__":
    main()
