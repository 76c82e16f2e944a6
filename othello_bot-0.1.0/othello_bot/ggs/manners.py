"""How the client answers people: help and scores, each not too often; and who broke off matches lately."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from othello_bot.ggs.games import Following
from othello_bot.ggs.policy import Talk
from othello_bot.protocol.ggs import Said
from othello_bot.protocol.ggs_commands import GgsCommand, tell

DAY_S: Final = 86400.0

REPEATED_S: Final = 600.0
"""Seconds for which the same line is not repeated to the same person, who may be a program that answers too."""

SCORE_S: Final = 5.0
"""Least seconds between two scores told to the same person."""

MOST_PEOPLE: Final = 1000
"""People who are remembered; a longer list begins anew."""


class Manners:
    """Remembers what was said to whom."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._told: dict[tuple[str, str], float] = {}
        self._breaks: dict[str, dict[str, float]] = {}

    def answer(self, said: Said, games: Iterable[Following], now_s: float) -> GgsCommand | None:
        """Return the answer to a message to us, None for silence: the score if that is asked for, else help."""
        words = {word.strip("?!.,").lower() for word in said.text.split()}
        if "score" in words:
            thoughts = [f"{game.id} {game.thought}" for game in games if game.thought and not game.ended]
            text = "my score: " + (", ".join(thoughts) or "none yet")
            return self._once(said.player, "score", text, SCORE_S, now_s)
        return self._once(said.player, "help", self._talk.help, REPEATED_S, now_s)

    def refusal(self, name: str, reason: str, now_s: float) -> GgsCommand | None:
        """Return the line that says why a request was declined, None if it was said lately."""
        return self._once(name, reason, f"Sorry, {reason}.", REPEATED_S, now_s)

    def note_break(self, name: str, match: str, now_s: float) -> None:
        """Remember that somebody left or aborted a match."""
        if name:
            if len(self._breaks) >= MOST_PEOPLE:
                self._breaks.clear()
            days = {one: at_s for one, at_s in self._breaks.get(name, {}).items() if now_s - at_s < DAY_S}
            self._breaks[name] = {**days, match: now_s}

    def forgive(self, name: str, match: str) -> None:
        """Forget that somebody left a match: it goes on."""
        self._breaks.get(name, {}).pop(match, None)

    def breaks(self, name: str, now_s: float) -> int:
        """Return how many matches somebody broke off within a day, without those that went on."""
        return sum(now_s - at_s < DAY_S for at_s in self._breaks.get(name, {}).values())

    def _once(self, name: str, kind: str, text: str, pause_s: float, now_s: float) -> GgsCommand | None:
        if now_s - self._told.get((name, kind), -pause_s) < pause_s:
            return None
        if len(self._told) >= MOST_PEOPLE:
            self._told.clear()
        self._told[name, kind] = now_s
        return tell(name, text)
