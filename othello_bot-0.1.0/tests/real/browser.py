"""The page in a Chromium, driven by selenium, the client of the driver that Debian brings: for the tests, and for the
scripts that time and draw the page.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Final

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver import Chrome
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from othello_bot.base.notation import parse_square

PATIENCE_S: Final = 60

SCRIPT_S: Final = 240
"""How long a script may take: that of axe reads the whole page, which takes half a minute where the machine is busy."""

PROGRAM: Final = Path(sys.executable).with_name("othello-bot")
"""The installed command of this environment."""

ARGUMENTS: Final = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --hide-scrollbars"
)


@contextmanager
def served(*words: str) -> Iterator[str]:
    """Serve the page by the command with these arguments; yield its address. Ctrl-C must end it without a trace."""
    command = [sys.executable, "-I", str(PROGRAM), "web", "--no-browser", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stderr is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.send_signal(2)
        assert server.wait(PATIENCE_S) == 0
        said = server.stderr.read()
        assert "Traceback" not in said, said


@contextmanager
def chromium(*further: str) -> Iterator[Chrome]:
    """Start a browser without a window on the screen, with further arguments.

    Raise FileNotFoundError if it or its driver is not installed.
    """
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        raise FileNotFoundError("needs Chromium and its driver, for example: apt-get install chromium-driver")
    options = webdriver.ChromeOptions()
    for argument in (*ARGUMENTS.split(), *further):
        options.add_argument(argument)
    options.binary_location = program
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    browser.set_script_timeout(SCRIPT_S)
    try:
        yield browser
    finally:
        browser.quit()


class Page:
    """A tab with the page."""

    patience_s: ClassVar[float] = PATIENCE_S

    def __init__(self, browser: Chrome, address: str, query: str = "") -> None:
        browser.switch_to.new_window("tab")
        self.browser = browser
        self.address = address
        self.handle = browser.current_window_handle
        self.resize(1300, 900)
        browser.get(address + query)
        self.ready()

    def ready(self) -> None:
        """Wait until all parts of the page are there."""
        self.until(lambda: self.all("[data-ready=true]"))

    def reload(self) -> None:
        """Load the page anew; return once all parts of it are there."""
        self.browser.refresh()
        self.ready()

    def show(self) -> Page:
        """Bring the tab to the front."""
        self.browser.switch_to.window(self.handle)
        return self

    def resize(self, width: int, height: int, *, mobile: bool = False) -> None:
        """Set the size of what is seen."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def until(self, true: Callable[[], Any]) -> Any:
        """Wait until a condition holds; return what it returned."""
        return WebDriverWait(self.browser, self.patience_s, 0.03).until(lambda _: true())

    def run(self, script: str) -> Any:
        """Return what a script returns."""
        return self.browser.execute_script(script)

    def all(self, selector: str) -> Any:
        """Return the elements of a selector."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Click the element of a selector once it can be clicked, also where the page draws it anew at that moment."""

        def clicked(browser: Chrome) -> bool:
            browser.find_element(By.CSS_SELECTOR, selector).click()
            return True

        passing = (
            ElementClickInterceptedException,
            ElementNotInteractableException,
            StaleElementReferenceException,
        )
        WebDriverWait(self.browser, self.patience_s, 0.03, passing).until(clicked)

    def text(self, selector: str) -> str:
        """Return the text of an element, "" while there is none."""
        return str(self.run(f"return document.querySelector({selector!r})?.textContent ?? ''"))

    def value(self, selector: str) -> str:
        """Return the value of a field, "" while there is none."""
        return str(self.run(f"return document.querySelector({selector!r})?.value ?? ''"))

    def set(self, name: str, value: str) -> None:
        """Set the field of a name, as a person does."""
        self.browser.execute_script(
            "const [name, value] = arguments; const field = document.getElementById(name); field.value = value;"
            "for (const event of ['input', 'change']) field.dispatchEvent(new Event(event))",
            name,
            value,
        )

    def place(self, selector: str) -> list[float]:
        """Return where an element stands: its left and upper edge, its width and height."""
        at = f"document.querySelector({selector!r}).getBoundingClientRect()"
        return list(self.run(f"const at = {at}; return [at.x, at.y, at.width, at.height]"))

    def square(self, name: str) -> None:
        """Click a square of the board."""
        self.click(f'[data-square="{parse_square(name)}"]')

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def hover(self, selector: str) -> None:
        """Rest on an element."""
        webdriver.ActionChains(self.browser).move_to_element(self.all(selector)[0]).perform()

    def mode(self, name: str) -> None:
        """Choose Play, Learn, Review or Edit."""
        self.click(f"#tab-{name}")

    def side(self, value: str) -> None:
        """Begin a new game as "X", "O", "both" or "none"; give up the one in play."""
        self.run(f"document.querySelector('[name=side][value={value}]').click()")
        self.new_game()

    def new_game(self) -> None:
        """Begin a new game; agree to give up the one in play."""
        self.run("for (const move of document.querySelectorAll('.move')) move.dataset.before = 'true'")
        self.click("#new-game")
        self.until(lambda: self.all("dialog.asking[open]") or not self.all(".move[data-before]"))
        if self.all("dialog.asking[open]"):
            self.click("dialog.asking .primary")
            self.until(lambda: not self.all("dialog.asking"))

    def play(self) -> str:
        """Begin a game by f5; return both moves once the computer has replied."""
        self.square("f5")
        self.until(lambda: "Your turn" in self.status and len(self.moves) == 4)
        return self.moves

    @property
    def status(self) -> str:
        """The line below the board."""
        return self.text("#status")

    @property
    def moves(self) -> str:
        """The moves of the list, without spaces."""
        script = "return [...document.querySelectorAll('.move')].map(one => one.firstChild.textContent).join('')"
        return str(self.run(script)).replace("pass", "pa")

    def import_files(self, *paths: Path) -> None:
        """Choose files to keep the games of, in Games."""
        self.mode("games")
        self.all("#import-files")[0].send_keys("\n".join(map(str, paths)))

    def review(self, text: str) -> None:
        """Open a game by pasting it; return once it is reviewed."""
        self.paste(text)
        self.until(lambda: self.all("#accuracies"))

    def paste(self, text: str) -> None:
        """Open a game by pasting it; return once it is read, or refused."""
        self.mode("review")
        self.run("document.getElementById('reading').open = true")
        field = self.all("#paste")[0]
        field.clear()
        field.send_keys(text)
        self.click("#read")
        self.until(lambda: not self.text("#review-reading"))
