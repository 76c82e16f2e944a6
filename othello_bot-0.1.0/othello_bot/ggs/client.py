"""The client without its connection: what it answers to each message of the server.

Commands go out through `send`. Nothing here waits or searches: `runner.py` does, and hands over the chosen moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.ggs.games import Delay, Following, joined
from othello_bot.ggs.ledger import Ledger
from othello_bot.ggs.manners import Manners
from othello_bot.ggs.policy import Policy, objection
from othello_bot.protocol import ggs, ggs_commands
from othello_bot.protocol.ggs_commands import OTHELLO_SETTINGS, SETTINGS, GgsCommand, Password
from othello_bot.protocol.ggs_values import BoardText, Damaged, match_of

ECHO_S: Final = 20.0
"""Seconds without the echo of a move after which the board is asked for."""

ASK_AGAIN_S: Final = 5.0
"""Least seconds between two questions for the boards of a match."""

ACCEPTED_S: Final = 30.0
"""Seconds for which an accepted request counts as a match, until it begins."""


_REFUSED: Final = "the server does not take this login with this password"

_NO_NEWS: Final = (ggs.LoginPrompt, ggs.PasswordPrompt, ggs.Unknown)
"""Messages that do not tell that the server has let us in."""


class LoginRefused(Exception):
    """The server asks for the login again: the password is wrong, or the name belongs to somebody else."""


class GgsClient:
    """Follows our matches. `report` gets lines for the person who runs it; `now` is a clock in seconds."""

    def __init__(
        self,
        login: str,
        policy: Policy,
        ledger: Ledger,
        send: Callable[[GgsCommand], None],
        report: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.login = login
        self.policy = policy
        self.ledger = ledger
        self.delay = Delay()
        self.games: dict[str, Following] = {}
        self.leaving = False
        """No new matches are accepted or offered."""
        self.is_ready = False
        """The server has taken the password."""
        self._send = send
        self._report = report
        self._now = now
        self._password = Password("")
        self._manners = Manners(policy.talk)
        self._asked_login = self._gave_password = self._is_let_in = False
        self._matches: dict[str, ggs.MatchStarted] = {}
        self._origins: dict[str, list[ggs.MatchRequest]] = {}
        self._requests: dict[str, ggs.MatchRequest] = {}
        self._accepted: dict[str, float] = {}
        self._asked_boards: dict[str, float] = {}
        self._offered: dict[int, float] = {}

    # -- the connection ---------------------------------------------------------------------------------------------

    def connected(self, password: Password) -> None:
        """Begin with a new connection."""
        self._password = password
        self._asked_login = self._gave_password = self._is_let_in = False

    def lost(self) -> None:
        """Take that the connection is gone: the server stores rated matches, and ends the others."""
        self.is_ready = False
        self._requests.clear()
        self._origins.clear()
        self._accepted.clear()
        self.ledger.forget_questions()
        for match in {game.match for game in self.games.values()}:
            self._interrupt(match, stored=self._is_rated(match))
        self._matches.clear()

    @property
    def playing(self) -> int:
        """Matches that we play, and those that are about to begin."""
        now_s = self._now()
        self._accepted = {one: at_s for one, at_s in self._accepted.items() if now_s - at_s < ACCEPTED_S}
        return len(self._matches) + len(self._accepted)

    def tick(self) -> None:
        """Do what is due: moves without echo, offers, games that could not be saved. Call it every second or so."""
        if not self.is_ready:
            return
        now_s = self._now()
        for game in self.games.values():
            if game.waits_for_echo and now_s - game.sent_at_s > ECHO_S:
                self._ask_boards(game.match)
        self.ledger.write()
        if self.leaving or self.playing:
            return
        for index, offer in enumerate(self.policy.offers):
            if now_s - self._offered.get(index, -offer.every_s) >= offer.every_s:
                self._offered[index] = now_s
                self._send(offer.command)
                return

    def keep_alive(self) -> None:
        """Send what the server surely answers, so that it sees us and we it; stored matches go on."""
        if self.is_ready:
            self._send(ggs_commands.set_open(self._open))
            if self.ledger.interrupted:
                self._send(ggs_commands.ASK_HISTORY)
            self._send(ggs_commands.ASK_STORED)

    @property
    def _open(self) -> int:
        return 0 if self.leaving else self.policy.accept.matches

    # -- messages ---------------------------------------------------------------------------------------------------

    def handle(self, message: ggs.Message) -> None:
        """Answer a message. Raise LoginRefused if the server does not let us in."""
        self._is_let_in |= self._gave_password and not isinstance(message, _NO_NEWS)
        action = self._ACTIONS.get(type(message))
        if action is not None:
            action(self, message)

    def _log_in(self, message: ggs.LoginPrompt) -> None:
        if self._asked_login:
            raise LoginRefused(f"{self.login}: {_REFUSED}")
        self._asked_login = True
        self._send(GgsCommand(self.login))

    def _give_password(self, message: ggs.PasswordPrompt) -> None:
        """Send the password, once a connection: what asks for it later may be anybody's text."""
        if self._gave_password and not self._is_let_in:
            raise LoginRefused(f"{self.login}: {_REFUSED}")
        if self._gave_password or not self._asked_login:
            return
        self._gave_password = True
        self._send(self._password)
        self.is_ready = True
        for setting in SETTINGS:
            self._send(GgsCommand(setting))
        self._set_up()

    def _set_up(self) -> None:
        for setting in OTHELLO_SETTINGS:
            self._send(ggs_commands.othello(setting))
        self._send(ggs_commands.set_rated(self.policy.accept.rated is not False))
        self._send(ggs_commands.set_open(self._open))
        self._send(ggs_commands.ASK_HISTORY)
        self._send(ggs_commands.ASK_STORED)

    def _service(self, message: ggs.ServiceChange) -> None:
        if message.is_up and self.is_ready:
            self._set_up()
        elif not message.is_up:
            for match in list(self._matches):
                self._interrupt(match, stored=self._is_rated(match))
            self._matches.clear()

    def _request(self, request: ggs.MatchRequest) -> None:
        if not request.offered:
            self._gone(ggs.RequestGone(request.id))
            return
        self._requests[request.id] = request
        if request.challenger == self.login or request.challenged != self.login:
            return
        if self.leaving:
            reason = "I am about to leave"
        elif request.stored and request.challenger not in self.policy.accept.never:
            reason = ""
        else:
            breaks = self._manners.breaks(request.challenger, self._now())
            reason = objection(request, self.policy.accept, breaks)
        if not reason and self.playing >= self.policy.accept.matches:
            reason = "I am playing already"
        if reason:
            self._send(ggs_commands.decline(request.id))
            self._tell(self._manners.refusal(request.challenger, reason, self._now()))
        else:
            self._accepted[request.id] = self._now()
            self._send(ggs_commands.accept(request.id))

    def _gone(self, message: ggs.RequestGone) -> None:
        self._accepted.pop(message.id, None)

    def _started(self, match: ggs.MatchStarted) -> None:
        if self.login in match.players:
            self._matches[match.id] = match
            self._origins[match.id] = self._origin(match.players)
            self._accepted.clear()
            self._report(f"{match.id}: {' against '.join(match.players)}, {match.type}")

    def _origin(self, players: tuple[str, str]) -> list[ggs.MatchRequest]:
        """Return the requests of which one began a match: those that we accepted, else our own, else all of its players."""
        both = ("", *players)
        between = [one for one in self._requests.values() if one.challenger in players and one.challenged in both]
        accepted = [one for one in between if one.id in self._accepted]
        return accepted or [one for one in between if one.challenger == self.login] or between

    def _board(self, board: BoardText) -> None:
        if board.player(self.login) is None:
            return
        game = self.games.get(board.game)
        if board.joined:
            self._join(board)
        elif game is None or game.ended:
            self._ask_boards(board.match)
        else:
            sent = game.answered_ply
            if not game.follow(board, self._now()):
                self._ask_boards(board.match)
            elif sent is not None and game.answered_ply is None:
                self.delay.measure(self._now() - game.sent_at_s)

    def _join(self, board: BoardText) -> None:
        game = joined(board, self.login, self._clock_of(board), self._now())
        if game is None:
            self._report(f"{board.game}: a game that cannot be followed")
            return
        earlier = self.games.get(game.id)
        if earlier is not None:
            game.take_over(earlier)
        elif (interrupted := self.ledger.resume(game, self._resumed(game.match))) is not None:
            self._manners.forgive(game.opponent, interrupted.match)
        self.games[game.id] = game

    def _resumed(self, match: str) -> str:
        """Return the number in the archive of the match that goes on as this one, "" if no request tells it surely."""
        numbers = {request.stored for request in self._origins.get(match, ())}
        return numbers.pop() if len(numbers) == 1 else ""

    def _clock_of(self, board: BoardText) -> TimeControl | None:
        """Return the time control of the request from which a match came, if we have seen it."""
        names = {player.name for player in board.players}
        for request in reversed(self._requests.values()):
            if {request.challenger, request.challenged} == names and request.type == board.type:
                return request.clock if request.challenger == self.login else request.own_clock or request.clock
        return None

    def _damaged(self, message: Damaged) -> None:
        match = match_of(message.game)
        for one in {match} if message.game else set(self._matches):
            if one in self._matches:
                self._ask_boards(one)

    def _ask_boards(self, match: str) -> None:
        if self._now() - self._asked_boards.get(match, -ASK_AGAIN_S) >= ASK_AGAIN_S:
            self._asked_boards[match] = self._now()
            self._send(ggs_commands.ask_moves(match))

    def _refused(self, message: ggs.Refused) -> None:
        self._report(f"the server refuses: {message.about} {message.reason}")
        if message.about == "accept":
            self._accepted.clear()
        if message.about in self.games:
            self._ask_boards(match_of(message.about))

    def _asking(self, message: ggs.Asking) -> None:
        game = self.games.get(message.game)
        if game is None or message.player == self.login or message.what != "abort":
            return
        if game.ply <= self.policy.accept.abort_plies:
            self._send(ggs_commands.abort(game.match))

    def _timed_out(self, message: ggs.TimedOut) -> None:
        if message.game in self.games:
            self.games[message.game].flags.append(message.player)
            self._report(f"{message.game}: {message.player} exceeds the time")

    def _said(self, message: ggs.Said) -> None:
        if not message.place and self.is_ready and message.player != self.login:
            self._tell(self._manners.answer(message, self.games.values(), self._now()))

    def _tell(self, answer: GgsCommand | None) -> None:
        if answer is not None:
            self._send(answer)

    # -- the end of games -------------------------------------------------------------------------------------------

    def _game_ended(self, message: ggs.GameEnded) -> None:
        game = self.games.get(message.id)
        if game is not None and message.result is not None:
            self.ledger.finish(game, _black_result(game, message.players[0], message.result))

    def _match_ended(self, message: ggs.MatchEnded) -> None:
        games = self._games_of(message.id)
        if self._matches.pop(message.id, None) is None and not games:
            return
        if message.result is not None:
            self.ledger.note_archived(message.stored)
        for request in self._origins.pop(message.id, ()):
            self._requests.pop(request.id, None)
        if message.aborted or message.left not in ("", self.login):
            opponents = {*message.players, *(game.opponent for game in games)} - {"", self.login}
            self._manners.note_break(next(iter(opponents), ""), message.id, self._now())
        if message.left or message.aborted:
            comment = "aborted" if message.aborted else ""
            self._interrupt(message.id, stored=bool(message.stored), number=message.stored, comment=comment)
            return
        for game in games:
            result = None if message.result is None else _black_result(game, message.players[0], message.result)
            if message.type.synchro:  # the result of the match is the mean of both games
                result = float(game.record.game.final_score) if game.record.game.is_over else None
            self.ledger.finish(game, result)
            self.games.pop(game.id)

    def _interrupt(self, match: str, *, stored: bool, number: str = "", comment: str = "") -> None:
        """Put the games of a match aside until it goes on; without that, save them as they are."""
        for game in self._games_of(match):
            self.games.pop(game.id)
            if stored:
                self.ledger.interrupt(game, number)
            else:
                self.ledger.finish(game, None, comment)

    def _games_of(self, match: str) -> list[Following]:
        return [game for game in self.games.values() if game.match == match]

    def _is_rated(self, match: str) -> bool:
        return match not in self._matches or self._matches[match].rated

    def _listed(self, message: ggs.Listed) -> None:
        if message.player != self.login:
            return
        if message.what == "stored":
            if message.matches:
                self._go_on()
            self.ledger.settle(name for _, *names, _ in message.matches for name in names)
        else:
            for number in self.ledger.new_in(message):
                self._send(ggs_commands.look(number))

    def _go_on(self, _: ggs.StoredNotice | None = None) -> None:
        if not self.leaving and self.playing < self.policy.accept.matches:
            self._send(ggs_commands.CONTINUE)

    def _looked(self, message: ggs.Looked) -> None:
        self.ledger.take_archived(message.ggf)

    # -- moves ------------------------------------------------------------------------------------------------------

    def answer(self, game: Following, ply: int, thought: EvaluatedMove) -> None:
        """Send the move that was chosen in a ply, unless the game has gone on or ended."""
        if not self.is_ready or self.games.get(game.id) is not game or game.ply != ply or not game.is_our_turn:
            return
        now_s = self._now()
        seconds = now_s - game.received_at_s
        game.answered_ply, game.sent_at_s, game.answer = ply, now_s, thought
        game.thought = "" if thought.score is None else f"{thought.score:+g} ({thought.reached()})"
        score = thought.score if self.policy.talk.scores else None
        self._send(ggs_commands.play(game.id, replace(thought, score=score, time_s=seconds)))

    _ACTIONS: Final[Mapping[type, Callable[[GgsClient, Any], None]]] = {
        ggs.LoginPrompt: _log_in,
        ggs.PasswordPrompt: _give_password,
        ggs.ServiceChange: _service,
        ggs.MatchRequest: _request,
        ggs.RequestGone: _gone,
        ggs.MatchStarted: _started,
        BoardText: _board,
        Damaged: _damaged,
        ggs.Refused: _refused,
        ggs.Asking: _asking,
        ggs.TimedOut: _timed_out,
        ggs.Said: _said,
        ggs.GameEnded: _game_ended,
        ggs.MatchEnded: _match_ended,
        ggs.Listed: _listed,
        ggs.StoredNotice: _go_on,
        ggs.Looked: _looked,
    }


def _black_result(game: Following, first: str, result: float) -> float:
    """Return a result from Black's view that the server tells from the view of the first player."""
    return result if game.record.black == first else -result
