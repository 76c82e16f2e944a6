"""docs/development/performance.md: each figure beside that of the yardstick in the same run."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from othello_bot import kernel
from othello_bot.base.notation import move_name
from othello_bot.engine import DEFAULT_LEVEL, available_cores

from .edax import EdaxRun
from .measures import HARD_STEP, THREADS_DEPTH, THREADS_HARD_DEPTH, Solutions, ThreadsRun
from .playing import MIDGAME_EMPTIES, MOVE_TIMES_S, Playing
from .yardstick import YardstickRun

INTRODUCTION = """\
# Performance

Written by `scripts/measure performance`; do not edit. The yardstick is a deliberately plain Othello program in C (`-O3
-march=native`): perft and an exact endgame solver without evaluation, stability or parity, on one thread. It runs in
turn with every measurement, so a ratio says more than its seconds: both saw the same machine at the same time.
"""


@dataclass
class PageFigures:
    """All measurements; lists have one entry for each repetition."""

    compiler: str
    yardstick: list[YardstickRun] = field(default_factory=list)
    perft: list[float] = field(default_factory=list)
    small: list[Solutions] = field(default_factory=list)
    signature: int = 0
    rates: list[dict[str, float]] = field(default_factory=list)
    midgame_node: list[float] = field(default_factory=list)
    leaf: list[float] = field(default_factory=list)
    weights_load: list[float] = field(default_factory=list)
    weights_read: list[float] = field(default_factory=list)
    start_up: list[float] = field(default_factory=list)
    python_start: list[float] = field(default_factory=list)
    one_thread: list[Solutions] = field(default_factory=list)
    two_threads: list[Solutions] = field(default_factory=list)
    to_48: list[Solutions] = field(default_factory=list)
    edax: list[EdaxRun] = field(default_factory=list)
    midgame_threads: list[ThreadsRun] = field(default_factory=list)
    apart_s: list[float] = field(default_factory=list)
    programs: list[Playing] = field(default_factory=list)
    whole: Solutions | None = None


def page(measured: PageFigures) -> str:
    """Return the whole page."""
    parts = [
        INTRODUCTION,
        _conditions(measured),
        _figures(measured),
        _positions("FFO #40 to #44, one thread", measured.small, measured.yardstick),
        _threads(measured.one_thread, measured.two_threads),
        midgame_threads(measured.midgame_threads, searched_by_threads()),
        _apart(measured.midgame_threads, measured.apart_s),
    ]
    if measured.programs:
        parts.append(_playing(measured.programs))
    if measured.whole is not None:
        parts.append(_positions("FFO #40 to #59, two threads", [measured.whole], measured.yardstick))
    return "\n".join(parts)


def _conditions(measured: PageFigures) -> str:
    rows = [
        ("date", datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
        ("commit", _commit()),
        ("processor", f"{_processor()}, {_cores()} available"),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("compiler", measured.compiler),
        ("Python", platform.python_version()),
        ("kernel's branch", kernel.BRANCH),
        ("load average, five minutes", f"{os.getloadavg()[1]:.1f}: beyond one or two, others used the machine as well"),
        ("repetitions", f"{len(measured.yardstick)} of the yardstick, the others as given below"),
        ("`othello-bot bench`", f"{measured.signature}"),
    ]
    return _table(("what", "value"), rows)


def _figures(measured: PageFigures) -> str:
    """Return the table of single figures; each is divided by the yardstick's median."""
    perft = [run.perft_s for run in measured.yardstick]
    solve = [run.solve_s for run in measured.yardstick]
    node = [run.solve_s / run.nodes for run in measured.yardstick]
    lines: list[tuple[str, ...]] = []

    def add(name: str, values: Sequence[float], beside: Sequence[float], against: str, unit: float, form: str) -> None:
        if values and beside:
            lines.append(
                (
                    name,
                    form.format(min(values) * unit),
                    form.format(statistics.median(values) * unit),
                    str(len(values)),
                    f"{against}: {form.format(statistics.median(beside) * unit)}",
                    f"{min(values) / min(beside):.2f}",
                    f"{statistics.median(values) / statistics.median(beside):.2f}",
                )
            )

    seconds, ns = "{:.3f} s", "{:.1f} ns"
    add("perft 10, one thread", measured.perft, perft, "yardstick's perft 10", 1, seconds)
    small = [run.seconds for run in measured.small]
    add("FFO #40 to #44, one thread", small, solve, "yardstick's #40 alone", 1, seconds)
    for part in sorted({part for rates in measured.rates for part in rates}):
        per_node = [1 / rates[part] for rates in measured.rates if rates.get(part)]
        add(f"a node of bench, {part}", per_node, node, "a node of the yardstick", 1e9, ns)
    add("a node, full width, midgame", measured.midgame_node, node, "a node of the yardstick", 1e9, ns)
    add("a leaf: its move and its evaluation", measured.leaf, node, "a node of the yardstick", 1e9, ns)
    one = [run.seconds for run in measured.one_thread]
    two = [run.seconds for run in measured.two_threads]
    add("FFO #45 to #49, one thread", one, solve, "yardstick's #40 alone", 1, seconds)
    add("FFO #45 to #49, two threads", two, solve, "yardstick's #40 alone", 1, seconds)
    if one and small:
        to_48 = [sum(entry.result.time_s for entry in run.solved if entry.number < 49) for run in measured.one_thread]
        totals = [first + second for first, second in zip(small, to_48, strict=False)]
        add("FFO #40 to #48, one thread", totals, solve, "yardstick's #40 alone", 1, seconds)
    ours, edax = measured.to_48, measured.edax
    add("FFO #40 to #48 beside Edax", [run.seconds for run in ours], [run.seconds for run in edax], "Edax", 1, seconds)
    of_ours, of_edax = [[run.seconds / run.nodes for run in runs] for runs in (ours, edax)]
    add("a node of FFO #40 to #48", of_ours, of_edax, "a node of Edax", 1e9, ns)
    if measured.whole is not None:
        add("FFO #40 to #59, two threads", [measured.whole.seconds], solve, "yardstick's #40 alone", 1, seconds)
    add("loading the weights", measured.weights_load, measured.weights_read, "reading their file", 1e3, "{:.1f} ms")
    add("from exec to the first reply", measured.start_up, measured.python_start, "Python doing nothing", 1, seconds)
    head = ("figure", "best", "median", "runs", "beside it (median)", "ratio of the best", "ratio of the medians")
    edax_note = "\nEdax has the weights that its command names: search-trials.md says which.\n" if edax else ""
    return (
        "\n## Figures\n\nA ratio below 1 means faster than the figure beside it.\n\n" + _table(head, lines) + edax_note
    )


