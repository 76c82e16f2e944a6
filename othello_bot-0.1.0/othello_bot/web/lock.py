"""The password of the server: each browser is asked once, and then has a random token in a cookie."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections import OrderedDict
from typing import Final

from othello_bot.web.guard import Pace

MOST_BROWSERS: Final = 1000
"""Browsers that are known at a time; one more, and the one that logged in first is asked again."""

FREE_FAILURES: Final = 10
FAILURES_PER_S: Final = 0.2
"""Wrong passwords that are answered at once, and how many more a second in the long run, from all browsers together."""

COOKIE_S: Final = 30 * 24 * 3600
"""Seconds for which a browser keeps the cookie. The server forgets all tokens when it ends."""


class Lock:
    """A password, and the tokens of the browsers that gave it. Nothing is kept on the disk."""

    def __init__(self, password: str, port: int, now_s: float) -> None:
        self._password = _digest(password)
        self._tokens: OrderedDict[bytes, None] = OrderedDict()
        self._pace = Pace(FAILURES_PER_S, FREE_FAILURES, now_s)
        self._closed_until_s = now_s
        self.cookie = f"othello-bot-{port}"  # cookies do not tell ports apart

    def admits(self, token: str | None) -> bool:
        """Return whether a token was given to a browser."""
        return token is not None and hashlib.sha256(token.encode()).digest() in self._tokens

    def forget(self, token: str) -> None:
        """Admit a browser no longer."""
        self._tokens.pop(hashlib.sha256(token.encode()).digest(), None)

    def wait_s(self, now_s: float) -> float:
        """Return for how many seconds no password is looked at, because many were wrong; 0 if one is."""
        return max(0.0, self._closed_until_s - now_s)

    def token(self, given: bytes, now_s: float) -> str | None:
        """Return a new token for the right password, in UTF-8; None for a wrong one. Takes as long for either."""
        try:
            right = hmac.compare_digest(_digest(given.decode()), self._password)
        except UnicodeDecodeError:
            right = False
        if not right:
            self._closed_until_s = now_s + self._pace.wait_s(now_s)
            return None
        token = secrets.token_urlsafe(32)
        self._tokens[hashlib.sha256(token.encode()).digest()] = None
        if len(self._tokens) > MOST_BROWSERS:
            self._tokens.popitem(last=False)
        return token


def _digest(password: str) -> bytes:
    """Return a hash of a password: of one length, and the same however a keyboard composes its accents."""
    return hashlib.sha256(unicodedata.normalize("NFC", password).encode()).digest()
