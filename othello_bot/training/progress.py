"""Progress bars of long steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

Item = TypeVar("Item")


def shown(items: Iterable[Item], total: int, title: str, done: int = 0) -> Iterator[Item]:
    """Yield the items and show on stderr how many of `total` have come, `done` of them before.

    If stderr is a file, write a single line at the end.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=total, completed=done)
        count = done
        for item in items:
            count += 1
            progress.advance(task)
            yield item
    if not console.is_terminal:
        console.print(f"{title}: {count} of {total}", highlight=False)
