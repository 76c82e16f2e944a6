"""The first inputs of each target: texts that the tests send and expect, if they suit the target."""

from __future__ import annotations

import functools
import hashlib
import importlib
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from _fuzz.targets import Target
from othello_bot.book.compact import to_bytes
from othello_bot.book.opening import format_name, named_lines
from othello_bot.book.store import Store
from othello_bot.book_growing import exchange
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.growing import START
from othello_bot.evaluation import weights
from othello_bot.kernel import patterns
from tests.book import books
from tests.book_growing import test_truth, test_wzebra
from tests.parsers import WORDS, Parser

MODULES: Final = (
    *("protocol.test_analysis", "protocol.test_cassio_text", "base.test_clocks"),
    *("protocol.test_gtp_conversation", "protocol.test_nboard_conversation", "protocol.test_cassio_conversation"),
    *("protocol.test_gtp_grammar", "protocol.test_nboard_text", "base.test_notation", "protocol.test_wire"),
    "protocol.test_ggs",
    *("dialects.test_conformance", "dialects.test_nboard", "dialects.test_cassio", "dialects.test_hosts"),
    *("engine.test_options", "dialects.test_properties", "dialects.test_play_as", "arena.test_settings"),
    *(
        "arena.test_time_control",
        "arena.test_openings",
        *("formats.samples", "formats.test_ggf", "formats.test_sgf", "formats.test_pgn", "formats.test_games"),
        *("formats.test_positions", "formats.test_transcripts", "formats.test_quest", "formats.test_reading"),
        "formats.test_xof",
    ),
    *("rules.test_game", "rules.test_position", "book.test_names", "book.test_book", "strategies.test_registry"),
)
"""The tests whose tables and texts are used."""

REFUSED: Final = 30
"""Number of refused inputs among the seeds: nearly valid inputs find the most bugs."""

TAKEN: Final = 600
"""Most accepted inputs among the seeds; some parsers accept nearly everything."""

LONGEST: Final = 3000


