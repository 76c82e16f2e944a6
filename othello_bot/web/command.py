"""`othello-bot web`: serve the page to browsers on this machine until Ctrl-C.

The browser is opened before anything that takes time is imported: it needs a while to ask for the page.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import argument_type, integer
from othello_bot.base.output import report
from othello_bot.base.password import others_can_read, read_password
from othello_bot.base.version import missing, uncollected
from othello_bot.web.guard import LOOPBACK, host_name

if TYPE_CHECKING:
    from othello_bot.engine import Options

HOST: Final = "127.0.0.1"
PORT: Final = 8064

ENGINE_OPTIONS: Final = (
    *("hash", "threads", "level", "evaluation", "evaluation_file"),
    *("base_file", "book_file", "variety", "book_randomness", "book_loss"),
)
"""Options of the engine that the page does not set itself."""

SERVER_OPTIONS: Final = ("--port", "--no-browser", "--listen", "--name", "--password-file")
PAGE_OPTIONS: Final = (*SERVER_OPTIONS, "--export", "--pyodide", "--wheel")

PARTS_MAKER: Final = Path(__file__).resolve().parents[2] / "scripts" / "_browser"
"""What makes the parts of the page without a server; only a checkout has it."""

PASSWORD_VARIABLE: Final = "OTHELLO_BOT_WEB_PASSWORD"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.description = "Serve a page to play, learn, review and edit, for browsers on this machine. Ctrl-C ends it."
    parser.add_argument(
        "--port",
        type=integer(0, 65535),
        metavar="N",
        help=f"the port ({PORT}, or a free one if that is taken; 0: a free one)",
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address; do not open a browser")
    parser.add_argument(
        "--listen",
        default=HOST,
        metavar="ADDRESS",
        help=f"address to listen on ({HOST}); any other lets other machines use the engine",
    )
    parser.add_argument(
        "--name",
        action="append",
        type=argument_type(host_name),
        default=[],
        metavar="HOST",
        help="a further name of this machine, as in the browser's address, with :PORT if it has one; may be repeated",
    )
    parser.add_argument(
        "--password-file",
        type=Path,
        metavar="FILE",
        help=f"a file whose first line is the password that browsers are asked for; else {PASSWORD_VARIABLE}",
    )
    parser.add_argument(
        "--export",
        type=Path,
        metavar="FOLDER",
        help="write the page as static files for any web host, with the engine in the browser, and end (docs/browser.md)",
    )
    made = "a checkout makes it if it is not given"
    parser.add_argument("--pyodide", type=Path, metavar="FOLDER", help=f"for --export: the npm package pyodide; {made}")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help=f"for --export: the wheel for Pyodide; {made}")
    parser.set_defaults(options_of=_no_options)


def _no_options(args: argparse.Namespace) -> None:
    """Return None: no option of the engine was declared, as none was named."""


def needs_engine(words: Sequence[str]) -> bool:
    """Return whether words name options of the engine, or ask for help: the page alone begins without the engine."""
    return any(word.startswith("-") and word.partition("=")[0] not in PAGE_OPTIONS for word in words)


def add_engine_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the engine's options; this imports it."""
    from othello_bot.engine import add_option_arguments, options_of
    from othello_bot.web.engines import default_options

    add_option_arguments(parser, ENGINE_OPTIONS, default_options())
    parser.set_defaults(options_of=lambda args: options_of(args, default_options()))


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C, or write the page to a folder; return 0, 1 if that is not possible."""
    if args.export is not None:
        given = {
            "--port": args.port is not None,
            "--name": bool(args.name),
            "--password-file": args.password_file is not None,
            "--listen": args.listen != HOST,
            "an option of the engine": args.options_of is not _no_options,
        }
        for option in filter(given.get, given):
            return _failed(f"{option} is for the server of this command, not for --export")
        return _export(args.export, args.pyodide, args.wheel)
    if args.pyodide is not None or args.wheel is not None:
        return _failed("--pyodide and --wheel are for --export")
    if importlib.util.find_spec("tornado") is None:
        return _failed(missing("the page", "tornado", "web"))
    try:
        options = args.options_of(args)
        password = _password(args.password_file, args.listen)
        sockets = _sockets(args.listen, args.port)
    except InputError as error:
        return _failed(str(error))
    except OSError as error:
        port = PORT if args.port is None else args.port
        return _failed(f"cannot listen on {args.listen} port {port}: {error.strerror or error}")
    _announce(args, sockets[0].getsockname()[1])
    try:
        with uncollected():
            import asyncio
        asyncio.run(_serve(args, options, sockets, password))
    except (InputError, MemoryError) as error:
        return _failed(str(error) or "not enough memory; use a smaller --hash")
    except ImportError as error:
        if error.name != "othello_bot.kernel":
            raise
        return _failed(str(error))
    except KeyboardInterrupt:
        pass  # before the signal was handled
    return 0


def _export(folder: Path, pyodide: Path | None, wheel: Path | None) -> int:
    import subprocess  # imported here: the server does not need it
    import tempfile

    from othello_bot.base import posix
    from othello_bot.web.export import export, may_export_to

    try:
        may_export_to(folder)
        if pyodide is not None and wheel is not None:
            size = export(folder, pyodide, wheel)
        elif pyodide is not None or wheel is not None:
            return _failed("--pyodide and --wheel go together")
        elif not PARTS_MAKER.is_dir():
            return _failed(
                "--export needs --pyodide and --wheel, or a checkout, which makes both; a release has the page as "
                "othello-bot-page-VERSION.zip, to be unpacked (docs/browser.md)"
            )
        else:
            report("compiling the engine for browsers takes some minutes; the compiler comes from the network", "web")
            folder.mkdir(parents=True, exist_ok=True)  # an error is better told now than after the minutes
            with tempfile.TemporaryDirectory(prefix="othello-bot-parts-") as name:
                # In a group of its own, so that it ends as a whole with this process; its temporary folders are in ours.
                making = [sys.executable, str(PARTS_MAKER), "parts", name]
                with subprocess.Popen(making, env={**os.environ, "TMPDIR": name}, start_new_session=True) as maker:
                    guardian = posix.start_guardian(maker.pid, f"TMPDIR={name}")
                    try:
                        maker.wait()
                    except KeyboardInterrupt:
                        posix.signal_group(maker, certain=True)
                        raise
                    finally:
                        posix.dismiss_guardian(guardian)
                if maker.returncode:
                    return 1
                (made,) = Path(name).glob("*.whl")
                size = export(folder, Path(name, "package"), made)
    except InputError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"{error.filename or folder}: {error.strerror or error}")
    sys.stdout.write(f"{folder}: {size / 1e6:.1f} MB\n")
    report(f"any web host serves it, for instance python3 -m http.server -d {folder}", "web")
    return 0


def _password(path: Path | None, address: str) -> str | None:
    """Return the password, None without one. Warn of a file that others can read, and of a server open to others."""
    password = read_password(path, PASSWORD_VARIABLE)
    if path is not None and others_can_read(path):
        report(f"{path} can be read by other users of this machine; chmod 600 prevents that", "web")
    if password is None and address not in (*LOOPBACK, "::1"):
        report(f"anybody who can reach {address} can use the engine; --password-file asks for a password", "web")
    return password


async def _serve(
    args: argparse.Namespace, options: Options | None, sockets: list[socket.socket], password: str | None
) -> None:
    """Serve the page until a signal ends it. A browser may connect before: it waits in the socket's backlog."""
    import asyncio

    with uncollected():
        from othello_bot.base import posix
        from othello_bot.web.site import serving

    ended = asyncio.Event()
    posix.call_on_end_signals(asyncio.get_running_loop(), ended.set)
    public = args.listen != HOST
    async with serving(sockets, options, names=args.name, public=public, password=password) as service:
        futures: set[asyncio.Future[Any]] = {asyncio.ensure_future(ended.wait()), service.working}
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)


def _announce(args: argparse.Namespace, port: int) -> None:
    """Print the address and open it in a browser."""
    shown = HOST if args.listen in (HOST, "0.0.0.0", "::") else args.listen
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    report("the page is served there; Ctrl-C ends it", "web")
    if not args.no_browser:
        # In a thread: some browsers are waited for.
        threading.Thread(target=_open, args=(address,), daemon=True).start()


def _open(address: str) -> None:
    import webbrowser  # imported here, in its thread: the first page does not wait for it

    if not webbrowser.open(address):
        report("no browser found; open the address in one", "web")


def _sockets(address: str, port: int | None) -> list[socket.socket]:
    """Return listening sockets; without a port, a free one if the usual one is taken. Raise OSError."""
    if port is None:
        try:
            return _bound(address, PORT)
        except OSError:
            return _bound(address, 0)
    return _bound(address, port)


def _bound(address: str, port: int) -> list[socket.socket]:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.create_server((address, port), family=family, backlog=64)
    listening.setblocking(False)
    return [listening]


def _failed(text: str) -> int:
    report(text, "web")
    return 1
