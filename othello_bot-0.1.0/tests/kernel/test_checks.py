"""What the search requires of its arguments: builds for sanitizers end where it is not so, others do not look."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest

from othello_bot import kernel

COMPILER = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
PROGRAM = (
    '#include "machine.h"\nint main(int count, char **words) { (void)words; machine_require(count > 1); return 0; }\n'
)


@pytest.mark.process
@pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason="no compiler")
@pytest.mark.parametrize(
    ("flags", "status", "message"), [((), 0, ""), (("-DOTHELLO_BOT_CHECKS",), -signal.SIGABRT, "not so: count > 1")]
)
def test_only_a_checking_build_ends_where_a_condition_does_not_hold(
    tmp_path: Path, flags: tuple[str, ...], status: int, message: str
) -> None:
    source, program = tmp_path / "check.c", tmp_path / "check"
    source.write_text(PROGRAM, encoding="utf-8")
    headers = Path(kernel.__file__).parent
    subprocess.run([*COMPILER, *flags, f"-I{headers}", str(source), "-o", str(program)], check=True)
    ended = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert ended.returncode == status
    assert message in ended.stderr
