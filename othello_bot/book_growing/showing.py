"""What a book says about a position, and about itself, as text."""

from __future__ import annotations

from othello_bot.base.notation import move_name
from othello_bot.base.visible import table_lines
from othello_bot.book import Book, Key, Source, key_of
from othello_bot.book_growing.maintenance import Statistics, line_text
from othello_bot.rules import Game, Position, PositionError


def position_of_text(text: str) -> Game:
    """Return the game of a transcript, or one that begins at a board; raise InputError."""
    try:
        return Game(Position.parse(text))
    except PositionError:
        return Game.from_transcript(text)


def moves_table(source: Source, game: Game, named: Book) -> list[str]:
    """Return a table of the moves that a book knows in a position, best first, with the opening's name and the games.

    `named` is the book that knows the names of the openings.
    """
    position = game.position
    book = Book([source])
    entry = book.entry(position)
    name = named.opening_name(game)
    head = [f"opening: {name}"] if name else []
    if entry is None:
        return [*head, "the book does not have this position"]
    bounds = "proven" if entry.exact else f"proven {entry.lower:+d} to {entry.upper:+d}"
    games = f"games {entry.won} won, {entry.drawn} drawn, {entry.lost} lost"
    head.append(f"score {entry.score:+d}, {bounds}, level {entry.level}, {games}")
    if not entry.scored:
        return [*head, "the game is over"]
    known: dict[Key, int] = {}
    rows = [("move", "score", "depth", "lines", "games", "")]
    for move in book.lookup(position):
        after = position.play(move.move)
        lines = str(lines_after(source, after, known)) if move.leads_on else "-"
        note = named.name(after) or ("" if move.leads_on else "not in the book")
        rows.append((move_name(move.move), f"{move.score:+d}", move.reached(), lines, str(move.games), note))
    return [*head, *table_lines(rows, left=(0, 5))]


def lines_after(source: Source, position: Position, known: dict[Key, int]) -> int:
    """Return the number of lines that begin at a position; `known` has those that were counted before."""
    key = key_of(position)
    if key in known:
        return known[key]
    entry = source.find(key)
    if entry is None:
        known[key] = 1
        return 1
    after = [Position(*key).play(move.move) for move in entry.moves]
    count = sum(lines_after(source, one, known) for one in after) + (entry.leaf is not None)
    known[key] = max(1, count)
    return known[key]


def statistics_lines(statistics: Statistics) -> list[str]:
    """Return the statistics of a book as text."""
    share = f"{statistics.solved_lines} of {statistics.lines}" if statistics.lines else "no"
    found = [
        f"positions          {statistics.positions}",
        f"proven scores      {statistics.proven}",
        f"leaves to search   {statistics.pending}",
        f"leaves not proven  {statistics.leaves}",
        f"grade              {statistics.grade} ({share} lines near best play end in a proven score)",
    ]
    if statistics.start is not None:
        found.append(f"score of the start {statistics.start.score:+d}")
        found.append(f"best play          {line_text(statistics.best_line)}")
    by_ply = " ".join(f"{ply}:{count}" for ply, count in statistics.by_ply.items())
    return [*found, f"positions by ply   {by_ply}"]
