"""Fuzz one target in this process with Atheris (libFuzzer): ``python worker.py TARGET CORPUS [libFuzzer options]``.

The program is imported under instrumentation, so coverage guides the inputs. During fuzzing only the program's own
files can be opened, and those of a new temporary folder, which some parsers need: a fuzzed session gets a permission
error, as on another user's disk.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
ROOT = SCRIPTS.parent


class FileGuard:
    """Refuses to open files once `closed`: all files for writing, and files outside the program for reading.

    Files in the folder `scratch` can be opened.
    """

    def __init__(self, scratch: str) -> None:
        self.closed = False
        self._scratch = os.path.realpath(scratch) + os.sep
        self._readable = tuple(str(Path(folder).resolve()) for folder in (ROOT, sys.prefix, sys.base_prefix))

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Refuse the audited event if it opens a file; this is the audit hook."""
        if not self.closed or event != "open" or isinstance(arguments[0], int):
            return
        path, _mode, flags = arguments
        real = os.path.realpath(os.fsdecode(path))  # type: ignore[arg-type]
        if f"{real}{os.sep}".startswith(self._scratch):
            return
        writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND)
        if writes or not real.startswith(self._readable):
            raise PermissionError(1, "Operation not permitted", path)


def main() -> None:
    """Fuzz until libFuzzer's limits end it."""
    name, *options = sys.argv[1:]
    import atheris

    sys.path.insert(0, str(SCRIPTS))
    sys.path.insert(1, str(ROOT))
    with atheris.instrument_imports(include=["protocol", "othello_bot"]):
        from _fuzz.targets import all_targets

        target = all_targets()[name]
    tempfile.tempdir = tempfile.mkdtemp()  # within the command's own folder, which removes it
    guard = FileGuard(tempfile.tempdir)
    sys.addaudithook(guard)

    def one_input(data: bytes) -> None:
        guard.closed = True
        try:
            target.run(data)
        finally:
            guard.closed = False

    atheris.Setup([sys.argv[0], *options], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