def plant(target: Target, folder: Path) -> None:
    """Write the seeds of a target into its folder; existing files stay."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        path = folder / hashlib.sha1(seed, usedforsecurity=False).hexdigest()
        if not path.exists():
            path.write_bytes(seed)


def seeds(target: Target) -> list[bytes]:
    """Return the seeds of a target."""
    if target.parser is not None:
        return list(of_parser(target.parser))
    texts = [text for text in pool() if "\n" in text or target.name == "lines"]
    if target.name.startswith("replies"):
        texts += ["\n".join(_said(text)) for text in texts]
    elif target.name.startswith("session"):
        texts += ["\n".join(_sent(text)) for text in texts]
    return [text.encode("utf-8", "surrogateescape") for text in texts if len(text) < LONGEST]


def of_parser(parser: Parser) -> Iterator[bytes]:
    """Yield the seeds of a parser, which reads each text of the pool to decide."""
    counts = {True: 0, False: 0}
    for data in (*(_binaries() if parser.raw else ()), *map(_encoded, pool())):
        try:
            taken = parser.check(data if parser.raw else data.decode("utf-8", "surrogateescape"))
        except Exception:  # noqa: BLE001 - a finding already: the worker will meet it and say so
            taken = True
        counts[taken] += 1
        if counts[taken] <= (TAKEN if taken else REFUSED):
            yield data


def valid_inputs(parser: Parser) -> list[bytes]:
    """Return accepted seeds of a parser, long ones and different ones first."""
    accepted = []
    for data in (*(_binaries() if parser.raw else ()), *map(_encoded, pool())):
        try:
            # A reader of games accepts a text without any.
            if parser.read(data if parser.raw else data.decode("utf-8", "surrogateescape")):
                accepted.append(data)
        except Exception:  # noqa: BLE001 - refused, or a finding, but not of this measurement
            continue
    accepted.sort(key=len, reverse=True)
    step = max(1, len(accepted) // 12)
    return accepted[::step][:12]


def _said(dialogue: str) -> list[str]:
    """Return what the engine sends in a dialogue of the conversation tests."""
    return [line.strip()[1:].strip() for line in dialogue.splitlines() if line.strip().startswith("<")]


def _sent(dialogue: str) -> list[str]:
    """Return what is sent in a dialogue of the conformance tables."""
    return [line.strip()[1:].strip() for line in dialogue.splitlines() if line.strip().startswith(">")]


@functools.cache
def pool() -> tuple[str, ...]:
    """Return all texts of the tests, whole and line by line, with and without the first word, in a fixed order."""
    found: dict[str, None] = dict.fromkeys(WORDS)
    for name in MODULES:
        for text in _texts_of(importlib.import_module(f"tests.{name}")):
            for part in (text, *text.splitlines()):
                plain = part.strip().lstrip("<>").strip()
                for variant in (part, plain, plain.partition(" ")[2], plain.rpartition(" ")[2]):
                    if len(variant) < LONGEST:
                        found[variant] = None
    found["\n".join(map(format_name, named_lines()[:40]))] = None
    for question in ("opening", "move", "values", "review", "text"):
        found[f'{{"id": 1, "do": "{question}", "moves": "f5", "level": 2, "format": "ggf"}}'] = None
    found["hashing+completion=12+aspiration"] = None
    found[f"{test_truth.HEAD}{test_truth.ROW},-64,0\n{test_truth.ROW},0,64\n"] = None
    return tuple(found)


def _texts_of(module: ModuleType) -> Iterator[str]:
    for name, value in sorted(vars(module).items()):
        if not name.startswith("__"):
            yield from _texts(value)
            for mark in getattr(value, "pytestmark", ()):
                yield from _texts(mark.args)
            if getattr(value, "__module__", "") == module.__name__ and hasattr(value, "__code__"):
                yield from _constants(value.__code__)


def _constants(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _constants(constant)
        else:
            yield from _texts(constant)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "surrogateescape")
    elif isinstance(value, dict):
        yield from _texts(list(value.items()))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _texts(item)


def _binaries() -> Iterable[bytes]:
    """Return files of the binary formats: small, whole, and damaged ones."""
    header = bytes([20, 24, 1, 2])
    games = header + (2).to_bytes(4, "little") + b"\0\0" + (2024).to_bytes(2, "little") + bytes([8, 0, 22, 0])
    moves = bytes([56, 64, 33]).ljust(60, b"\0")
    record = bytes(6) + bytes([40, 33]) + moves
    names = header + bytes(4) + (2).to_bytes(2, "little") + bytes([0, 0, 8, 0, 0, 0])
    yield games + record + record
    yield games + record
    yield names + b"Rose".ljust(20, b"\0") + b"Tulip".ljust(20, b"\0")
    yield names + b"Open".ljust(26, b"\0") + b"Cup".ljust(26, b"\0")
    yield names
    stages = [0] * 61
    yield from _books()
    for entries in (4, patterns.FINGERPRINT % 50):
        yield weights.to_bytes(stages, bytes(2 * entries))
    yield weights.to_bytes([count // 31 for count in range(61)], bytes(16))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _books() -> Iterable[bytes]:
    """Return small books in every binary format, whole and damaged."""
    graph = books.lines("f5d6c3", "f5f6")
    compact = to_bytes(books.entries(graph), {START: "Start"})
    wzebra = test_wzebra.written(test_wzebra.SMALL)
    for content in (compact, exchange.write_edax(graph), exchange.write_egaroucid(graph), wzebra, _growing(graph)):
        yield content
        yield content[:-1]


def _growing(graph: Graph) -> bytes:
    """Return a growing book as it is in its file, in small pages: an input has no room for many large ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "my.book"
        with Store(str(path), create=True) as store:
            graph.save(store)
        with sqlite3.connect(path) as database:
            for statement in ("PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"):
                database.execute(statement)
        database.close()
        return path.read_bytes()
