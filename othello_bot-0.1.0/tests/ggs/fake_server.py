"""A small GGS for tests: the parts that a client needs, and faults on command.

Each message has a mark of its source:

    [session]    the public recorded session of neural-reversi (crates/cli/tests/fixtures/ggs)
    [server]     the code of the server itself (Service/GameLib: EXE_Service, Match, Game)
    [odk]        the comments of Chris Welty's ODK on messages that he saw
    [edax] [egaroucid]    what these clients send or parse
    [guess]      nothing that was found shows it

It writes its text apart from `protocol`, so that an error there does not agree with itself.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from othello_bot.base.notation import PASS, is_move, parse_move
from othello_bot.rules import Position
from tests.ggs.fake_match import RATING, ServedGame, ServedMatch, clock_text, random_start


@dataclass
class ServerFaults:
    """What goes wrong: seconds of delay, text in pieces, and for a player: garbage, lost lines and other clocks."""

    delay_s: float = 0.0
    pieces: int = 0
    garbage: dict[str, bytes] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)
    damaged: dict[str, int] = field(default_factory=dict)
    clocks: dict[str, str] = field(default_factory=dict)
    mute: set[str] = field(default_factory=set)


class FakeServer:
    """The server. `pace` seconds of a game's clock pass in a second."""

    def __init__(self, seed: int = 1, pace: float = 1.0, password: str = "secret") -> None:
        self.random = random.Random(seed)
        self.pace = pace
        self.password = password
        self.faults = ServerFaults()
        self.writers: dict[str, asyncio.StreamWriter] = {}
        self.received: list[tuple[str, str]] = []
        self.matches: dict[str, ServedMatch] = {}
        self.requests: dict[str, tuple[str, str, str, str, str]] = {}
        self.stored: dict[str, ServedMatch] = {}
        self.archive: dict[str, ServedMatch] = {}
        self.finished: list[ServedMatch] = []
        self.timeouts: list[tuple[str, str]] = []
        self.refusals: list[str] = []
        self.connections = 0
        self._hidden: dict[str, list[tuple[str, list[str]]]] = {}
        self._without_acks: set[str] = set()
        self._order: dict[int, asyncio.Lock] = {}
        self._number = 4
        self._counter = 1000
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> FakeServer:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *exception: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self.writers.values():
            writer.transport.abort()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self, name: str) -> None:
        """Break the connection of a player."""
        if name in self.writers:
            self.writers[name].transport.abort()

    # -- text -------------------------------------------------------------------------------------------------------

    def tell(self, name: str, lines: list[str]) -> None:
        """Send a message of the Othello service to a player."""
        head, *rest = lines
        self._write(name, "\n".join(["", f"/os: {head}", *(f"|{line}" for line in rest), "READY", ""]))  # [session]

    def _write(self, name: str, text: str) -> None:
        writer = self.writers.get(name)
        if writer is None or writer.is_closing() or name in self.faults.mute:
            return
        if self.faults.lost.get(name, 0) > 0 and "/os: update" in text:
            self.faults.lost[name] -= 1
            return
        if self.faults.damaged.get(name, 0) > 0 and "/os: update" in text:
            self.faults.damaged[name] -= 1
            text = text.replace("\n| 4 ", "\n| 5 ")
        data = self.faults.garbage.pop(name, b"") + text.encode()
        if self.faults.delay_s or self.faults.pieces:
            self._later(self._write_slowly(writer, data))
        else:
            writer.write(data)

    async def _write_slowly(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        await asyncio.sleep(self.faults.delay_s)
        size = self.faults.pieces or len(data)
        async with self._order.setdefault(id(writer), asyncio.Lock()):
            for at in range(0, len(data), size):
                if not writer.is_closing():
                    writer.write(data[at : at + size])
                    await asyncio.sleep(0)

    def _later(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- connections ------------------------------------------------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        name = ""
        try:
            writer.write(
                b"\nGeneric Game Server (fake)\n\n: Enter login (yours, or one you'd like to use).\n"
            )  # [session]
            name = (await reader.readline()).decode().strip()
            writer.write(b": Enter your password.\n")  # [session]
            if (await reader.readline()).decode().strip() != self.password:
                writer.write(b": Enter login (yours, or one you'd like to use).\n")  # [guess]
                return
            if name in self.writers:
                self.cut(name)  # [guess]
                self._left_the_server(name)
            self.writers[name] = writer
            self._write(name, "READY\n: + /os 1\nREADY\n")  # [session] [edax]
            self._notify_stored(name)
            while line := await reader.readline():
                self.received.append((name, line.decode("utf-8", "replace").strip()))
                self._command(name, line.decode("utf-8", "replace").split())
        except OSError:
            pass
        finally:
            if self.writers.get(name) is writer:
                self._left_the_server(name)
            writer.close()

    def _left_the_server(self, name: str) -> None:
        self.writers.pop(name, None)
        self._without_acks.discard(name)
        for request, (one, two, *_) in list(self.requests.items()):
            if name in (one, two):
                self._withdraw(request)
        for match in [match for match in self.matches.values() if name in match.players]:
            self._adjourn(match, name)

    def _notify_stored(self, name: str) -> None:
        for match in self.stored.values():
            if name in match.players:
                other = match.players[match.players[0] == name]
                if other in self.writers:
                    self.tell(other, [f"+ {name} stored"])  # [server]

    def _command(self, name: str, words: list[str]) -> None:
        if words[:1] == ["verbose"] and "-ack" in words:
            self._without_acks.add(name)
        elif name not in self._without_acks:
            self._write(name, f": +ack:  {' '.join(words)} => {' '.join(words)}\nREADY\n")  # [session]
        if words[:2] in (["tell", "/os"], ["t", "/os"]) or words[:1] == ["ts"]:  # [edax] [egaroucid]
            verb, *rest = words[1:] if words[0] == "ts" else words[2:]
            action = getattr(self, f"_os_{verb}", None)
            if action is not None:
                action(name, rest)
        elif words[:1] == ["tell"] and len(words) > 2:
            self._write(words[1], f"\n{name}: {' '.join(words[2:])}\nREADY\n")  # [odk]
        elif words[:1] == ["quit"]:
            self.writers[name].close()

    # -- commands to the Othello service ----------------------------------------------------------------------------

    def _os_ask(self, name: str, words: list[str]) -> None:
        if len(words) == 1:
            self._ask_stored(name, words[0])
            return
        kind, clock, opponent = words
        if opponent not in self.writers:
            self.tell(name, [f"ask ERR not found: {opponent}"])  # [server]
            return
        self._propose(name, opponent, kind, clock, "")

    def _propose(self, one: str, two: str, kind: str, clock: str, stored: str) -> None:
        request = f".{self._next()}"
        self.requests[request] = (one, two, kind, clock, stored)
        for name in (one, two):
            self.tell(name, [f"+   {self._request_text(request)}"])

    def _request_text(self, request: str) -> str:
        one, two, kind, clock, stored = self.requests[request]
        text = f"{request} {RATING} {one:<8} {clock:>11}       {kind} R {RATING} {two} {stored}"  # [session] [server]
        return text.rstrip()

    def _withdraw(self, request: str) -> None:
        text = self._request_text(request)
        for name in self.requests.pop(request)[:2]:
            self.tell(name, [f"-   {text}"])  # [session]

    def _os_continue(self, name: str, words: list[str]) -> None:
        for counter, match in list(self.stored.items()):
            if name in match.players:
                self._ask_stored(name, counter)

    def _ask_stored(self, name: str, counter: str) -> None:
        match = self.stored.get(counter)
        if match is None or any(name in other.players for other in self.matches.values()):
            return
        other = match.players[match.players[0] == name]
        if other not in self.writers:
            return
        asked = [request for request, value in self.requests.items() if value[4] == counter]
        if any(self.requests[request][0] == other for request in asked):
            self._os_accept(name, [next(request for request in asked if self.requests[request][0] == other)])
        elif not asked:
            self._propose(name, other, match.kind, match.clock, counter)

    def _os_accept(self, name: str, words: list[str]) -> None:
        if words[0] not in self.requests or self.requests[words[0]][1] != name:
            self.tell(name, [f"accept ERR not found: {words[0]}"])  # [server]
            return
        one, two, kind, clock, stored = self.requests[words[0]]
        if any({one, two} & set(match.players) for match in self.matches.values()):
            return
        if stored:
            match = self.stored.pop(stored)
            match.id = f".{self._next()}"
        else:
            match = self._new_match(one, two, kind, clock)
        self.matches[match.id] = match
        for player in match.players:
            self.tell(player, [f"+ match {match.head} "])  # [session] [server]
            for index in range(len(match.games)):
                self.tell(player, match.join(index))
        for request, value in list(self.requests.items()):
            if set(value[:2]) & set(match.players):
                self._withdraw(request)  # [server] who plays as much as he wants has no requests
        for game in match.games:
            game.moved = game.position.is_over
        self._start_clocks(match)

    def _new_match(self, one: str, two: str, kind: str, clock: str) -> ServedMatch:
        discs = kind.partition("r")[2]
        start = random_start(int(discs), self.random) if discs else Position.start()
        initial, _, rest = clock.partition("/")
        minutes, _, seconds = initial.rpartition(":")
        left = 60.0 * int(minutes or 0) + int(seconds)
        black = 1 if kind.endswith("w") else 0
        games = [ServedGame(black, start, [left, left], pace=self.pace)]
        if kind.startswith("s"):
            games.append(ServedGame(1 - black, start, [left, left], pace=self.pace))
        extension = rest.rpartition("/")[2] or "00:00"
        return ServedMatch(
            f".{self._next()}",
            (one, two),
            kind,
            f"{clock_text(left)}//{extension}",
            True,
            games,
            clocks=self.faults.clocks,
        )

    def _start_clocks(self, match: ServedMatch) -> None:
        for game in match.games:
            if not game.position.is_over:
                game.running_since = time.monotonic()

    def _os_decline(self, name: str, words: list[str]) -> None:
        if words[0] in self.requests:
            self._withdraw(words[0])

    def _os_moves(self, name: str, words: list[str]) -> None:
        match = self.matches.get(".".join(words[0].split(".")[:2]))
        if match is None:
            self.tell(name, [f"moves ERR not found: {words[0]}"])  # [guess]
            return
        for index in range(len(match.games)):
            self.tell(name, self._join_for(match, index, name))

    def _join_for(self, match: ServedMatch, index: int, name: str) -> list[str]:
        """Return the board without a last move that the player must not see yet. [server]"""
        game, other = match.games[index], match.games[1 - index] if match.synchro else None
        if other is None or len(game.moves) - len(other.moves) != 1 or match.players[game.to_move] != name:
            return match.join(index)
        moves, position = game.moves, game.position
        game.undo()
        lines = match.join(index)
        game.moves, game.position = moves, position
        return lines

    def _os_stored(self, name: str, words: list[str]) -> None:
        if not words:
            self._list(name, "stored", self.stored, ":l")  # [odk]

    def _os_history(self, name: str, words: list[str]) -> None:
        self._list(name, "history", self.archive, "")  # [odk]

    def _list(self, name: str, what: str, matches: dict[str, ServedMatch], mark: str) -> None:
        own = {counter: match for counter, match in matches.items() if name in match.players}
        rating = "" if mark else "1720 "
        rows = [
            f"{counter:<8}   26 Nov 2026 05:17:39 {rating}{match.players[0]} {rating}{match.players[1]}   "
            f"{'' if mark else '-4.0 '}{match.kind}{mark}"
            for counter, match in own.items()
        ]
        self.tell(name, [f"{what} {len(rows)} {name}", *rows])

    def _os_look(self, name: str, words: list[str]) -> None:
        match = self.archive.get(words[0])
        if match is not None:
            games = "".join(match.ggf(game) for game in match.games)
            self.tell(name, ["look", f"{len(match.games)} {games}"])  # [server]

    def _os_abort(self, name: str, words: list[str]) -> None:
        match = self.matches.get(".".join(words[0].split(".")[:2]))
        if match is None:
            return
        match.aborting.add(name)
        if len(match.aborting) == 2:
            self._end(match, "aborted")
        else:
            for index in range(len(match.games)):
                for player in match.players:
                    self.tell(player, [f"abort {match.name(index)} {name} is asking"])  # [server] [odk]

    def _os_resign(self, name: str, words: list[str]) -> None:
        for match in [match for match in self.matches.values() if name in match.players]:
            self._finish(match, 64.0 if match.players[1] == name else -64.0)

    def _os_play(self, name: str, words: list[str]) -> None:
        match, _, index = words[0].rpartition(".") if words[0].count(".") == 2 else (words[0], "", "0")
        one = self.matches.get(match)
        if one is None or name not in one.players:
            self._refuse(name, f"play ERR not found: {words[0]}")  # [server]
            return
        game = one.games[int(index)]
        if game.running_since is None or one.players[game.to_move] != name:
            self._refuse(name, f"error {words[0]} {'wrong game!' if one.synchro else 'not your turn'}")  # [server]
            return
        text, score, seconds = [*words[1].split("/"), "", ""][:3]
        if not is_move(text):
            self._refuse(name, f"error {words[0]} corrupt move")  # [odk]
            return
        move = parse_move(text)
        if not (move in game.position.legal_moves or (move == PASS and game.position.must_pass)):
            self._refuse(name, f"error {words[0]} illegal move {text}")  # [odk]
            return
        self._play(one, int(index), move, score, seconds)

    def _refuse(self, name: str, text: str) -> None:
        self.refusals.append(f"{name}: {text}")
        self.tell(name, [text])

    def _play(self, match: ServedMatch, index: int, move: int, score: str, seconds: str) -> None:
        game, player = match.games[index], match.games[index].to_move
        game.left_s[player] = game.left(player)
        game.running_since = None
        if game.left_s[player] < 0 and player not in game.late:
            game.late.add(player)
            self.timeouts.append((match.name(index), match.players[player]))
            for name in match.players:
                self.tell(name, [f"timeout {match.name(index)} {match.players[player]} (*)"])  # [server]
        game.moves.append((move, score, seconds))
        game.position = game.position.play(move)
        if not match.synchro:
            for name in match.players:
                self.tell(name, match.update(index))
            if game.position.is_over:
                self._finish(match, match.result(game))
            else:
                game.running_since = time.monotonic()
            return
        game.moved = True
        mover, other = match.players[player], match.players[1 - player]
        for line in self._synchro_lines(match, index):
            self.tell(mover, line)  # [server] only the mover sees it yet
        self._hidden.setdefault(match.id, []).extend((other, line) for line in self._synchro_lines(match, index))
        if all(one.moved for one in match.games):
            for one in match.games:
                one.moved = one.position.is_over
                one.running_since = None if one.position.is_over else time.monotonic()
            for name, line in self._hidden.pop(match.id):
                self.tell(name, line)
            if all(one.position.is_over for one in match.games):
                self._finish(match, sum(map(match.result, match.games)) / 2)

    def _synchro_lines(self, match: ServedMatch, index: int) -> list[list[str]]:
        lines = [match.update(index)]
        if match.games[index].position.is_over:
            one, two = match.players
            result = match.result(match.games[index])
            lines.append([f"end {match.name(index)} ( {one} vs. {two} ) {result:+.2f}"])  # [server] [odk]
        return lines

    # -- ends -------------------------------------------------------------------------------------------------------

    def _finish(self, match: ServedMatch, result: float) -> None:
        counter = f".{self._counter}"
        self._counter += 1
        self.archive[counter] = match
        self.finished.append(match)
        self._end(match, f"{result:+.2f} {counter}")  # [server]

    def _end(self, match: ServedMatch, text: str) -> None:
        del self.matches[match.id]
        self._hidden.pop(match.id, None)
        for name in match.players:
            self.tell(name, [f"- match {match.head} {text}"])  # [session] [server]

    def _adjourn(self, match: ServedMatch, name: str) -> None:
        for game in match.games:
            if game.running_since is not None:
                game.left_s[game.to_move] = game.left(game.to_move)
                game.running_since = None
        if match.synchro:
            one, two = match.games
            if abs(len(one.moves) - len(two.moves)) == 1 and not all(game.position.is_over for game in match.games):
                (one if len(one.moves) > len(two.moves) else two).undo()  # [server] games out of step
            for index in range(2):
                text = f"end {match.name(index)} ( {match.players[0]} vs. {match.players[1]} ) player {name} left"
                for player in match.players:
                    self.tell(player, [text])  # [server]
        counter = ""
        if match.rated:
            counter = f" .{self._counter}"
            self._counter += 1
            self.stored[counter.strip()] = match
        self._end(match, f"{name} left{counter}")  # [server]

    def _next(self) -> int:
        self._number += 1
        return self._number
