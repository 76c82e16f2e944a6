"""The command line of the fuzzer: run a worker for each target in turn and print a table of the results."""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from _fuzz.targets import LONGEST, Target, all_targets
from othello_bot.base.files import cache_folder
from othello_bot.base.notation import decimal
from tests.parsers import WORDS, Parser

WORKER: Final = Path(__file__).with_name("worker.py")
MEMORY_MIB: Final = 2048
HANG_S: Final = 60
"""Seconds after which an input counts as endless; on a busy machine everything takes longer."""


@dataclass(frozen=True)
class TargetResult:
    """The result of one target: inputs tried, edges reached, inputs kept, seconds, and the files of its findings."""

    name: str
    executions: int
    coverage: int
    kept: int
    seconds: float
    findings: tuple[Path, ...]
    ended_well: bool


def default_folder() -> Path:
    """Return the default folder of the inputs."""
    return cache_folder() / "fuzz"


def main(description: str | None, words: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 if there are findings, 2 if the fuzzer cannot run."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=decimal(0), default=10.0, metavar="N", help="for all targets; default 10")
    parser.add_argument("--only", nargs="+", default=[], metavar="TARGET", help="these targets only")
    parser.add_argument("--folder", type=Path, default=default_folder(), help="folder of the inputs")
    parser.add_argument("--list", action="store_true", help="name the targets")
    parser.add_argument("--growth", action="store_true", help="measure how run times grow with long inputs instead")
    parser.add_argument("--replay", nargs=2, metavar=("TARGET", "FILE"), help="run one input again, with its traceback")
    arguments = parser.parse_args(words)
    targets = all_targets()
    wanted = [*arguments.only, *(arguments.replay or [])[:1]]
    unknown = [name for name in wanted if name not in targets]
    if unknown:
        parser.error(f"no target {', '.join(unknown)}; there are {', '.join(targets)}")
    if arguments.list:
        print("\n".join(targets))
        return 0
    if arguments.replay:
        return _replay(targets[arguments.replay[0]], Path(arguments.replay[1]))
    chosen = [targets[name] for name in arguments.only] or list(targets.values())
    if arguments.growth:
        return _measure_growth([target.parser for target in chosen if target.parser is not None])
    if importlib.util.find_spec("atheris") is None:
        print("scripts/fuzz: atheris is missing: .venv/bin/pip install -e '.[fuzz]'", file=sys.stderr)
        return 2
    return _fuzz_all(chosen, arguments.minutes, arguments.folder)


def _replay(target: Target, path: Path) -> int:
    try:
        target.run(path.read_bytes())
    except Exception:  # noqa: BLE001 - whatever comes out is the finding, and is shown whole
        traceback.print_exc()
        return 1
    print("no finding")
    return 0


def _measure_growth(parsers: Sequence[Parser]) -> int:
    """Print the table of growth; return 1 if a bound is exceeded."""
    from _fuzz.growth import MOST_DOUBLING, MOST_OF_VALID, Meter, measured
    from _fuzz.seeds import valid_inputs

    print(f"bounds: {MOST_DOUBLING} times as long for twice the input, {MOST_OF_VALID} times as long as valid input")
    print(f"{'parser':24} {'ns/byte':>10} {'doubling':>8} {'to valid':>8} {'':5} input", flush=True)
    over = 0
    for parser in parsers:
        meter = Meter(parser)
        growths = measured(parser, valid_inputs(parser), meter)
        for error, beginning in meter.findings.items():
            print(f"{parser.name:24} raises {error} for {beginning!r}", flush=True)
        over += any(growth.is_over for growth in growths)
        for growth in [one for one in growths if one.is_over] or growths[:1]:
            print(growth, flush=True)
        if not growths:
            print(f"{parser.name:24} nothing takes long", flush=True)
    print(f"{len(parsers)} parsers, {over} over a bound", flush=True)
    return 1 if over else 0


def _fuzz_all(targets: Sequence[Target], minutes: float, folder: Path) -> int:
    from _fuzz.seeds import plant

    words = folder / "words.txt"
    folder.mkdir(parents=True, exist_ok=True)
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in WORDS), encoding="ascii")
    for target in targets:
        plant(target, folder / target.name)
    print(f"{'target':24} {'executions':>11} {'edges':>6} {'kept':>6} {'seconds':>8}  findings", flush=True)
    began = time.monotonic()
    end = began + 60 * minutes
    outcomes = []
    shares = sum(target.share for target in targets)
    for target in targets:
        # Time left over by earlier targets is divided among the remaining ones.
        seconds = (end - time.monotonic()) * target.share / shares
        shares -= target.share
        outcome = _fuzz(target, max(1, round(seconds)), folder, words)
        outcomes.append(outcome)
        _show(outcome)
    findings = sum(len(outcome.findings) or not outcome.ended_well for outcome in outcomes)
    total = sum(outcome.executions for outcome in outcomes)
    spent = (time.monotonic() - began) / 60
    print(f"{len(outcomes)} targets, {total} executions, {findings} findings in {spent:.1f} minutes", flush=True)
    return 1 if findings else 0


def _fuzz(target: Target, seconds: int, folder: Path, words: Path) -> TargetResult:
    corpus, found = folder / target.name, folder / "findings" / target.name
    found.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    options = {
        "max_total_time": seconds,
        "max_len": LONGEST,
        "timeout": HANG_S,
        "rss_limit_mb": MEMORY_MIB,
        "dict": words,
        "artifact_prefix": f"{found}/",
        "print_final_stats": 1,
    }
    command = [sys.executable, str(WORKER), target.name, str(corpus), *(f"-{key}={options[key]}" for key in options)]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "TMPDIR": scratch}
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            check=False,
        )
    log = done.stdout.decode("utf-8", "replace")
    (folder / f"{target.name}.log").write_text(log, encoding="utf-8")
    findings = sorted(set(found.iterdir()) - before)
    # libFuzzer also stores inputs that are merely slower than others; those are not findings.
    findings = [path for path in findings if not path.name.startswith("slow-unit")]
    return TargetResult(
        target.name,
        _last(r"stat::number_of_executed_units:\s*(\d+)", log) or _last(r"^#(\d+)", log),
        _last(r"\bcov: (\d+)", log),
        sum(1 for _ in corpus.iterdir()),
        time.monotonic() - began,
        tuple(findings),
        done.returncode == 0,
    )


def _show(outcome: TargetResult) -> None:
    findings = len(outcome.findings) or ("none" if outcome.ended_well else "ended badly, see its .log")
    numbers = f"{outcome.executions:11} {outcome.coverage:6} {outcome.kept:6} {outcome.seconds:8.1f}"
    print(f"{outcome.name:24} {numbers}  {findings}", flush=True)
    for path in outcome.findings:
        print(f"    {sys.executable} {sys.argv[0]} --replay {outcome.name} {path}", flush=True)


def _last(pattern: str, text: str) -> int:
    numbers = re.findall(pattern, text, re.MULTILINE)
    return int(numbers[-1]) if numbers else 0


def _escaped(word: str) -> str:
    """Return a word in the form of libFuzzer's dictionary."""
    return "".join(
        chr(byte) if 32 < byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02x}"
        for byte in word.encode("utf-8", "surrogateescape")
    )
