"""The dialect of a session: set on the command line or detected from the first line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from othello_bot.protocol import detect
from othello_bot.protocol.wire import InputLine
from othello_bot.session import DialectAdapter, Job, Output, Session

if TYPE_CHECKING:
    from othello_bot.dialects.edax import Console

NAMES = tuple(dialect.value for dialect in detect.Dialect)
"""What `--protocol` accepts."""


EDAX = "edax"
"""Edax's console, which only `play-as edax` selects: its first line could be one of a session as well."""


def make(
    name: str, session: Session, output: Output, *, interactive: bool = False, console: Console | None = None
) -> DialectAdapter:
    """Return the dialect of that name; each module is imported only when needed. `console` is for Edax's alone."""
    if console is not None and name == EDAX:
        from othello_bot.dialects.edax import EdaxDialect

        return EdaxDialect(session, output, console)
    wanted = detect.Dialect(name)
    if wanted is detect.Dialect.NBOARD:
        from othello_bot.dialects.nboard import NBoardDialect

        return NBoardDialect(session, output)
    if wanted is detect.Dialect.CASSIO:
        from othello_bot.dialects.cassio import CassioDialect

        return CassioDialect(session, output)
    from othello_bot.dialects.gtp import GtpDialect

    return GtpDialect(session, output, interactive=interactive)


class AnyDialect(DialectAdapter):
    """Detects the dialect from the first line with content, then uses it. Logs received lines."""

    def __init__(
        self, session: Session, output: Output, forced: DialectAdapter | None = None, *, interactive: bool = False
    ) -> None:
        self._session = session
        self._output = output
        self.chosen = forced
        """The dialect in use; None before the first line."""
        self._interactive = interactive
        self.for_people = interactive
        """Whether there is a person to prompt, as far as is known."""

    def read(self, line: InputLine, asked_at_s: float) -> Job[Any] | None:
        """Return the job of a line in the dialect in use."""
        self._session.traffic.received(line.text)
        if self.chosen is None:
            found = detect.detect(line.text)
            if found is None:
                return None
            self.for_people = self._interactive and found in (detect.Dialect.NATIVE, detect.Dialect.GTP)
            self.chosen = make(found.value, self._session, self._output, interactive=self.for_people)
        return self.chosen.read(line, asked_at_s)

    def prepare(self) -> None:
        """Do nothing before the first line."""
        if self.chosen is not None:
            self.chosen.prepare()

    def when_idle(self) -> None:
        """Do nothing before the first line."""
        if self.chosen is not None:
            self.chosen.when_idle()
