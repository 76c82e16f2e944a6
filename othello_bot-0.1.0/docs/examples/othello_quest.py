#!/usr/bin/env python3
"""Fetch a player's last games from Othello Quest into a file that every command reads.

    python docs/examples/othello_quest.py NAME quest.json
    othello-bot review quest.json

It asks for one game a second. NAME is the account as the app shows it; what other people play is public there, too.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.request
from typing import Any
from urllib.parse import quote

KINDS = {"5min": "reversi", "1min": "reversi1", "xot": "reversix"}
LARGEST_ANSWER = 1 << 22


def fetched(address: str) -> Any:
    """Return the JSON at an address. Raise OSError if it does not answer, ValueError if that is no JSON."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        return json.loads(answer.read(LARGEST_ANSWER))


def main() -> int:
    """Read the command line and fetch; return the exit status."""
    parser = argparse.ArgumentParser(description="fetch a player's last games from Othello Quest")
    parser.add_argument("name", help="the account")
    parser.add_argument("file", help="the file to write; it must not exist")
    parser.add_argument("--kind", choices=KINDS, default="5min", help="games of five minutes, of one, or XOT")
    parser.add_argument("--server", default="http://questgames.net", help="the server's address")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two games (default 1)")
    args = parser.parse_args()
    done = 0
    try:
        games = fetched(f"{args.server}/games/{KINDS[args.kind]}/{quote(args.name.lower(), safe='')}.json")["games"]
        with open(args.file, "x", encoding="utf-8") as file:
            for game in games:
                file.write(json.dumps(fetched(f"{args.server}/game/{quote(str(game['id']), safe='')}.json")) + "\n")
                done += 1
                time.sleep(args.pause)
    except (OSError, ValueError, LookupError, TypeError) as error:
        print(f"othello_quest: {type(error).__name__}: {error}; {done} games written", file=sys.stderr)
        return 1
    print(f"{done} games written to {args.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
