"""The faults of one part of Python code: drawn by a seed, each tried in a copy of the checkout."""

from __future__ import annotations

import ast
import contextlib
import difflib
import functools
import os
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import cosmic_ray.plugins
from _setup.enter import ROOT
from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_code
from cosmic_ray.work_item import MutationSpec

from _mutants.annotations import Span, idle_spans, is_in, operator_spans
from _mutants.chooser import TestChooser
from _mutants.copies import copy_of_the_checkout
from _mutants.fault import Fault
from _mutants.parts import Part
from _mutants.results import Results, digest_of_files, digest_of_texts
from _mutants.survivors import Survivors
from _mutants.workshop import Workshop


class MutationSession:
    """The faults of one part, drawn by a seed."""

    def __init__(self, folder: Path, name: str, part: Part, count: int, seed: int) -> None:
        self._part = part
        self._tree = folder / "trees" / name
        self._drawn = _drawn(part.files(ROOT), count, seed)
        self._tests = digest_of_files(_test_files(part))
        self._results = Results(folder / f"{name}.json", self._tests)
        self._survivors = Survivors(name)
        self._measurement = folder / f"{name}-measured.json"

    def run(self, processes: int) -> Iterator[tuple[int, int]]:
        """Try the faults that have no result yet; yields how many have one, and how many there are."""
        pending = [mutation for mutation in self._drawn if self._found_by(mutation) is None]
        total = len(self._drawn)
        yield total - len(pending), total
        if not pending:
            return
        free: queue.Queue[Workshop] = queue.Queue()
        with contextlib.ExitStack() as opened, ThreadPoolExecutor(processes) as pool:
            for number in range(processes):
                tree = copy_of_the_checkout(self._tree.with_name(f"{self._tree.name}-{number}"))
                free.put(opened.enter_context(Workshop(tree)))
            chooser = self._measured(free.queue[0])
            for workshop in free.queue:
                workshop.prepare(chooser, self._part.arguments)

            def found_by(mutation: MutationSpec) -> str:
                workshop = free.get()
                try:
                    return workshop.found_by(mutation.module_path, _faulty(mutation), mutation.start_pos[0], chooser)
                finally:
                    free.put(workshop)

            tried = {pool.submit(found_by, mutation): mutation for mutation in pending}
            try:
                for done, future in enumerate(as_completed(tried), total - len(pending) + 1):
                    self._results.keep(_key(tried[future]), future.result())
                    yield done, total
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _measured(self, workshop: Workshop) -> TestChooser:
        """Return which tests run what, from the file that an earlier run wrote, or measured now."""
        files = self._part.files(ROOT)
        state = digest_of_texts(self._tests, *self._part.arguments, digest_of_files(ROOT / file for file in files))
        kept = TestChooser.read(self._measurement, state)
        if kept is None:
            kept = workshop.measured(files, self._part.arguments)
            kept.write(self._measurement, state)
        return kept

    def faults(self) -> list[Fault]:
        """Return the faults in the order of their places."""
        return sorted((self._fault(mutation) for mutation in self._drawn), key=lambda one: one.place)

    def _found_by(self, mutation: MutationSpec) -> str | None:
        """Return what found a fault, "" for nothing, None if it is to be tried: one known as equivalent only once."""
        found_by = self._results.found_by(_key(mutation))
        if found_by is None and self._results.survived_before(_key(mutation)):
            reason = self._survivors.reason(Fault(str(mutation.module_path), "", "", _diff(mutation)))
            return "" if reason.startswith("equivalent") else None
        return found_by

    def _fault(self, mutation: MutationSpec) -> Fault:
        place = f"{mutation.module_path}:{mutation.start_pos[0]}:{mutation.start_pos[1]}"
        found_by = self._found_by(mutation)
        operator = mutation.operator_name.removeprefix("core/")
        return Fault(place, operator, found_by, "" if found_by else _diff(mutation))


def _drawn(files: list[Path], count: int, seed: int) -> list[MutationSpec]:
    spans = {path: idle_spans(ROOT / path) for path in files}
    with _chdir(ROOT):
        mutations = [item.mutations[0] for item in _all_work_items(files, {})]
    lively = [one for one in mutations if not is_in(one.start_pos, spans[one.module_path])]
    operators = {path: operator_spans(ROOT / path) for path in files}
    real = [one for one in lively if "BinaryOperator" not in one.operator_name or _is_binary(one, operators)]
    return sorted(real, key=functools.partial(_lot, seed))[:count]


def _is_binary(mutation: MutationSpec, operators: dict[Path, list[Span]]) -> bool:
    """Return whether a fault is in an operator. The stars of `{**one, **other}` are none: nothing can replace them."""
    return is_in(mutation.start_pos, operators[mutation.module_path])


def _lot(seed: int, mutation: MutationSpec) -> str:
    """Return what orders the faults by lot. It depends on the changed line alone, so other changes leave the draw."""
    line, column = mutation.start_pos
    operator = f"{mutation.operator_name} {sorted(mutation.operator_args.items())}"
    text = _source(mutation.module_path).splitlines()[line - 1]
    return digest_of_texts(str(seed), str(mutation.module_path), text, str(column), operator)


@contextlib.contextmanager
def _chdir(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@functools.cache
def _source(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _faulty(mutation: MutationSpec) -> str:
    """Return the module's text with the fault."""
    operator = cosmic_ray.plugins.get_operator(mutation.operator_name)(**mutation.operator_args)
    text: str | None = mutate_code(_source(mutation.module_path), operator, mutation.occurrence)
    assert text is not None, mutation
    return text


def _diff(mutation: MutationSpec) -> str:
    before, after = _source(mutation.module_path).splitlines(), _faulty(mutation).splitlines()
    return "\n".join(difflib.unified_diff(before, after, lineterm="", n=0))


def _key(mutation: MutationSpec) -> str:
    """Return what tells a fault from others, and from the same one in another version of the module."""
    operator = f"{mutation.operator_name} {sorted(mutation.operator_args.items())} {mutation.occurrence}"
    return digest_of_texts(str(mutation.module_path), _code(mutation.module_path), operator)


@functools.cache
def _code(path: Path) -> str:
    """Return what changes with the code of a module, not with its comments and docstrings."""
    tree = ast.parse(_source(path))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            node.value.value = ""
    return ast.dump(tree)


def _test_files(part: Part) -> list[Path]:
    patterns = [f"{test}/**/*.py" if (ROOT / test).is_dir() else test for test in part.tests]
    return [path for pattern in patterns for path in ROOT.glob(pattern)]
