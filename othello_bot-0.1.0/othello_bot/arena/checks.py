"""`othello-bot match check COMMAND...`: whether a program is fit for matches.

A list of checks for each dialect; `probe` talks to the program.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import Any, Final

from othello_bot.arena import checks_gtp, checks_guis
from othello_bot.arena.display import write_lines
from othello_bot.arena.errors import ConfigError, guarded
from othello_bot.arena.probe import Check, FailedCheck, Probe, ProbeSettings, Skip, busy_machine
from othello_bot.arena.settings import existing_folder, split_command
from othello_bot.base import posix
from othello_bot.base.clocks import TimeSettings, TimeSystem
from othello_bot.base.errors import UserError
from othello_bot.base.notation import decimal, duration
from othello_bot.base.visible import padded, visible
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import EngineError

PIPE_BYTES: Final = 65_536
"""What a pipe holds: a program that writes more to stderr waits for ever under a host that does not read it."""

START: Final = "start"

NOT_STARTED: Final = "it did not start"
"""Why a check was skipped, which is said once for all."""

_NAME_COLUMNS: Final = 15
_LONGEST: Final = 400
"""Most columns of a line of a fault."""

_SECONDS: Final = ProbeSettings(())

_BUSY_PLIES: Final = 20
_GAME: Final = TimeSettings(TimeSystem.ABSOLUTE, 5.0)


class CheckVerdict(Enum):
    """The result of a check; the value is what is shown."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """The result of one check.

    For a failed one: the last lines sent, what came, what is right. For a skipped one, `came` is the reason.
    """

    name: str
    description: str
    verdict: CheckVerdict
    sent: tuple[str, ...] = ()
    came: str = ""
    right: str = ""


# -- checks of every dialect ------------------------------------------------------------------------------------------


def _starts(probe: Probe) -> None:
    probe.fresh()


def _plays_a_game(probe: Probe) -> None:
    probe.play(200, _GAME)


def _plays_another(probe: Probe) -> None:
    probe.play(10, _GAME)
    probe.play(10, _GAME, opening="c4e3f6")


def _obeys(settings: TimeSettings, plies: int) -> Callable[[Probe], None]:
    """Return the check that a program keeps a clock while every core is busy."""

    def check(probe: Probe) -> None:
        commands = probe.engine().info.commands
        if probe.settings.dialect is not Dialect.NBOARD and commands:
            needed = "kata-time_settings" if settings.system is TimeSystem.FISCHER else "time_settings"
            if needed not in commands:
                raise Skip(f"it does not list {needed}")
        if probe.settings.dialect is Dialect.NBOARD and settings.system is TimeSystem.CANADIAN:
            raise Skip("NBoard has no clock with a number of moves")
        with busy_machine():
            probe.play(plies, settings, judged=True)

    return check


def _stderr_is_short(probe: Probe) -> None:
    client = probe.fresh()
    process = client.process
    probe.play(10, _GAME)
    process.stop(client.conversation.farewell)  # what it wrote last is read only after its end
    if process.stderr_bytes > PIPE_BYTES:
        raise probe.fault(
            f"{process.stderr_bytes} bytes on stderr",
            f"at most {PIPE_BYTES}: more blocks it if the host does not read stderr",
        )


def _memory_is_bounded(probe: Probe) -> None:
    client = probe.engine()
    probe.play(10, _GAME)
    used_mib = posix.resident_mib(client.process.family)
    if not used_mib:
        raise Skip("this system does not show the memory of processes")
    if used_mib > probe.settings.memory_mib:
        raise probe.fault(f"{used_mib:.0f} MiB are resident", f"at most {probe.settings.memory_mib:g} MiB (--memory)")


def _ends(by: str, busy: bool = False) -> Callable[[Probe], None]:
    """Return the check that a program ends by a step of `EngineProcess.stop`, with exit code 0."""

    def check(probe: Probe) -> None:
        client = probe.fresh()
        if busy:
            _begin_a_search(probe)
        farewell = client.conversation.farewell if by == "quit" else ""
        code = client.process.stop(farewell)
        what = farewell.strip() or "the end of input"
        if client.process.stopped_by not in (by, "itself"):
            raise FailedCheck(
                f"it goes on and ends by {client.process.stopped_by}", [what], f"the end within {_wait(probe)}"
            )
        if code:
            raise FailedCheck(f"exit code {code}{posix.signal_text(code)}", [what], "exit code 0")

    return check


def _wait(probe: Probe) -> str:
    return f"{probe.settings.reply_s:g} s"


def _begin_a_search(probe: Probe) -> None:
    """Request a move without a clock."""
    if probe.settings.dialect is Dialect.NBOARD:
        probe.say("go")
    else:
        checks_gtp.ask(probe, "clear_board", ok=True)
        probe.say("genmove b")


def _ends_by_a_signal(probe: Probe) -> None:
    process = probe.fresh().process
    process.signal_group(certain=False)
    until = time.monotonic() + probe.settings.reply_s
    while process.running:
        if time.monotonic() > until:
            raise FailedCheck("it goes on", ["SIGTERM"], f"the end within {_wait(probe)}")
        time.sleep(0.01)


def _leaves_nothing(probe: Probe) -> None:
    client = probe.fresh()
    probe.play(6, _GAME)
    process = client.process
    if not process.family:
        raise Skip("this system does not show the processes of a program")
    process.send(client.conversation.farewell, probe.settings.reply_s)
    until = time.monotonic() + probe.settings.reply_s
    while process.running and time.monotonic() < until:
        time.sleep(0.01)
    if process.running:
        raise Skip("it does not end")
    if left := process.family:
        raise FailedCheck(
            f"processes that remain: {' '.join(map(str, left))}", ["quit"], "it ends the processes that it started"
        )


_PLAY: Final[Sequence[Check]] = (
    Check("game", "plays a legal game to its end", _plays_a_game),
    Check("next game", "plays one game after the other", _plays_another),
    Check(
        "game clock",
        "keeps to a clock for the game on a busy machine",
        _obeys(TimeSettings(TimeSystem.ABSOLUTE, 4.0), 200),
    ),
    Check(
        "increment",
        "keeps to a clock with an increment on a busy machine",
        _obeys(TimeSettings(TimeSystem.FISCHER, 1.0, 0.1), _BUSY_PLIES),
    ),
    Check(
        "period",
        "keeps to a clock of five moves a second on a busy machine",
        _obeys(TimeSettings(TimeSystem.CANADIAN, period_s=1.0, stones=5), _BUSY_PLIES),
    ),
    Check(
        "move clock",
        "keeps to a second per move on a busy machine",
        _obeys(TimeSettings(TimeSystem.CANADIAN, period_s=1.0, stones=1), 4),
    ),
)

_PROCESS: Final[Sequence[Check]] = (
    Check("stderr", "writes little to its standard error", _stderr_is_short),
    Check("memory", "stays within a memory limit", _memory_is_bounded),
    Check("children", "leaves no process behind", _leaves_nothing),
    Check("quit", "ends at quit", _ends("quit")),
    Check("end of input", "ends with its input", _ends("end of input")),
    Check("busy end", "ends with its input during a search", _ends("end of input", busy=True)),
    Check("terminate", "ends at SIGTERM", _ends_by_a_signal),
)

_START: Final[Sequence[Check]] = (Check(START, "starts and answers", _starts),)

CHECKS: Final[dict[Dialect, Sequence[Check]]] = {
    Dialect.GTP: (*_START, *checks_gtp.FORM, *checks_gtp.BOARD, *_PLAY, *_PROCESS),
    Dialect.NATIVE: (*_START, *checks_gtp.FORM, *checks_gtp.BOARD, *checks_gtp.NATIVE, *_PLAY, *_PROCESS),
    Dialect.NBOARD: (*_START, *checks_guis.FORM, *checks_guis.BOARD, *_PLAY, *_PROCESS),
    Dialect.CASSIO: (
        *_START,
        *checks_guis.CASSIO,
        *_PLAY[:2],
        *(check for check in _PROCESS if check.name != "busy end"),
    ),
}
"""The checks of each dialect, in their order. Cassio's has no clocks, and each of its searches has an end."""


