"""`othello-bot ggs`: play on GGS unattended, for days; docs/game-server.md describes it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import getpass
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from othello_bot.arena import settings
from othello_bot.base import posix
from othello_bot.base.errors import INTERRUPTED, DamagedInstallation, InputError, counted
from othello_bot.base.files import cache_folder
from othello_bot.base.notation import argument_type, integer
from othello_bot.base.output import ProgressLine, report, tell, write_to_stderr
from othello_bot.base.outputs import check_outputs
from othello_bot.base.password import read_password
from othello_bot.base.posix import NotPosix
from othello_bot.engine import (
    PLAYING_OPTIONS,
    Options,
    add_option_arguments,
    async_engine,
    available_cores,
    files_of,
    options_of,
)
from othello_bot.formats.reading import text_of_file
from othello_bot.ggs.client import GgsClient, LoginRefused
from othello_bot.ggs.ledger import Ledger, LedgerFile, Log, log_files
from othello_bot.ggs.policy import Policy, read_policy
from othello_bot.ggs.runner import Runner, Server
from othello_bot.protocol import ggs
from othello_bot.protocol.ggs_commands import GgsCommand, Password, logged
from othello_bot.protocol.ggs_values import parse_login

HOST: Final = "skatgame.net"
PORT: Final = 5000
PASSWORD_VARIABLE: Final = "OTHELLO_BOT_GGS_PASSWORD"
_LONGEST_POLICY: Final = 1 << 16

OPTIONS: Final = Options(ponder=True, threads=min(available_cores(), 256))
"""The engine's options where the command line names no others: all cores, for one search at a time."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.description = (
        "Play on GGS, the Generic Game Server. Ctrl-C leaves after the current matches, a second Ctrl-C at once."
        " The password comes from --password-file, from the variable"
        f" {PASSWORD_VARIABLE}, or from a question; it goes over the network in the clear. help game-server says more."
    )
    parser.add_argument("--login", type=argument_type(parse_login), required=True, metavar="NAME", help="the login")
    parser.add_argument("--password-file", type=Path, metavar="FILE", help="a file whose first line is the password")
    parser.add_argument("--host", default=HOST, help=f"the server ({HOST})")
    parser.add_argument("--port", type=integer(1, 65535), default=PORT, metavar="N", help=f"its port ({PORT})")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="what to accept, offer and say, in TOML")
    parser.add_argument(
        "--games", type=Path, metavar="FILE", help="append each game to this file in GGF (ggs-NAME.ggf)"
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="log what is received and sent; the file rotates")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="do not connect: print what would be sent, also in reply to a recorded session on standard input",
    )
    add_option_arguments(parser, ("ponder", *PLAYING_OPTIONS), OPTIONS)


def run(args: argparse.Namespace) -> int:
    """Play as the arguments say; return 0, 1 for a failure, 2 for an unusable policy or password file."""
    try:
        policy = _policy(args.policy)
        if args.dry_run:
            _rehearse(args.login, policy)
            return 0
        password = Password(_password(args.password_file))
    except (InputError, EOFError) as error:
        report(str(error) or "a password is needed", "ggs")
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    games = args.games or Path(f"ggs-{args.login}.ggf")
    try:
        inputs = (args.policy, args.password_file, *files_of(options_of(args, OPTIONS)))
        check_outputs({"--games": games, "--log": log_files(args.log)}, input=inputs)
        with _alone(args.host, args.login):
            file, log = LedgerFile(games), Log(args.log)
            file.check()
            try:
                return asyncio.run(_play(args, policy, password, file, log))
            finally:
                log.close()
    except (InputError, LoginRefused, MemoryError) as error:
        report(error, "ggs")
    except OSError as error:
        report(f"{error.filename or games}: {error.strerror}", "ggs")
    except (NotPosix, DamagedInstallation):
        raise
    except Exception as error:  # noqa: BLE001 - a fault of the program; its trace may repeat what the server sent
        write_to_stderr(password.hide("".join(traceback.format_exception(type(error), error, error.__traceback__))))
    return 1


async def _play(args: argparse.Namespace, policy: Policy, password: Password, file: LedgerFile, log: Log) -> int:
    """Play until a signal, or until the login is refused; return the exit code."""
    line = ProgressLine(sys.stderr)
    loop = asyncio.get_running_loop()

    def told(text: str) -> None:
        line.clear()
        report(text, "ggs")

    def failed(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        trace = [] if error is None else traceback.format_exception(type(error), error, error.__traceback__)
        write_to_stderr(password.hide("".join([f"{context['message']}\n", *trace])))

    loop.set_exception_handler(failed)
    server = Server(args.host, args.port, args.login, password)
    ledger = Ledger(file, told, loop.time)
    options = options_of(args, OPTIONS)
    async with async_engine.AsyncEngine(options) as engine:
        await engine.prepare()
        runner = Runner(server, policy, ledger, engine, log, told, line.show, ponders=options.ponder)
        signals = 0

        def leave() -> None:
            nonlocal signals
            signals += 1
            runner.leave(at_once=signals > 1)
            if signals == 1 and runner.client.playing:
                told("leaving after this match; once more to leave at once")

        posix.call_on_end_signals(loop, leave)
        await runner.run()
    line.clear()
    if ledger.interrupted:
        told(f"stored on the server, to go on at the next start: {counted(len(ledger.interrupted), 'game')}")
    return 0


def _rehearse(login: str, policy: Policy) -> None:
    """Print what would be sent, to the prompts and to the text on standard input unless that is a terminal."""

    def send(command: GgsCommand) -> None:
        tell([f"> {logged(command)}"])

    ledger = Ledger(LedgerFile(Path(os.devnull)), lambda text: tell([f"# {text}"]), lambda: 0.0)
    client = GgsClient(login, policy, ledger, send, lambda text: tell([f"# {text}"]), lambda: 0.0)
    client.connected(Password("hidden"))
    reader, is_empty = ggs.FrameReader(), True
    for data in [] if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer:
        is_empty = False
        for frame in reader.feed(data):
            tell([f"< {frame[0]}"])
            for message in ggs.parse_frame(frame):
                client.handle(message)
            client.tick()
    if is_empty:
        client.handle(ggs.LoginPrompt())
        client.handle(ggs.PasswordPrompt())
        client.tick()
        client.keep_alive()


def _policy(path: Path | None) -> Policy:
    """Return the policy of a file, or the default one; raise InputError."""
    if path is None:
        return Policy()
    try:
        text = text_of_file(path, _LONGEST_POLICY)
    except OSError as error:
        raise InputError("policy file", str(path), f"a file that can be read ({error.strerror})") from None
    return read_policy(settings.tables_of_toml(text, path.name, "policy file"))


def _password(path: Path | None) -> str:
    """Return the password from a file, the environment or a question; raise InputError. No message repeats it."""
    question = "GGS password (it goes over the network in the clear): "
    return read_password(path, PASSWORD_VARIABLE, lambda: getpass.getpass(question)) or ""


@contextlib.contextmanager
def _alone(host: str, login: str) -> Iterator[None]:
    """Be the only process of this user with a login. Raise InputError if another one has it."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(letter if letter.isalnum() else "-" for letter in f"{login}-{host}".lower())
    with posix.sole_holder(folder / f"ggs-{name}.lock") as held:
        if not held:
            raise InputError("login", login, f"one process for a login at {host}; another one is running")
        yield
