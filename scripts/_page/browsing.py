"""The command that serves the page, and a browser that opens it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any, Final

_PROGRAM: Final = str(Path(sys.executable).with_name("othello-bot"))

COMMAND: Final = [sys.executable, "-I", _PROGRAM, "web", "--no-browser", "--port", "0"]
"""Prints the page's address as its first line."""


def opened_browser() -> Any:
    """Return a Chromium without a window; end the script with a message if it or its driver is not installed."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        script = Path(sys.argv[0]).name
        sys.exit(f"scripts/{script}: needs Chromium, for example: apt-get install chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(driver))
