"""The registry: strategies by name, for sessions, the arena and the command line.

A strategy is selected by a spec `name[:depth[:more]]`. The depth is in plies and only for strategies that search;
`more` is a list of settings joined by `+`, each a word or `word=value`:

    random   weighted   iago   iago:3   alphabeta:4:weighted   mini-othello:4:end=12+win
    textbook:5:iterative-deepening+hashing
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.errors import InputError, parsed, shown
from othello_bot.base.notation import PASS, parse_integer
from othello_bot.rules import Position
from othello_bot.strategies.board import Strategy, engine_square, from_position, get_move, legal_moves
from othello_bot.strategies.evaluations import EVALUATIONS, STATIC_ORDER, Evaluation
from othello_bot.strategies.iago import iago
from othello_bot.strategies.marappan import ALGORITHMS, Marappan, points
from othello_bot.strategies.mini_othello import BRUTE_FORCE_EMPTIES, MiniOthello, heuristic
from othello_bot.strategies.searchers import (
    DEFAULT_REPLIES,
    Interrupted,
    ThinkAhead,
    alpha_beta_searcher,
    interruptible,
    killer_searcher,
    maximizer,
    minimax_searcher,
    random_strategy,
    sorted_searcher,
    static_order_searcher,
)
from othello_bot.strategies.techniques import SWITCHES, TextbookSearcher, parse_switches

MAXIMUM_DEPTH: Final = 60
"""Largest depth in plies; no game is longer."""

DEFAULT_DEPTH: Final = 3
"""Default depth in plies of a searching strategy."""

DEFAULT_BUDGET_MS: Final = 1000
"""Default time of a move with iterative deepening limited in time."""

SpecSettings = Mapping[str, str]
"""The settings of a spec: word to value; a word without a value has an empty one."""

_EVALUATIONS: Final[dict[str, Evaluation]] = {**EVALUATIONS, "mini-othello": heuristic, "marappan": points}
"""The evaluations available to searchers by name."""


class StrategyError(InputError):
    """An invalid strategy spec; the message says what would be accepted."""

    def __init__(self, spec: str, expected: str, part: str = "") -> None:
        super().__init__("strategy", spec, expected)
        if part:  # such as a setting, with its value
            self.expected = f"{expected} ({part})"
            self.args = (f"strategy {shown(spec)}: {part}: expected {expected}",)


@dataclass(frozen=True)
class StrategyEntry:
    """A registered strategy: its description, whether it takes a depth, its settings, and how to make it."""

    summary: str
    make: Callable[[int, SpecSettings, int], Strategy]
    searches: bool = True
    settings: Mapping[str, str] = field(default_factory=dict)


def _maximizer_entry(summary: str, evaluate: Evaluation) -> StrategyEntry:
    return StrategyEntry(summary, lambda depth, settings, seed: maximizer(evaluate), searches=False)


def _searcher_entry(summary: str, make: Callable[[int, Evaluation], Strategy]) -> StrategyEntry:
    """Return the entry of a searcher that takes the name of an evaluation; default: modified weighted squares."""

    def build(depth: int, settings: SpecSettings, seed: int) -> Strategy:
        return make(depth, _EVALUATIONS[next(iter(settings), "modified")])

    return StrategyEntry(summary, build, settings=dict.fromkeys(_EVALUATIONS, "the evaluation to search with"))


def _make_random(depth: int, settings: SpecSettings, seed: int) -> Strategy:
    return random_strategy(seed)


def _make_iago(depth: int, settings: SpecSettings, seed: int) -> Strategy:
    return iago(depth)


def _make_mini_othello(depth: int, settings: SpecSettings, seed: int) -> Strategy:
    end = _number("end", settings.get("end", ""), BRUTE_FORCE_EMPTIES)
    return MiniOthello(depth, end, win_only="win" in settings, quiescence="quiescence" in settings)


def _make_marappan(depth: int, settings: SpecSettings, seed: int) -> Strategy:
    return Marappan(depth, next(iter(settings), ALGORITHMS[-1]))


def _make_textbook(depth: int, settings: SpecSettings, seed: int) -> Strategy:
    evaluate = _EVALUATIONS[next((word for word in settings if word in _EVALUATIONS), "modified")]
    searcher = TextbookSearcher(
        depth,
        evaluate,
        parse_switches({word: value for word, value in settings.items() if word in SWITCHES}),
        budget_s=_number("budget", settings["budget"], DEFAULT_BUDGET_MS) / 1000 if "budget" in settings else None,
        seed=seed,
    )
    if "think-ahead" not in settings:
        return searcher
    return ThinkAhead(searcher, evaluate, _number("think-ahead", settings["think-ahead"], DEFAULT_REPLIES))


_ENTRIES: Final[dict[str, StrategyEntry]] = {
    "random": StrategyEntry("any legal move", _make_random, searches=False),
    "difference": _maximizer_entry("takes the most discs now", EVALUATIONS["difference"]),
    "weighted": _maximizer_entry("takes the best weighted squares now", EVALUATIONS["weighted"]),
    "modified": _maximizer_entry("weighted squares that know taken corners", EVALUATIONS["modified"]),
    "mobility": _maximizer_entry("takes what leaves it the most moves", EVALUATIONS["mobility"]),
    "potential-mobility": _maximizer_entry(
        "takes what leaves it the most empty squares beside opposing discs", EVALUATIONS["potential-mobility"]
    ),
    "minimax": _searcher_entry("looks at every line of play", minimax_searcher),
    "alphabeta": _searcher_entry("minimax without the lines that cannot matter", alpha_beta_searcher),
    "static": _searcher_entry("alpha-beta that tries heavy squares first", static_order_searcher),
    "sorted": _searcher_entry("alpha-beta that tries well evaluated moves first", sorted_searcher),
    "killer": _searcher_entry("alpha-beta with killer moves and recycled boards", killer_searcher),
    "iago": StrategyEntry("Norvig's Iago: mobility, potential mobility and edge stability", _make_iago),
    "mini-othello": StrategyEntry(
        "Li and Radichkov's Mini-Othello",
        _make_mini_othello,
        settings={
            "end": f"empty squares from which it searches to the end, {BRUTE_FORCE_EMPTIES} by default",
            "win": "in the end only the win counts, not the margin",
            "quiescence": "looks further where corners are traded",
        },
    ),
    "marappan": StrategyEntry(
        "Marappan and Hingorani's Reversi",
        _make_marappan,
        settings=dict.fromkeys(ALGORITHMS, "its algorithm"),
    ),
    "textbook": StrategyEntry(
        "alpha-beta with the textbook techniques as switches",
        _make_textbook,
        settings={
            **SWITCHES,
            "budget": f"milliseconds for a move with iterative deepening, {DEFAULT_BUDGET_MS} by default",
            "think-ahead": f"replies to prepare for while a person thinks, {DEFAULT_REPLIES} by default",
            **dict.fromkeys(_EVALUATIONS, "the evaluation to search with"),
        },
    ),
}

_WITH_VALUE: Final = frozenset({"end", "budget", "think-ahead", "aspiration", "completion"})
_EXCLUSIVE: Final = (frozenset(_EVALUATIONS), frozenset(ALGORITHMS))
"""Settings of which a spec may name at most one."""


def names() -> tuple[str, ...]:
    """Return the names of all strategies, the simple ones first."""
    return tuple(_ENTRIES)


def describe(name: str) -> str:
    """Return a one-line description of a strategy; raise StrategyError for an unknown name."""
    entry = _entry(name, name)
    depth = f"; depth in plies, {DEFAULT_DEPTH} by default" if entry.searches else ""
    return f"{entry.summary}{depth}"


def explain_settings(name: str) -> list[tuple[str, str]]:
    """Return the settings of a strategy as a user writes them, each with its effect; alternatives are joined.

    Raise StrategyError for an unknown name.

    >>> explain_settings("marappan")
    [('minimax, alpha-beta', 'its algorithm')]
    >>> explain_settings("mini-othello")[0]
    ('end=N', 'empty squares from which it searches to the end, 14 by default')
    """
    kinds: dict[str, list[str]] = {}
    for word, text in _entry(name, name).settings.items():
        kinds.setdefault(text, []).append(f"{word}=N" if word in _WITH_VALUE else word)
    return [(", ".join(words), text) for text, words in kinds.items()]


def searches(spec: str) -> bool:
    """Return whether the strategy of a spec takes a depth; raise StrategyError for an unknown name."""
    return _entry(spec.split(":")[0], spec).searches


def with_depth(spec: str, depth: int) -> str:
    """Return the spec with this depth, if its strategy takes one and the spec does not already set it.

    >>> with_depth("iago", 4), with_depth("iago:2", 4), with_depth("random", 4)
    ('iago:4', 'iago:2', 'random')
    """
    name, *rest = spec.split(":")
    if not _entry(name, spec).searches or (rest and rest[0]):
        return spec
    return ":".join([name, str(depth), *rest[1:]])


def make(spec: str, seed: int = 0) -> Strategy:
    """Return the strategy of a spec; `seed` is for those that choose at random.

    Raise StrategyError, which says what would be accepted, for an invalid spec.
    """
    name, _, rest = spec.strip().partition(":")
    name = name.strip()
    depth_text, _, settings_text = rest.partition(":")
    entry = _entry(name, spec)
    if not entry.searches and rest:
        raise StrategyError(spec, f"{name} alone, it does not search")
    try:
        depth = _number("depth", depth_text, DEFAULT_DEPTH, 1, MAXIMUM_DEPTH)
        return entry.make(depth, _settings(entry, settings_text), seed)
    except ValueError as error:
        part, _, expected = str(error).rpartition(": expected ")
        raise StrategyError(spec, expected, part) from error


def _entry(name: str, spec: str) -> StrategyEntry:
    """Return the entry of a name; raise StrategyError for an unknown one."""
    entry = _ENTRIES.get(name.strip())
    if entry is None:
        raise StrategyError(spec, f"one of {', '.join(_ENTRIES)}")
    return entry


def _settings(entry: StrategyEntry, text: str) -> dict[str, str]:
    """Return the settings of a spec; raise ValueError for unknown or contradictory ones."""
    found: dict[str, str] = {}
    for part in filter(None, text.split("+")):
        word, equals, value = part.partition("=")
        if word not in entry.settings:
            known = ", ".join(entry.settings) or "no settings"
            raise ValueError(f"setting {shown(word)}: expected {known}")
        if equals and (word not in _WITH_VALUE or not value):
            form = f"{word}=number" if word in _WITH_VALUE else f"{word} alone"
            raise ValueError(f"setting {shown(part)}: expected {form}")
        found[word] = value
    for group in _EXCLUSIVE:
        clash = [word for word in found if word in group]
        if len(clash) > 1:
            raise ValueError(f"settings {' and '.join(clash)}: expected one of them")
    return found


def _number(what: str, text: str, default: int, low: int = 0, high: int = 10**9) -> int:
    """Return the number in a text, or the default for an empty one; raise ValueError for any other text."""
    return parsed(lambda word: parse_integer(word, low, high), text, InputError, what) if text else default


def choose(strategy: Strategy, position: Position, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Return the strategy's move in a position as the engine represents it: a square 0..63, or PASS without a legal
    move.

    A search calls `should_stop` at every board. Once it returns true, the move is that of the last complete round if
    the strategy uses deepening, and otherwise the legal move to the heaviest square.

    Raise IllegalStrategyMove, which names the player and the square, if the strategy breaks the rules.

    >>> from othello_bot.base.notation import square_name
    >>> from othello_bot.strategies.registry import make
    >>> square_name(choose(make("weighted"), Position.start()))
    'd3'
    """
    player, board = from_position(position)
    if not legal_moves(player, board):
        return PASS
    try:
        with interruptible(should_stop):
            return engine_square(get_move(strategy, player, board))
    except Interrupted:
        return engine_square(legal_moves(player, board, STATIC_ORDER)[0])
