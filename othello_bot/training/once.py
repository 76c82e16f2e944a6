"""Tasks whose results are saved while a step runs, so that a killed step does not compute them again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from othello_bot.cluster import Arguments, Workers
from othello_bot.training.progress import shown
from othello_bot.training.unfinished import Unfinished


def _numbered(number: int, task: Callable[..., Any], these: Arguments) -> Any:
    return task(*these)


def each_once(
    workers: Workers,
    task: Callable[..., Any],
    arguments: Sequence[Arguments],
    title: str,
    unfinished: Unfinished,
    mark: str,
) -> list[Any]:
    """Return the results of `task` for each of the arguments, in order, as JSON returns them.

    Save every result as it comes, and reuse those of an `unfinished` run with the same `mark` (see fingerprint()). The
    caller removes the file once what it makes of the results is safe.
    """
    state = unfinished.load(mark)
    results: dict[str, Any] = {} if state is None else json.loads(str(state["results"]))
    missing = [(number, task, these) for number, these in enumerate(arguments) if str(number) not in results]
    ended = workers.each(_numbered, missing)
    for (number, *_), result in shown(ended, len(arguments), title, len(results)):
        results[str(number)] = result
        unfinished.save(mark, {"results": np.array(json.dumps(results))})
    return [results[str(number)] for number in range(len(arguments))]
