"""The page's engine in a web worker: everything that a tab asks, where Python can start no thread."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import pytest

from othello_bot.engine import Engine, Options, task
from othello_bot.web import engines
from othello_bot.web.worker import Worker

T = TypeVar("T")

OPENING = "f5d6c3d3c4"


def refuse_to_start(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


class Loop(asyncio.SelectorEventLoop):
    """Runs in the caller's thread what is meant for another one, as Pyodide's loop does."""

    def run_in_executor(self, executor: Any, function: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        done = self.create_future()
        try:
            done.set_result(function(*arguments))
        except Exception as error:  # noqa: BLE001 - raised where it is awaited
            done.set_exception(error)
        return done


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", refuse_to_start)
    monkeypatch.setattr(task, "HAS_THREADS", False)


class Page:
    """What the page has received."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []
        self.worker = Worker(lambda text: self.said.append(json.loads(text)), "edition")

    def ask(self, **message: object) -> None:
        self.worker.receive(json.dumps(message))

    async def until(self, number: int, *kinds: str) -> dict[str, Any]:
        """Return the first reply of a kind to a question, once it has come."""
        while True:
            for reply in self.said:
                if reply.get("id") == number and reply["kind"] in kinds:
                    return reply
            await asyncio.sleep(0.01)


def run(main: Callable[[Page], Coroutine[Any, Any, None]], *, complete: bool = True) -> None:
    async def whole() -> None:
        page = Page()
        try:
            if complete:
                await page.worker.complete()
            await asyncio.wait_for(main(page), 300)
        finally:
            await page.worker.close()

    loop = Loop()
    try:
        loop.run_until_complete(whole())
    finally:
        loop.close()


@pytest.mark.slow
def test_every_question_of_the_page_is_answered() -> None:
    async def main(page: Page) -> None:
        assert page.said[0]["kind"] == "hello" and page.said[0]["edition"] == "edition"
        page.ask(do="move", id=1, moves=OPENING)
        assert (await page.until(1, "move"))["move"]
        page.ask(do="move", id=2, moves=OPENING, strength=6, clock={"left_s": 60})
        assert (await page.until(2, "move"))["source"] == "person"
        page.ask(do="move", id=3, moves=OPENING, strategy="minimax:2")
        assert (await page.until(3, "move"))["source"] == "strategy"
        page.ask(do="review", id=4, moves=OPENING, level=4)
        assert len((await page.until(4, "reviewed"))["people"]) == 5
        page.ask(do="people", id=5, moves=OPENING, rating=1200)
        assert (await page.until(5, "people"))["moves"]
        page.ask(do="opening", id=6, moves=OPENING)
        assert await page.until(6, "opening")
        page.ask(do="text", id=7, moves=OPENING, format="sgf")
        assert "B[f5]" in (await page.until(7, "text"))["text"]
        page.ask(do="move", id=8, moves="f5f5")
        assert "illegal move 'f5'" in (await page.until(8, "error"))["text"]

    run(main)


def test_a_stop_ends_an_endless_search_and_the_next_question_is_answered() -> None:
    async def main(page: Page) -> None:
        page.ask(do="values", id=1, moves=OPENING, level=21, infinite=True)
        await page.until(1, "values")
        page.ask(do="stop", id=1)
        page.ask(do="values", id=2, moves=OPENING, level=4)
        while not (await page.until(2, "values")) or not page.said[-1]["done"]:
            await asyncio.sleep(0.01)
        assert not any(reply["done"] for reply in page.said if reply.get("id") == 1)

    run(main)


def test_files_are_read() -> None:
    async def main(page: Page) -> None:
        def reply_to(content: bytes) -> dict[str, Any]:
            files = [{"name": "games.txt", "base64": base64.b64encode(content).decode()}]
            reply: dict[str, Any] = json.loads(page.worker.games(json.dumps({"files": files})))
            return reply

        assert [game["moves"] for game in reply_to(b"f5d6c3\n")["games"]] == ["f5d6c3"]
        assert reply_to(b"")["kind"] == "error"
        assert reply_to(b"f5f5\n")["kind"] == "error"

    run(main)


def test_what_needs_the_model_of_people_waits_for_it_and_what_was_stopped_meanwhile_is_not_asked() -> None:
    async def main(page: Page) -> None:
        page.ask(do="people", id=1, moves=OPENING, rating=1200)
        page.ask(do="move", id=2, moves=OPENING, strength=6)
        page.ask(do="review", id=3, moves=OPENING, level=4)
        page.ask(do="stop", id=3)
        page.ask(do="values", id=4, moves=OPENING, level=4)
        page.ask(do="move", id=5, moves="f5f5")
        await page.until(4, "values")
        await page.until(5, "error")
        assert {1, 2}.isdisjoint(reply.get("id") for reply in page.said)
        await page.worker.complete()
        assert (await page.until(1, "people"))["moves"] and (await page.until(2, "move"))["source"] == "person"
        assert not any(reply.get("id") == 3 for reply in page.said)

    run(main, complete=False)


def test_an_engine_that_cannot_be_made_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(options: Options) -> Engine:
        raise MemoryError

    async def main(page: Page) -> None:
        with pytest.raises(MemoryError):
            await page.worker.complete()

    monkeypatch.setattr(engines, "_made", refuse)
    run(main, complete=False)
