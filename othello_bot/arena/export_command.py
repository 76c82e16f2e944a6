"""`othello-bot match export STORE --form FORM`: the games of the matches in a store, for other programs."""

from __future__ import annotations

import argparse
from pathlib import Path

from othello_bot.arena.display import write
from othello_bot.arena.export import FORMS, export
from othello_bot.arena.store_arguments import add_store_arguments, chosen_matches, guarded
from othello_bot.files import whole_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Write the games of the matches in a store."
    add_store_arguments(parser)
    parser.add_argument("--form", choices=tuple(FORMS), required=True, help="the format")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write (standard output)")


@guarded("match export")
def run(args: argparse.Namespace) -> int:
    """Write the games; return 0, 1 for an unusable file, 2 for a match that is not in the store."""
    with chosen_matches(args) as (store, matches):
        if args.output is None:
            for match in matches:
                for text in export(store, match, args.form):
                    write(text)
        else:
            with whole_file(args.output) as file:
                for match in matches:
                    file.writelines(text.encode() for text in export(store, match, args.form))
    return 0
