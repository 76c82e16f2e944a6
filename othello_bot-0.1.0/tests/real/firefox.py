"""A Firefox without a window, driven over WebDriver BiDi, which it speaks without a driver program."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from websocket import create_connection

PATIENCE_S: Final = 240

SETTINGS: Final = {
    "browser.aboutwelcome.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
}
"""No pages of Firefox's own in front of the tab: what is not seen is not drawn."""

LISTENS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Firefox:
    """One tab."""

    def __init__(self, address: str) -> None:
        self._socket = create_connection(f"{address}/session", PATIENCE_S, suppress_origin=True)
        self._number = 0
        self.ask("session.new", capabilities={})
        self._tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the result of a command."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                assert message["type"] == "success", message
                result: dict[str, Any] = message["result"]
                return result

    def open(self, address: str) -> None:
        """Load a page."""
        self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def reload(self) -> None:
        """Load the page anew."""
        self.ask("browsingContext.reload", context=self._tab, wait="complete")

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page: a text, a number or a truth value."""
        words = {"expression": script, "target": {"context": self._tab}, "awaitPromise": True}
        result = self.ask("script.evaluate", **words)
        assert result["type"] == "success", result
        return result["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true; return its value."""
        end_s = time.monotonic() + PATIENCE_S
        while not (value := self.run(script)):
            assert time.monotonic() < end_s, script
            time.sleep(0.05)
        return value


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Start a browser with an empty profile."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    assert program is not None, "needs Firefox, for example: apt-get install firefox-esr"
    profile.mkdir()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in SETTINGS.items())
    (profile / "user.js").write_text("".join(lines))
    said = profile.with_suffix(".log")
    words = ("--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0", "about:blank")
    with said.open("w") as log, subprocess.Popen([program, *words], stdout=log, stderr=log) as process:
        try:
            with closing(Firefox(_address(process, said))) as browser:
                yield browser
        finally:
            process.terminate()


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    """Return where the browser listens, once it says so."""
    end_s = time.monotonic() + PATIENCE_S
    while not (listens := LISTENS.search(said.read_text())):
        assert process.poll() is None and time.monotonic() < end_s, said.read_text()
        time.sleep(0.05)
    return listens[1]
