"""docs/python.md and the pages in docs/python: their examples run, and they name everything that is public."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import othello_bot
from tests.house.test_rooms import ROOT

OVERVIEW = ROOT / "docs" / "python.md"
PAGES = sorted((ROOT / "docs" / "python").glob("*.md"))
REFERENCE = sorted((ROOT / "docs" / "python" / "reference").glob("*.md"))
MOST_LINES = 200


@pytest.mark.slow
@pytest.mark.parametrize("page", [OVERVIEW, *PAGES], ids=lambda page: page.stem)
def test_the_examples(page: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, page.name, 0)
    assert examples.examples
    report: list[str] = []
    assert doctest.DocTestRunner().run(examples, out=report.append).failed == 0, "".join(report)


def test_no_page_takes_the_place_of_one_of_sphinx() -> None:
    """Of two pages that are called search or genindex, the site would keep the one of Sphinx."""
    assert {page.stem for page in PAGES} & {"genindex", "py-modindex", "search"} == set()


def test_the_pages_are_short() -> None:
    assert len(PAGES) >= 8 and len(REFERENCE) >= 4
    assert [page.name for page in [*PAGES, *REFERENCE] if page.read_text().count("\n") > MOST_LINES] == []


def test_the_reference_has_every_public_name() -> None:
    text = "".join(page.read_text() for page in REFERENCE)
    listed = re.findall(r"^\.\. auto\w+:: [\w.]+\.(\w+)$", text, re.MULTILINE)
    public = {name: getattr(othello_bot, name) for name in othello_bot.__all__ if not name.startswith("__")}
    # An older name of something stands with its newer one.
    assert {getattr(value, "__name__", name) for name, value in public.items()} - set(listed) == set()


@pytest.mark.process
def test_the_notebook_runs_and_draws() -> None:
    nbformat, nbclient = importlib.import_module("nbformat"), importlib.import_module("nbclient")
    notebook = nbformat.read(ROOT / "docs" / "python" / "notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "committed without outputs"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}}).execute()
    drawn = [
        any("image/svg+xml" in output.get("data", {}) for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    assert drawn and all(drawn)


@pytest.mark.process
def test_the_worked_example(tmp_path: Path) -> None:
    """Its commands run as they stand on the page, but for fewer games; the network learns, and wins most of them."""
    page = (ROOT / "docs" / "python" / "tiny-network.md").read_text(encoding="utf-8")
    train, match = re.findall(r"^\$ (.*)$", page, re.MULTILINE)
    names = {
        "python docs/": f"{sys.executable} {ROOT}/docs/",
        "othello-bot match": f"{sys.executable} -m othello_bot match",
        "--rounds 10": "--rounds 4",
    }
    said = []
    for command in (f"{train} --games 60", match):
        for name, path in names.items():
            command = command.replace(name, path)
        # One thread of the linear algebra: on a busy machine, several wait for each other.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        said.append(run.stdout)
    losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", said[0])]
    assert len(losses) == 4 and losses == sorted(losses, reverse=True)
    assert re.search(r"tiny against random: \+[5-8] ", said[1]), said[1]
