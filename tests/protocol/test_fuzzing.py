"""scripts/fuzz: its targets accept their own seeds, and its command line works. Atheris is not needed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "fuzz"
SEEDS_EACH = 12
POOL_STEP = 15


@pytest.fixture(autouse=True)
def path_to_the_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def fuzz(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_every_target_takes_some_of_its_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    from _fuzz import seeds as planting
    from _fuzz.targets import all_targets

    from othello_bot import strategies

    # Every parser reads the whole pool to choose its seeds; a part of it is enough for a few of each.
    pool = planting.pool()[::POOL_STEP]
    monkeypatch.setattr(planting, "pool", lambda: pool)

    # The sessions put another chooser in its place, which must not outlive this test.
    monkeypatch.setattr(strategies, "choose", strategies.choose)
    for target in all_targets().values():
        planted = planting.seeds(target)
        assert planted, target.name
        for seed in planted[:: max(1, len(planted) // SEEDS_EACH)]:
            target.run(seed)


@pytest.mark.slow
def test_every_parser_accepts_some_of_its_seeds() -> None:
    from _fuzz.seeds import of_parser
    from _fuzz.targets import all_targets

    for target in all_targets().values():
        parser = target.parser
        if parser is not None and parser.name != "weights-loaded":  # those it accepts have megabytes
            given = (seed if parser.raw else seed.decode("utf-8", "surrogateescape") for seed in of_parser(parser))
            assert any(map(parser.check, given)), target.name


def test_a_broken_promise_is_a_finding() -> None:
    from _fuzz.targets import ParserRun

    from tests.parsers import Parser

    def unstable(text: str) -> str:
        return text + "x"

    def long_winded(text: str) -> str:
        raise ValueError("no " * 1000)

    def surprising(text: str) -> str:
        raise KeyError(text)

    for run in (
        ParserRun(Parser("unstable", unstable, ValueError, str)),
        ParserRun(Parser("long-winded", long_winded, ValueError)),
    ):
        with pytest.raises(AssertionError):
            run(b"text")
    with pytest.raises(KeyError):
        ParserRun(Parser("surprising", surprising, ValueError))(b"text")


@pytest.mark.process
def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from _fuzz import command

    listed = fuzz("--list")
    assert listed.returncode == 0 and {"session-gtp", "ggf", "option"} <= set(listed.stdout.split())
    with pytest.raises(SystemExit) as unknown:
        command.main(None, ["--only", "nothing"])
    assert unknown.value.code == 2 and "no target nothing" in capsys.readouterr().err
    harmless = tmp_path / "input"
    harmless.write_bytes(b"12 play b f5")
    assert command.main(None, ["--replay", "gtp-command", str(harmless)]) == 0
    assert capsys.readouterr().out == "no finding\n"


@pytest.mark.process
def test_no_file_is_opened_while_the_guard_is_closed(tmp_path: Path) -> None:
    """In its own process, because an audit hook cannot be removed."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    program = f"""
import sys
import tempfile
sys.path.insert(0, {str(ROOT / "scripts" / "_fuzz")!r})
from worker import FileGuard
guard = FileGuard({str(scratch)!r})
sys.addaudithook(guard)
open({str(tmp_path / "before")!r}, "w").close()
guard.closed = True
for name, mode in (({str(tmp_path / "after")!r}, "w"), ("/etc/hostname", "r")):
    try:
        open(name, mode)
    except PermissionError:
        print("refused")
open({str(SCRIPT)!r}).close()
with tempfile.NamedTemporaryFile(dir={str(scratch)!r}) as file:
    open(file.name).close()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "refused\nrefused\n"), done.stderr
    assert sorted(os.listdir(tmp_path)) == ["before", "scratch"] and not os.listdir(scratch)


class CountedParser:
    """A parser whose time is counted in steps: some for each byte, more where bytes are repeated."""

    def __init__(self, steps: Callable[[str], float]) -> None:
        self._steps = steps
        self.now = 0.0

    def read(self, text: str) -> object:
        self.now += self._steps(text)
        return text.startswith("game") or None


@pytest.mark.parametrize(
    ("steps", "is_over"),
    [
        (lambda text: 1e-6 * len(text), False),
        (lambda text: 1e-6 * len(text) + 1e-9 * text.count("-") ** 2, True),
        (lambda text: 1e-6 * len(text) + 9e-6 * text.count(" "), True),
        (lambda text: 1e-6 * len(text) + 1e-9 * text.count("me of Ro") ** 2, True),
    ],
    ids=["linear", "the square of a filler", "slower than what is valid", "the square of an inner part"],
)
def test_growth_beyond_the_bounds_is_found(steps: Callable[[str], float], is_over: bool) -> None:
    from _fuzz.growth import Meter, measured

    from tests.parsers import Parser

    counted = CountedParser(steps)
    parser = Parser("counted", counted.read, ValueError)
    meter = Meter(parser, clock=lambda: counted.now)
    growths = measured(parser, [b"game of Rose", b"game of Rose and Tulip"], meter)
    assert any(growth.is_over for growth in growths) == is_over
    assert not meter.findings


def test_an_error_that_a_parser_does_not_declare_is_told_with_its_growth() -> None:
    from _fuzz.growth import Meter

    from tests.parsers import Parser

    def fail(text: str) -> None:
        raise KeyError(text[:1])

    meter = Meter(Parser("failing", fail, ValueError))
    meter.seconds(b"xyz")
    assert meter.findings == {"KeyError: 'x'": b"xyz"}
