"""systemd itself reads the unit of docs/examples; tests/launcher runs its command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.real.conftest import REPOSITORY


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    text = (REPOSITORY / "docs" / "examples" / "othello-bot.service").read_text(encoding="utf-8")
    told = "/opt/othello-bot/bin/othello-bot"
    assert told in text
    unit = tmp_path / "othello-bot.service"
    unit.write_text(text.replace(told, str(Path(sys.executable).with_name("othello-bot"))), encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")