def _positions(title: str, runs: Sequence[Solutions], yardstick: Sequence[YardstickRun]) -> str:
    """Return the table of one suite: nodes of the first run (the only one with one thread), median of the times."""
    beside = statistics.median(run.solve_s for run in yardstick)
    lines = []
    for index, entry in enumerate(runs[0].solved):
        seconds = statistics.median(run.solved[index].result.time_s for run in runs)
        lines.append(
            (
                f"#{entry.number}",
                str(entry.problem.position.empties),
                move_name(entry.result.move),
                f"{entry.result.score:+d}",
                f"{entry.result.nodes:,}",
                f"{seconds:.3f}",
                f"{entry.result.nodes / seconds / 1e6:.1f}",
                f"{seconds / beside:.2f}",
            )
        )
    nodes, seconds = runs[0].nodes, statistics.median(run.seconds for run in runs)
    total = (
        "all",
        "",
        "",
        "",
        f"{nodes:,}",
        f"{seconds:.3f}",
        f"{nodes / seconds / 1e6:.1f}",
        f"{seconds / beside:.2f}",
    )
    head = (
        "position",
        "empties",
        "move",
        "score",
        "nodes",
        "seconds",
        "million nodes/s",
        "ratio to the yardstick's #40",
    )
    times = f"the median of {len(runs)}" if len(runs) > 1 else "of one run"
    said = f"All scores and moves are right. Times: {times}; each position begins with an empty table."
    return f"\n## {title}\n\n{said}\n\n" + _table(head, [*lines, total])


def _threads(one: Sequence[Solutions], two: Sequence[Solutions]) -> str:
    lines = []
    for index, entry in enumerate(one[0].solved):
        alone = statistics.median(run.solved[index].result.time_s for run in one)
        both = statistics.median(run.solved[index].result.time_s for run in two)
        nodes = statistics.median(run.solved[index].result.nodes for run in two)
        lines.append(
            (
                f"#{entry.number}",
                f"{entry.result.nodes:,}",
                f"{alone:.3f}",
                f"{int(nodes):,}",
                f"{both:.3f}",
                f"{alone / both:.2f}",
            )
        )
    alone = statistics.median(run.seconds for run in one)
    both = statistics.median(run.seconds for run in two)
    nodes = statistics.median(run.nodes for run in two)
    lines.append(("all", f"{one[0].nodes:,}", f"{alone:.3f}", f"{int(nodes):,}", f"{both:.3f}", f"{alone / both:.2f}"))
    head = ("position", "nodes, one thread", "seconds", "nodes, two threads", "seconds", "times faster")
    return f"\n## Two threads against one\n\nMedians of {len(one)} and {len(two)} runs, taken in turn.\n\n" + _table(
        head, lines
    )