def findings(settings: ProbeSettings, only: Sequence[str] = ()) -> Iterator[CheckFinding]:
    """Yield the result of each check, or of those in `only`, as soon as it is known.

    A program that does not start fails one check, and all others are skipped.
    """
    with Probe(settings) as probe:
        started = True
        for check in CHECKS[settings.dialect]:
            if check.name != START and only and check.name not in only:
                continue
            if started:
                finding = _finding(check, probe)
                started = finding.verdict is not CheckVerdict.FAILED or check.name != START
            else:
                finding = CheckFinding(check.name, check.description, CheckVerdict.SKIPPED, came=NOT_STARTED)
            yield finding


def _finding(check: Check, probe: Probe) -> CheckFinding:
    finding = CheckFinding(check.name, check.description, CheckVerdict.PASSED)
    try:
        check.run(probe)
    except Skip as skip:
        return replace(finding, verdict=CheckVerdict.SKIPPED, came=str(skip))
    except EngineError as error:
        fault = probe.fault_of(error)
    except FailedCheck as found:
        fault = found
    else:
        return finding
    # What it answers from now on might belong to earlier questions.
    probe.end()
    right = fault.right or f"it {check.description}"
    return replace(finding, verdict=CheckVerdict.FAILED, sent=fault.sent, came=fault.came, right=right)


