"""The page behind nginx by HTTPS, with the configuration of docs/proxy.md and a password, in a real Chromium."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver import Chrome

from tests.real.browser import Page, chromium, served
from tests.real.conftest import REPOSITORY
from tests.web.backups import backup, entry

PASSWORD = "Bücher 7"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def proxied(folder: Path, public: int, private: int, path: str = "/") -> Iterator[None]:
    """Run nginx with the server of the documentation, under the name localhost and below a path."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert nginx is not None, "needs nginx, for example: apt-get install nginx-light"
    key, certificate = folder / "othello.key", folder / "othello.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    [server] = re.findall(r"```nginx\n(.*?)```", (REPOSITORY / "docs" / "proxy.md").read_text(), re.DOTALL)
    for told, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{public} ssl"),
        ("othello.example.org", "localhost"),
        ("/etc/ssl/certs/othello.pem", str(certificate)),
        ("/etc/ssl/private/othello.key", str(key)),
        ("location / {", f"location {path} {{"),
        ("127.0.0.1:8064;", f"127.0.0.1:{private}{'' if path == '/' else '/'};"),
    ):
        assert told in server
        server = server.replace(told, here)
    paths = "".join(f"{name}_temp_path {folder};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {paths}\n{server} }}\n"
    )
    command = [nginx, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield
        finally:
            process.terminate()
            assert process.stderr is not None
            print(process.stderr.read())


def log_in(page: Page, password: str) -> None:
    page.until(lambda: page.all("#password"))
    field = page.all("#password")[0]
    field.clear()
    field.send_keys(password)
    page.click("#login button")


def asked_for(browser: Chrome, address: str) -> Page:
    """Open an address that asks for the password."""
    browser.get(address)
    page = Page.__new__(Page)
    page.browser, page.address, page.handle = browser, address, browser.current_window_handle
    page.until(lambda: page.all("#password"))
    return page


def test_the_page_by_https_asks_for_the_password_once(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    (tmp_path / "password").chmod(0o600)
    public, private = free_port(), free_port()
    words = ["--port", str(private), "--hash", "4", "--name", f"localhost:{public}"]
    words += ["--password-file", str(tmp_path / "password")]
    address = f"https://localhost:{public}/"
    with proxied(tmp_path, public, private), chromium("--ignore-certificate-errors") as browser:
        with served(*words):
            page = asked_for(browser, f"{address}?game=f5d6")
            log_in(page, "wrong")
            page.until(lambda: page.text("#login-error") == "The password is wrong.")
            log_in(page, PASSWORD)
            page.ready()
            assert page.moves == "f5d6"
            [cookie] = browser.get_cookies()
            assert (cookie["httpOnly"], cookie["secure"], cookie["sameSite"]) == (True, True, "Lax")
            assert len(cookie["value"]) > 40 and page.run("return document.cookie") == ""
            other = Page(browser, address)  # is not asked
            before = other.play()
            (tmp_path / "games.json").write_text(backup([entry(seed) for seed in range(3)]))
            (tmp_path / "many.txt").write_text("f5d6c3\n" * 60_000)  # more than nginx takes by default
            other.import_files(tmp_path / "games.json", tmp_path / "many.txt")
            other.until(lambda: "Kept" in other.text("#games-said"))
            other.mode("play")
        with served(*words):
            other.until(lambda: other.all("#password"))  # a server that was started again knows no browser
            log_in(other, PASSWORD)
            other.ready()
            assert other.moves == before
            other.until(lambda: "Your turn" in other.status)


def test_the_page_below_a_path_is_complete_and_logs_out(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    (tmp_path / "password").chmod(0o600)
    public, private = free_port(), free_port()
    words = ["--port", str(private), "--hash", "4", "--name", f"localhost:{public}"]
    words += ["--password-file", str(tmp_path / "password")]
    address = f"https://localhost:{public}/othello"  # nginx leads to the folder
    with (
        proxied(tmp_path, public, private, "/othello/"),
        chromium("--ignore-certificate-errors") as browser,
        served(*words),
    ):
        page = asked_for(browser, address)
        assert browser.current_url.endswith("/othello/")
        log_in(page, PASSWORD)
        page.ready()
        page.play()
        (tmp_path / "games.txt").write_text("f5d6c3\n")
        page.import_files(tmp_path / "games.txt")
        page.until(lambda: page.all("#tools #leave-button"))
        page.click("#leave-button")
        page.until(lambda: page.all("#password"))
        browser.refresh()
        page.until(lambda: page.all("#password"))
        log_in(page, PASSWORD)
        page.ready()
