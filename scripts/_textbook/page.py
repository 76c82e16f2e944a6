"""The page docs/textbook.md with its plots: published results beside measured ones."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

from _textbook.experiment import Experiment, Plot, Table
from _textbook.store import Store

INTRODUCTION = """\
# The textbook opponents, measured again

`scripts/textbook_results` writes this page. It repeats published measurements of the classic textbook opponents, which
`othello_bot/strategies/` reimplements in plain Python. `othello-bot play --strategies` lists them with their settings.
The script can be stopped at any time and resumes when started again. A row that would take longer than ten minutes
(`--cell-minutes`) is sampled and has fewer games or positions. Times are processor times of one process on one core.
"""

PLOT_SIZE_INCHES = (7.0, 3.6)
PAGE_WIDTH = 120


def write_page(path: Path, experiments: Sequence[Experiment], store: Store) -> bool:
    """Write the page, and its plots into a folder beside it; return false if plots could not be drawn."""
    parts = [INTRODUCTION]
    plotted = True
    for experiment in experiments:
        records = {record.key: record for record in store.records(experiment.name)}
        done = [records[unit.key] for unit in experiment.units if unit.key in records]
        parts.append(f"## {experiment.title}\n\nPublished: {experiment.theirs}\n")
        if not done:
            parts.append("Not measured yet.\n")
            continue
        findings = experiment.findings(store)
        parts += [_table(table) for table in findings.tables]
        for plot in findings.plots:
            picture = path.with_suffix("") / f"{plot.name}.svg"
            if _draw(plot, picture):
                parts.append(f"![{plot.title}]({path.stem}/{picture.name})\n")
            else:
                plotted = False
        if experiment.reading:
            parts.append("\n".join(textwrap.wrap(experiment.reading, PAGE_WIDTH)) + "\n")
        dates = sorted({record.date for record in done})
        when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        machines = "; ".join(sorted({record.machine for record in done}))
        parts.append(f"*{len(done)} of {len(experiment.units)} units of work, {when}, {machines}.*\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts), encoding="utf-8")
    return plotted


def _table(table: Table) -> str:
    """Return a table in Markdown after its sentence."""
    lines = [*textwrap.wrap(table.text, PAGE_WIDTH), ""] if table.text else []
    lines += [_row(table.head), _row(["---"] * len(table.head)), *map(_row, table.rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _draw(plot: Plot, path: Path) -> bool:
    """Draw a plot into an SVG file; return false if matplotlib, of the extra `arena`, is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = plot.name  # the same numbers produce the same file
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator

    figure, axes = pyplot.subplots(figsize=PLOT_SIZE_INCHES, layout="constrained")
    width = 0.8 / max(1, len(plot.series))
    for index, (name, points) in enumerate(plot.series.items()):
        across, up = [x for x, _ in points], [y for _, y in points]
        if plot.bars:
            axes.bar([x + (index - (len(plot.series) - 1) / 2) * width for x in across], up, width, label=name)
        else:
            axes.plot(across, up, marker="o", label=name)
    if plot.published is not None:
        axes.axhspan(*plot.published, alpha=0.15, color="gray", label="published range")
    axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
    if plot.bars:
        axes.set_xticks(range(len(plot.bars)), plot.bars, rotation=45, ha="right", fontsize="small")
    axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    if plot.logarithmic and any(points for points in plot.series.values()):
        axes.set_yscale("log")
    if len(plot.series) > 1 and any(plot.series.values()):
        axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1, 1)} if plot.bars else {}))  # bars fill the frame
    axes.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return True