def searched_by_threads(with_hard: bool = True) -> str:
    """Say what measures.for_threads() returns. `with_hard`: hard positions are among them."""
    hard = f", and every {HARD_STEP}th of hard-25,\n{THREADS_HARD_DEPTH} plies at 73 %" if with_hard else ""
    return f"Positions of one game, {THREADS_DEPTH} plies at 73 %{hard}"


def midgame_threads(runs: Sequence[ThreadsRun], searched: str) -> str:
    """Return the section on midgame searches by one and more threads: medians, compared with one thread.

    `searched` says which positions, and how deep.
    """
    counts = sorted({run.threads for run in runs})
    groups = {count: [run for run in runs if run.threads == count] for count in counts}
    alone_s = statistics.median(run.seconds for run in groups[counts[0]])
    alone_nodes = statistics.median(run.nodes for run in groups[counts[0]])
    lines = []
    for count, group in groups.items():
        seconds = statistics.median(run.seconds for run in group)
        nodes = statistics.median(run.nodes for run in group)
        idle = [statistics.median(100 * run.idle_s[thread] / run.seconds for run in group) for thread in range(count)]
        busy = sum(100 - share for share in idle) / 100
        lines.append(
            (
                f"{count}",
                f"{seconds:.3f}",
                f"{int(nodes):,}",
                f"{alone_s / seconds:.2f}",
                f"{100 * (nodes / alone_nodes - 1):+.1f} %",
                f"{idle[0]:.0f} %, {min(idle[1:]):.0f} to {max(idle[1:]):.0f} %" if count > 1 else f"{idle[0]:.0f} %",
                f"{busy * alone_nodes / nodes:.1f}",
            )
        )
    head = (
        "threads",
        "seconds",
        "nodes",
        "times faster",
        "more nodes",
        "time without work: first thread, helpers",
        "worth in cores",
    )
    said = (
        f"{searched}, each with an empty table.\n"
        f"Medians of {len(groups[counts[0]])} runs of each, taken in turn. The\n"
        "engine starts no more threads than there are cores, but was forced to here.\n\n"
        "The last column estimates the speed-up if each thread had a core of its own: the share of the time with\n"
        "work, summed over the threads, divided by the growth in nodes. With more threads than cores it is a rough\n"
        "guess, because a thread that waits for a core counts as busy and makes others wait."
    )
    return f"\n## Threads in the midgame\n\n{said}\n\n" + _table(head, lines)


def _apart(runs: Sequence[ThreadsRun], apart_s: Sequence[float]) -> str:
    """Return how the speed of two threads compares with that of two searches that share nothing."""
    alone_s, both_s = (statistics.median(run.seconds for run in runs if run.threads == count) for count in (1, 2))
    most, reached = 2 * alone_s / statistics.median(apart_s), alone_s / both_s
    return (
        "Two searches at once that share nothing are the machine's limit: together, they are "
        f"{most:.2f} times as fast as one\nafter the other. Two threads reach {reached / most:.2f} of that.\n"
    )


def _playing(programs: Sequence[Playing]) -> str:
    """Return what a user notices of each program."""

    def spread(values: Sequence[float], form: str) -> str:
        return f"{form.format(statistics.median(values))} ({form.format(min(values))} to {form.format(max(values))})"

    share, seconds, mib = "{:.1%}", "{:.3f} s", "{:.0f} MiB"
    rows = [
        (f"best moves of hard-25 within {move_s * 1000:.0f} ms", *(spread(it.best[move_s], share) for it in programs))
        for move_s in MOVE_TIMES_S
    ]
    rows += [
        (f"a move of level {DEFAULT_LEVEL} in the midgame", *(spread(it.wait_s, seconds) for it in programs)),
        ("memory after three moves, table of 16 MiB", *(spread(it.session_mib, mib) for it in programs)),
        ("memory after three moves, default options", *(spread(it.default_mib, mib) for it in programs)),
    ]
    said = (
        "Sessions of one thread; each program in turn. Median, least and greatest of "
        f"{len(programs[0].wait_s)} runs. The midgame is that of one\ngame with {MIDGAME_EMPTIES[0]} to "
        f"{MIDGAME_EMPTIES[-1]} empties, its move the mean."
    )
    head = ("figure", *(it.name for it in programs))
    return f"\n## What a user notices\n\n{said}\n\n" + _table(head, rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # no such file on other systems: use the platform module instead
    return platform.processor() or platform.machine()


def _cores() -> str:
    count = available_cores()
    return f"{count} logical processor{'s' if count > 1 else ''}"


def _commit() -> str:
    """Return the checkout's commit, with a plus if files differ from it."""
    root = Path(__file__).resolve().parents[2]
    try:
        commit = _git(root, "rev-parse", "--short", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", "othello_bot")
    except (OSError, subprocess.CalledProcessError):
        return "not known"
    return commit + (" with local changes" if changed else "")


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()