# -- the command -------------------------------------------------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Check whether a program is fit for matches. Each check passes, fails with what was sent, what came and what is"
        " right, or is skipped with the reason."
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND...", help="program and arguments")
    names = [dialect.value for dialect in CHECKS]
    parser.add_argument("--proto", choices=names, default=names[0], help=f"its protocol ({names[0]})")
    parser.add_argument("--only", action="append", default=[], metavar="CHECK", help="only this check; may be repeated")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--row", metavar="NAME", help="print one row of a Markdown table: name, protocol, results")
    parser.add_argument(
        "--init",
        action="append",
        default=[],
        metavar="LINE",
        help="a line sent to the program after its start; may be repeated",
    )
    parser.add_argument("--dir", default="", metavar="FOLDER", help="the folder in which it runs")
    for name, what, default in (
        ("start", "its first answer", _SECONDS.start_s),
        ("reply", "an answer without a search, and for its end", _SECONDS.reply_s),
        ("timeout", "a move without a clock", _SECONDS.move_s),
        ("margin", "all moves of a game beyond its clock", _SECONDS.margin_s),
    ):
        told = f"seconds it has for {what} ({default:g})"
        parser.add_argument(f"--{name}", type=duration(high_s=1e6), default=default, metavar="S", help=told)
    told = f"most MiB of resident memory, with its child processes ({_SECONDS.memory_mib:g})"
    parser.add_argument("--memory", type=decimal(0, 1e6), default=_SECONDS.memory_mib, metavar="MIB", help=told)


@guarded("match check")
def run(args: argparse.Namespace) -> int:
    """Examine a program; return 0 if no check failed, 1 if one did, 2 for invalid arguments, 130 after Ctrl-C."""
    settings = settings_of(args)
    found: list[CheckFinding] = []
    for finding in findings(settings, args.only):
        found.append(finding)
        if not args.json and args.row is None and finding.came != NOT_STARTED:
            write_lines(finding_lines(finding))
    counts = Counter(finding.verdict for finding in found)
    if args.row is not None:
        write_lines([row(args.row, settings, found)])
    elif args.json:
        write_lines([json.dumps(_as_json(settings, found))])
    else:
        if found[-1].came == NOT_STARTED:
            write_lines([f"skipped all others: {NOT_STARTED}"])
        write_lines(["", ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in CheckVerdict)])
    return int(counts[CheckVerdict.FAILED] > 0)


def settings_of(args: argparse.Namespace) -> ProbeSettings:
    """Return what to examine; raise ConfigError for invalid arguments."""
    words = args.command[1:] if args.command[:1] == ["--"] else args.command
    if len(words) == 1 and shutil.which(words[0]) is None:
        words = split_command(words[0], "COMMAND")  # one quoted command, as arenas take it
    if not words:
        raise UserError("COMMAND: expected a program and its arguments")
    dialect = Dialect(args.proto)
    names = [check.name for check in CHECKS[dialect]]
    for name in args.only:
        if name not in names:
            raise ConfigError("check", name, ", ".join(names))
    folder = existing_folder("--dir", args.dir)
    seconds = (args.start, args.reply, args.timeout, args.margin)
    return ProbeSettings(tuple(words), dialect, folder, tuple(args.init), *seconds, args.memory)


def finding_lines(finding: CheckFinding) -> list[str]:
    """Return a result in lines: the check, then for a failed one what was sent, what came, what is right."""
    head = f"{finding.verdict.value:8}{padded(finding.name, _NAME_COLUMNS)} it {finding.description}"
    if finding.verdict is CheckVerdict.SKIPPED:
        return [visible(f"{head}: {finding.came}", _LONGEST)]
    if finding.verdict is CheckVerdict.PASSED:
        return [head]
    told = [("sent", line) for line in finding.sent] + [("came", finding.came), ("right", finding.right)]
    return [head, *(visible(f"          {what:6} {text}", _LONGEST) for what, text in told)]


def row(name: str, settings: ProbeSettings, found: Sequence[CheckFinding]) -> str:
    """Return a row of a Markdown table: name, protocol, number of checks passed, names of those failed and skipped."""
    names = {verdict: [finding.name for finding in found if finding.verdict is verdict] for verdict in CheckVerdict}
    failed, skipped = (", ".join(names[verdict]) or "none" for verdict in (CheckVerdict.FAILED, CheckVerdict.SKIPPED))
    cells = (visible(name), settings.dialect.value, str(len(names[CheckVerdict.PASSED])), failed, skipped)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _as_json(settings: ProbeSettings, found: list[CheckFinding]) -> dict[str, Any]:
    checks = [{**asdict(finding), "verdict": finding.verdict.value} for finding in found]
    counts = {verdict.value: sum(finding.verdict is verdict for finding in found) for verdict in CheckVerdict}
    return {"command": shlex.join(settings.command), "protocol": settings.dialect.value, **counts, "checks": checks}
