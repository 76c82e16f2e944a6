"""`othello-bot book`: grow an opening book, keep it in order, show it, and exchange it with other programs."""

from __future__ import annotations

import argparse
import contextlib
import functools
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from othello_bot.base.descriptors import is_standard_output
from othello_bot.base.errors import counted
from othello_bot.base.notation import duration, integer
from othello_bot.base.output import ProgressLine, guarded, report, tell
from othello_bot.base.outputs import OVERWRITE, check_outputs, database, refuse_taken
from othello_bot.book import (
    SHIPPED,
    Book,
    BookError,
    key_of,
    named_lines,
    names_of,
    open_book,
    positions_of,
    shipped_book,
)
from othello_bot.book.store import Store
from othello_bot.book_growing.exchange import export_book, import_book
from othello_bot.book_growing.expansion import Levels, Reach, limits_of
from othello_bot.book_growing.growing import Growth, GrowthProgress, Work, search_all, search_elsewhere
from othello_bot.book_growing.learning_from_games import PlayedOpenings
from othello_bot.book_growing.maintenance import deepening, faults, fixing, learned, merge, prune, statistics
from othello_bot.book_growing.showing import GrowthDisplay, moves_table, position_of_text, statistics_lines
from othello_bot.book_growing.truth import (
    Proof,
    compared,
    drawn_line,
    drawn_line_faults,
    learn_proofs,
    read_proofs,
    score_in,
)
from othello_bot.book_growing.truth import report as comparison_lines
from othello_bot.cluster import Workers
from othello_bot.engine import MAXIMUM_LEVEL, Search, SearchRequest, available_cores
from othello_bot.explorer import games_of
from othello_bot.formats.writing import inputs_of

DEFAULT_HASH_MIB: Final = 128
"""Size of each searcher's transposition table in MiB."""

