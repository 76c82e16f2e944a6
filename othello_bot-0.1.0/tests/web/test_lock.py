"""The password of the server: nothing but the page that asks for it is served without; each browser is asked once."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest
from tornado.httpclient import HTTPClientError, HTTPResponse

from othello_bot.base.errors import InputError
from othello_bot.base.password import LONGEST, read_password
from othello_bot.web import command
from othello_bot.web.lock import FREE_FAILURES, MOST_BROWSERS, Lock
from othello_bot.web.page_files import LOGIN_FILES
from tests.web.conftest import RunningSite, ask, reply, run, served

PASSWORD = "Bücher 7"


def password(server: RunningSite, given: bytes, **headers: str):  # type: ignore[no-untyped-def]
    sent = {"Origin": f"http://{server.address}", **headers}
    return server.get("/login", method="POST", body=given, headers=sent)


def cookie_of(answer: HTTPResponse) -> str:
    return str(answer.headers["Set-Cookie"].split(";")[0])


def test_without_the_password_only_the_page_that_asks_for_it_is_served() -> None:
    async def test() -> None:
        async with served(password=PASSWORD) as server:
            page = await server.get("/?game=f5d6")
            assert page.code == 200 and b'type="password"' in page.body and b'main.js"' not in page.body
            for name in LOGIN_FILES:
                assert (await server.get(f"/{server.site.files.edition}/{name}")).code == 200
            for path in ("/main.js", f"/{server.site.files.edition}/main.js", "/puzzles.obf", "/index.html/", "/x"):
                assert (await server.get(path)).code == 403, path
            assert (await server.get("/index.html")).body == page.body
            origin = {"Origin": f"http://{server.address}"}
            upload = await server.get("/games", method="POST", body="{}", headers=origin)
            assert upload.code == 403 and json.loads(upload.body)["code"] == "password"
            for cookie in ("", "x=1", f"othello-bot-{server.port}=", f"othello-bot-{server.port}=\xff", ";;;"):
                with pytest.raises(HTTPClientError, match="403"):
                    await server.connect(Cookie=cookie)

    run(test)


@pytest.mark.process
def test_a_browser_that_gave_the_password_is_served_everything() -> None:
    async def test() -> None:
        async with served(password=PASSWORD) as server:
            assert json.loads((await server.get("/login")).body)["needed"]
            answer = await password(server, PASSWORD.encode())
            cookie = cookie_of(answer)
            assert answer.code == 200 and "Bücher" not in cookie and len(cookie) > 40
            known = {"Cookie": cookie}
            page = await server.get("/", headers=known)
            assert b"main.js" in page.body
            before = await server.get("/", headers={"If-None-Match": page.headers["Etag"]})
            assert before.code == 200 and b'type="password"' in before.body  # not the page from the browser's cache
            assert not json.loads((await server.get("/login", headers=known)).body)["needed"]
            assert (await server.get("/main.js", headers=known)).code == 200
            origin = {"Origin": f"http://{server.address}"}
            upload = await server.get("/games", method="POST", body="{}", headers={**origin, **known})
            assert upload.code == 200
            tab = await server.connect(**known)
            assert (await reply(tab))["kind"] == "hello"
            assert (await ask(tab, do="opening", moves="f5"))[0]["kind"] == "opening"
            assert cookie_of(await password(server, PASSWORD.encode())) != cookie

    run(test)


def test_the_cookie_is_for_this_page_alone() -> None:
    async def test() -> None:
        async with served(password=PASSWORD, names=["othello.example.org"]) as server:
            plain = await password(server, PASSWORD.encode())
            behind = {"Host": "othello.example.org", "Origin": "https://othello.example.org"}
            by_https = await password(server, PASSWORD.encode(), **behind)
            for answer in (plain, by_https):
                parts = {part.strip().lower() for part in answer.headers["Set-Cookie"].split(";")}
                assert {"httponly", "samesite=lax", "path=/"} <= parts
                assert not any(part.startswith("domain") for part in parts)
                assert ("secure" in parts) == (answer is by_https)

    run(test)


@pytest.mark.parametrize(
    "given", [b"", b"bucher 7", PASSWORD.encode("latin-1"), PASSWORD.encode() + b"\n", b"\xff" * 900]
)
def test_another_password_is_refused(given: bytes) -> None:
    async def test() -> None:
        async with served(password=PASSWORD) as server:
            answer = await password(server, given)
            assert answer.code == 403 and "Set-Cookie" not in answer.headers

    run(test)


def test_another_site_cannot_give_a_password() -> None:
    async def test() -> None:
        async with served(password=PASSWORD) as server:
            assert (await password(server, PASSWORD.encode(), Origin="http://evil.example")).code == 403
            assert (await server.get("/login", method="POST", body=PASSWORD.encode())).code == 403
            assert (await password(server, b"x" * 2000)).code != 200
            assert (await password(server, PASSWORD.encode())).code == 200

    run(test)


def test_many_wrong_passwords_must_wait_and_known_browsers_need_not() -> None:
    async def test() -> None:
        async with served(password=PASSWORD) as server:
            known = {"Cookie": cookie_of(await password(server, PASSWORD.encode()))}
            codes = [(await password(server, b"wrong")).code for _ in range(FREE_FAILURES + 3)]
            assert codes == [403] * (FREE_FAILURES + 1) + [429] * 2
            late = await password(server, PASSWORD.encode())
            assert late.code == 429 and 0 < int(late.headers["Retry-After"]) < 10
            assert b"main.js" in (await server.get("/", headers=known)).body

    run(test)


def test_the_wait_ends_and_the_oldest_browser_is_forgotten() -> None:
    lock = Lock(PASSWORD, 80, now_s=0)
    for _ in range(FREE_FAILURES + 1):
        assert lock.token(b"wrong", 0) is None
    assert lock.wait_s(0) == pytest.approx(5)
    assert lock.wait_s(5.1) == 0
    tokens = [lock.token(PASSWORD.encode(), 6) for _ in range(MOST_BROWSERS + 1)]
    assert [lock.admits(token) for token in (tokens[0], tokens[1], tokens[-1])] == [False, True, True]


def test_accents_may_be_composed_in_either_way() -> None:
    lock = Lock(unicodedata.normalize("NFD", PASSWORD), 80, now_s=0)
    assert lock.token(unicodedata.normalize("NFC", PASSWORD).encode(), 0)


@pytest.mark.parametrize(
    ("content", "expected"), [(b"a b\r\nsecond\n", "a b"), (b" \xe9\x9b\xaa ", " 雪 "), (b"x" * LONGEST, "x" * LONGEST)]
)
def test_a_file_holds_the_password(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "password").write_bytes(content)
    assert read_password(tmp_path / "password", "NO_SUCH_VARIABLE") == expected


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\nsecond", b"caf\xe9", b"a\0b", b"a\tb", b"x" * (LONGEST + 1), b"x" * 2000]
)
def test_a_password_that_nobody_can_type_is_refused_without_being_shown(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "password").write_bytes(content)
    with pytest.raises(InputError, match="1 to 200 characters") as error:
        read_password(tmp_path / "password", "NO_SUCH_VARIABLE")
    assert str(error.value).startswith("password '(hidden)'")


def test_the_variable_is_read_once_and_an_empty_one_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(command.PASSWORD_VARIABLE, "secret")
    assert read_password(None, command.PASSWORD_VARIABLE) == "secret"
    assert command.PASSWORD_VARIABLE not in os.environ and read_password(None, command.PASSWORD_VARIABLE) is None
    monkeypatch.setenv(command.PASSWORD_VARIABLE, "")
    with pytest.raises(InputError):
        read_password(None, command.PASSWORD_VARIABLE)


@pytest.mark.parametrize(
    ("address", "given", "warned"),
    [("127.0.0.1", False, False), ("::1", False, False), ("0.0.0.0", False, True), ("0.0.0.0", True, False)],
)
def test_a_server_for_other_machines_without_a_password_warns(
    address: str, given: bool, warned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "password"
    path.write_text("secret")
    path.chmod(0o600)
    assert command._password(path if given else None, address) == ("secret" if given else None)
    assert ("anybody who can reach 0.0.0.0 can use the engine" in capsys.readouterr().err) == warned


def test_a_password_file_that_others_can_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "password"
    path.write_text("secret")
    path.chmod(0o644)
    command._password(path, "127.0.0.1")
    said = capsys.readouterr().err
    assert "can be read by other users" in said and "secret" not in said
