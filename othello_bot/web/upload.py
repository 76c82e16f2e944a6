"""Reading an upload in a process of its own, so that no tab waits for it and it can be ended at any moment.

In a thread it would hold Python's lock most of the time: moves, and the end of the server, would wait for it. Run as a
program, this module reads an upload on stdin and writes the reply to stdout.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, Final

from othello_bot.base.errors import InputError

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
        return _error(f"the upload takes more than {longest_s:g} s to read; othello-bot convert has all the time")
    finally:
        if process.returncode is None:
            process.kill()
    try:
        reply: dict[str, Any] = json.loads(said)
    except ValueError:
        return _error("the upload could not be read")
    return reply


def main() -> None:
    """Read an upload on stdin, write the reply to stdout."""
    from othello_bot.base import posix
    from othello_bot.web.writing import listed  # imported here: the server never needs it

    posix.yield_to_others(MOST_MIB)
    try:
        reply = listed(sys.stdin.buffer.read())
    except InputError as error:
        reply = _error(str(error))
    except MemoryError:
        reply = _error("not enough memory for the games of the upload")
    sys.stdout.write(json.dumps(reply))


def _error(text: str) -> dict[str, Any]:
    return {"kind": "error", "text": text}  # not a status: browsers note those as errors


if __name__ == "__main__":
    main()