_Item = TypeVar("_Item")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    kinds = parser.add_subparsers(dest="part", required=True, metavar="ACTION")

    def action(name: str, about: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        declared = kinds.add_parser(name, help=about, description=about, allow_abbrev=False)
        declared.set_defaults(action=run)
        return declared

    grow = action("grow", "Add positions to a book, best-first; a new book begins with the named openings.", _grow)
    _add_file(grow, "the book; a new file is created")
    _add_searching(grow)
    _add_reach(grow)
    grow.add_argument("--positions", type=integer(0), metavar="N", help="end when the book has this many positions")
    learn = action("learn", "Add the openings of games in any format, with how often each move was played.", _learn)
    _add_file(learn, "the book; a new file is created")
    learn.add_argument(
        "games", nargs="+", type=Path, metavar="GAMES", help="files of games, or bases of `othello-bot explore`"
    )
    learn.add_argument("--learned-plies", type=integer(0), default=24, metavar="N", help="plies of a game (default 24)")
    learn.add_argument("--least", type=integer(0), default=1, metavar="N", help="add positions of at least N games")
    _add_searching(learn)
    deepen = action("deepen", "Search again the leaves of a book that were searched at lower levels.", _deepen)
    _add_file(deepen, "the book")
    _add_searching(deepen)
    _add_reach(deepen)
    fix = action("fix", "Search what a book lacks: leaves, and positions after forced passes.", _fix)
    _add_file(fix, "the book")
    _add_searching(fix)
    merging = action("merge", "Add other books of othello-bot to a book.", _merge)
    _add_file(merging, "the book; a new file is created")
    merging.add_argument("others", nargs="+", type=Path, metavar="OTHER", help="the books to add")
    pruning = action("prune", "Remove the positions of a book that are out of reach.", _prune)
    _add_file(pruning, "the book")
    _add_reach(pruning)
    pruning.add_argument("--positions", type=integer(0), metavar="N", help="keep only the N nearest positions")
    check = action("check", "Check a book: the file, its positions, and whether their scores agree.", _check)
    _add_file(check, "the book; default: the shipped one", optional=True)
    show = action("show", "Show the known moves of a position.", _show)
    show.add_argument("position", metavar="POSITION", help="a transcript, or a board of 64 cells and the side to move")
    _add_file(show, "the book; default: the shipped one", optional=True)
    stats = action("stats", "Show how large a book is, and how far it is solved.", _stats)
    _add_file(stats, "the book; default: the shipped one", optional=True)
    truth = action("truth", "Compare scores with the proof that Othello is a draw (docs/opening-book.md).", _truth)
    truth.add_argument("proofs", type=Path, metavar="PROOFS", help="the CSV file of solved positions with 50 empties")
    _add_file(truth, "the book; default: the shipped one", optional=True)
    either = truth.add_mutually_exclusive_group()
    either.add_argument(
        "--search", type=integer(0, MAXIMUM_LEVEL), metavar="LEVEL", help="search positions instead of looking them up"
    )
    either.add_argument("--learn", action="store_true", help="store the proofs as bounds, and add the drawn line")
    truth.add_argument("--sample", type=integer(0), metavar="N", help="compare only N positions, a random sample")
    truth.add_argument("--seed", type=integer(0), default=1, metavar="N", help="seed of the sample (default 1)")
    export = action("export", "Write a book: .book for playing, .dat for Edax, .egbk3 for Egaroucid.", _export)
    _add_file(export, "the book")
    export.add_argument("out", type=Path, metavar="OUT", help="the file to write")
    export.add_argument("--overwrite", action="store_true", help="replace OUT if it exists")
    importing = action("import", "Add a book of Edax (.dat), Egaroucid (.egbk3), WZebra (.cmp), or ours.", _import)
    _add_file(importing, "the book; a new file is created")
    importing.add_argument("source", type=Path, metavar="FROM", help="the file to read")


@guarded("book")
def run(args: argparse.Namespace) -> int:
    """Do it; return 0, 1 if `check` finds a fault or `learn` and `truth` nothing, 2 for an invalid file or argument."""
    try:
        code: int = args.action(args)
    except MemoryError as error:
        raise MemoryError(f"{str(error) or 'not enough memory'}; use a smaller --hash") from error
    return code


def _say(text: str) -> None:
    tell(text.split("\n"))


def _add_file(parser: argparse.ArgumentParser, about: str, optional: bool = False) -> None:
    if optional:
        parser.add_argument("file", type=Path, metavar="FILE", help=about, nargs="?", default=SHIPPED)
    else:
        parser.add_argument("file", type=Path, metavar="FILE", help=about)


def _add_searching(parser: argparse.ArgumentParser) -> None:
    """Declare how to search, and for how long."""
    parser.add_argument("--time", type=duration(None), metavar="TIME", help="end after a time like 2h, 90m or 1h30m")
    parser.add_argument(
        "--threads", type=integer(1, 256), default=1, metavar="N", help="searches at the same time (default 1)"
    )
    parser.add_argument(
        "--level", type=integer(0, MAXIMUM_LEVEL), default=21, help="level of the searches (default 21)"
    )
    parser.add_argument(
        "--early-level", type=integer(0, MAXIMUM_LEVEL), metavar="LEVEL", help="level up to --early-plies"
    )
    parser.add_argument(
        "--early-plies", type=integer(0), default=14, metavar="N", help="last ply of --early-level (default 14)"
    )
    parser.add_argument("--cluster", metavar="ADDRESS", help="search on the Dask cluster with this scheduler")
    parser.add_argument(
        "--hash", type=integer(1, 1 << 20), default=DEFAULT_HASH_MIB, metavar="MIB", help="table of a search in MiB"
    )


def _add_reach(parser: argparse.ArgumentParser) -> None:
    reach = Reach()
    for name, value, about in (
        ("--move-loss", reach.most_loss, "discs that one move may lose"),
        ("--line-loss", reach.line_loss, "discs that the moves of a line may lose together"),
        ("--plies", reach.plies, "depth of the book in plies"),
    ):
        parser.add_argument(name, type=integer(0), default=value, metavar="N", help=f"{about} (default {value})")


def _reach_of(args: argparse.Namespace) -> Reach:
    return Reach(args.move_loss, args.line_loss, args.plies)


def _levels_of(args: argparse.Namespace) -> Levels:
    return Levels(args.level, args.level if args.early_level is None else args.early_level, args.early_plies)


@contextlib.contextmanager
def _written(args: argparse.Namespace, create: bool = False) -> Iterator[Store]:
    """Open the book of a command that writes it, and keep other writers out; create a missing one if `create` is true.
    Raise BookError, BookHeld or OSError.
    """
    path: Path = args.file
    book = Store(str(path), create=True) if create and not path.exists() else open_book(path)
    with book:
        if not isinstance(book, Store):
            expected = "a growing book: `othello-bot book import NEW FILE` converts the file"
            raise BookError("book file", str(path), expected)
        with book.writing(f"`othello-bot book {args.part}`"):
            yield book


def _search(args: argparse.Namespace, work: Work, most_positions: int | None = None) -> GrowthProgress:
    """Search until nothing is left, or an end is reached, or the user interrupts; report it."""
    end_s = None if args.time is None else time.monotonic() + args.time
    last = work.progress

    with GrowthDisplay(here=args.cluster is None) as display:

        def finished(progress: GrowthProgress) -> bool:
            nonlocal last
            last = progress
            display.show(progress)
            enough = most_positions is not None and progress.positions >= most_positions
            return enough or (end_s is not None and time.monotonic() >= end_s)

        try:
            if args.cluster is not None:
                with Workers(cluster=args.cluster) as workers:
                    last = search_elsewhere(work, workers, args.hash, finished)
            else:
                threads = max(1, min(args.threads, available_cores()))
                last = search_all(work, [Search(args.hash) for _ in range(threads)], finished)
        except KeyboardInterrupt:
            last = work.progress
    _say(display.line(last))
    return last


def _grow(args: argparse.Namespace) -> int:
    with _written(args, create=True) as store:
        _name(store)
        wanted = [key_of(position) for line in named_lines() for position in positions_of(line.moves)]
        _search(args, Growth(store, _reach_of(args), _levels_of(args), dict.fromkeys(wanted)), args.positions)
    return 0


def _learn(args: argparse.Namespace) -> int:
    check_outputs({"FILE": args.file}, input=inputs_of(args.games))
    if args.file.exists():
        with _written(args):
            pass  # games may take minutes to read: refuse before them what cannot be written
    played = PlayedOpenings()
    skipped = 0
    reading = ProgressLine(sys.stderr)
    for path in args.games:
        read = functools.partial(_read, path.name)
        for game in reading.count(games_of(path), read):
            if game.record is None:
                reading.clear()
                report(f"{path}, {game.place}: {game.error}", "book learn")
                skipped += 1
            elif not played.add(game.record.game, game.record.known_result, args.learned_plies):
                skipped += 1
    if not played.wanted(args.least) and not (played.games and args.file.exists()):
        least = f" ({played.games} games, --least {args.least})" if played.games else ""
        sys.stderr.write(f"othello-bot book learn: nothing to learn{least}; {args.file} was not changed\n")
        return 1
    with _written(args, create=True) as store:
        _name(store)
        levels = _levels_of(args)
        work = Work(store, lambda graph: learned(graph, played.wanted(args.least), levels))
        _search(args, work)
        played.count(work.graph)
        work.graph.save(store)
    _say(f"{counted(played.games, 'game')} learned, {skipped} skipped")
    return 0


def _deepen(args: argparse.Namespace) -> int:
    with _written(args) as store:
        _search(args, Work(store, lambda graph: deepening(graph, _reach_of(args), _levels_of(args))))
    return 0


def _fix(args: argparse.Namespace) -> int:
    with _written(args) as store:
        _search(args, Work(store, lambda graph: fixing(graph, _levels_of(args))))
    return 0


def _merge(args: argparse.Namespace) -> int:
    check_outputs({"FILE": args.file}, input=args.others)
    others = [open_book(path) for path in args.others]
    with _written(args, create=True) as store:
        _say(f"{counted(merge(store, others), 'position')} added")
    return 0


def _prune(args: argparse.Namespace) -> int:
    with _written(args) as store:
        _say(f"{counted(prune(store, _reach_of(args), args.positions), 'position')} removed, {len(store)} left")
    return 0


def _check(args: argparse.Namespace) -> int:
    with open_book(args.file) as book:
        found = faults(book)
        _say("\n".join(found) if found else f"{counted(len(book), 'position')}, no fault")
    return 1 if found else 0


def _show(args: argparse.Namespace) -> int:
    game = position_of_text(args.position)
    with open_book(args.file) as source, shipped_book() as shipped:
        _say("\n".join(moves_table(source, game, Book([source, shipped]))))
    return 0


def _stats(args: argparse.Namespace) -> int:
    with open_book(args.file) as book:
        _say("\n".join(statistics_lines(statistics(book))))
    return 0


def _truth(args: argparse.Namespace) -> int:
    proofs = read_proofs(args.proofs)
    if not proofs:
        sys.stderr.write(f"othello-bot book truth: no position in {args.proofs}\n")
        return 1
    if args.sample is not None and args.sample < len(proofs):
        proofs = random.Random(args.seed).sample(proofs, args.sample)
    if args.search is not None:
        search, limits = Search(DEFAULT_HASH_MIB), limits_of(args.search)
        comparisons = compared(proofs, lambda position: search.answer(SearchRequest(position, limits)).score)
        every = counted(len(proofs), "position")
        searched = _until_interrupted(comparisons, lambda count: f"{count} of {every} searched")
        _say("\n".join(comparison_lines(searched)))
        return 0
    if args.learn:
        _learn_truth(args, proofs)
    with open_book(args.file) as source:
        book = Book([source])
        _say("\n".join(comparison_lines(compared(proofs, score_in(book)))))
        known, contradicted = drawn_line_faults(book)
        summary = f"{counted(known, 'position')} of the drawn line known, {len(contradicted)} contradicted"
        _say("\n".join([summary, *contradicted]))
    return 0


def _learn_truth(args: argparse.Namespace, proofs: list[Proof]) -> None:
    """Add the drawn line to a book, by searches of the default level, and what is proven as bounds."""
    check_outputs({"FILE": args.file}, input=[args.proofs])
    with _written(args) as store:
        keys = [key_of(position) for position in drawn_line()]
        work = Work(store, lambda graph: learned(graph, keys, Levels()))
        search_all(work, [Search(DEFAULT_HASH_MIB)], lambda progress: False)
        narrower = learn_proofs(work.graph, proofs)
        work.graph.save(store)
    _say(f"bounds of {counted(narrower, 'position')} narrowed")


def _read(name: str, count: int) -> str:
    return f"{counted(count, 'game')} of {name} read"


def _until_interrupted(items: Iterable[_Item], what: Callable[[int], str]) -> Iterator[_Item]:
    """Yield items that take their time, counted on a terminal, until the user interrupts."""
    try:
        yield from ProgressLine(sys.stderr).count(items, what)
    except KeyboardInterrupt:
        report("interrupted", "book")


def _export(args: argparse.Namespace) -> int:
    check_outputs({"OUT": args.out}, book=database(args.file))
    refuse_taken(args.out, overwrite=args.overwrite, word=OVERWRITE)
    with open_book(args.file) as book:
        told = f"{counted(export_book(book, args.out), 'position')} written"
    report(told, "book") if is_standard_output(args.out) else _say(told)
    return 0


def _import(args: argparse.Namespace) -> int:
    check_outputs({"FILE": args.file}, input=[args.source])
    with _written(args, create=True) as store:
        _say(f"{counted(import_book(store, args.source), 'position')} added, {len(store)} in the book")
    return 0


def _name(store: Store) -> None:
    """Name the openings of a book that has no names."""
    if not store.names():
        with store.transaction():
            for key, name in names_of(named_lines()).items():
                store.put_name(key, name)
