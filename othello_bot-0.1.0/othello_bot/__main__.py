"""Where the command `othello-bot` and `python -m othello_bot` begin: Ctrl-C ends them without a traceback."""

import contextlib
import gc
import signal
import sys


def main() -> int:
    """Run the command line; return the exit code, 130 for an interrupt that no command took."""
    gc.disable()  # what is imported stays, and looking through it takes a tenth of a start and of the end
    try:
        from othello_bot.base.output import flush_stdout, make_stderr_lossy, open_closed_streams, report
        from othello_bot.cli import prepared  # here, because Ctrl-C may come while it is imported

        make_stderr_lossy()
        open_closed_streams()
        try:
            run = prepared()
            gc.freeze()
            gc.enable()
            code = run()
        except OSError as error:  # a command tells those of its files
            with contextlib.suppress(OSError):
                flush_stdout()
            report(error)
            code = 1
    except KeyboardInterrupt:
        code = 130
    # If Ctrl-C came while text was executed, as `dataclass` does, CPython believes that nobody handled it, and ends by
    # SIGINT instead of the code; executing any text corrects that.
    exec("")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C again, while Python shuts down, ends the process in silence
    return code


if __name__ == "__main__":
    sys.exit(main())
