"""Reports on a machine without the tools: one sentence with the names of what to install."""

from __future__ import annotations

import pytest

from tests.launcher.checkout import Checkout

pytestmark = pytest.mark.process

SYSTEMS = ("Debian", "Fedora", "macOS")


def refusal(checkout: Checkout, **variables: str) -> str:
    """Return the only line that a start ends with, after checking that nothing else happened."""
    ended = checkout.run(**variables)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert not (checkout.root / ".venv").exists()
    [line] = ended.stderr.splitlines()
    assert line.startswith("othello-bot: ")
    assert all(system in line for system in SYSTEMS)
    return line


def test_without_a_compiler(fresh: Checkout) -> None:
    (fresh.tools / "cc").unlink()
    line = refusal(fresh, CC="")
    assert "needs a C compiler," in line
    assert '"sudo apt install build-essential"' in line
    assert '"xcode-select --install"' in line


def test_with_a_compiler_that_does_not_compile(fresh: Checkout) -> None:
    """As the `cc` of macOS before its command line tools are installed."""
    (fresh.tools / "cc").write_text("#!/bin/sh\nexit 1\n")
    assert "needs a C compiler," in refusal(fresh, CC="")
    assert "CC is set to 'cc -O1'" in refusal(fresh, CC="cc -O1")


@pytest.mark.parametrize(("lacks", "package"), [("headers", "-dev"), ("venv", "-venv")])
def test_with_half_a_python(fresh: Checkout, lacks: str, package: str) -> None:
    line = refusal(fresh, FAKE_LACKS=lacks)
    assert lacks in line
    assert f'{package}" (Debian' in line


def test_everything_missing_is_named_at_once(fresh: Checkout) -> None:
    (fresh.tools / "cc").unlink()
    line = refusal(fresh, FAKE_LACKS="venv headers")
    for word in ("a C compiler", "venv module", "C headers", "build-essential", "-venv", "-dev"):
        assert word in line


def test_with_an_old_python(fresh: Checkout) -> None:
    line = refusal(fresh, FAKE_OLD="1")
    assert "Python 3.10 or newer" in line
    assert str(fresh.tools / "python3") in line


def test_a_complete_python_is_preferred(fresh: Checkout) -> None:
    """The first on the list lacks the headers, a later one has everything."""
    whole = (fresh.tools / "python3").read_text()
    (fresh.tools / "python3.12").write_text(whole)
    (fresh.tools / "python3.12").chmod(0o755)
    (fresh.tools / "python3").write_text(whole.replace("exec ", "FAKE_LACKS=headers exec "))
    assert fresh.run(OTHELLO_BOT_PYTHON="").stdout.startswith("engine:")
    assert [line[0] for line in fresh.asked("-m", "venv")] == ["python3.12"]
