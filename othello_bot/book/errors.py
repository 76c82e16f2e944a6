"""BookError: what is wrong with a book. BookHeld: a book that another process writes."""

from __future__ import annotations

from othello_bot.base.errors import FormatError, InputError, brief


class BookError(FormatError):
    """A file that is no book, or a damaged one; `place` is an offset in bytes, or 0."""


class BookHeld(InputError):
    """A growing book that cannot be written now, because `holder`, another writer, does."""

    def __init__(self, path: str, holder: str) -> None:
        ValueError.__init__(
            self,
            f"the book {brief(path)} is being written by {brief(holder)}: wait until that has ended, or stop it, which"
            " loses nothing; the book can be read meanwhile",
        )
        self.value: str = path
        self.expected = "a book that no other process writes"
        self.holder = holder

    def __reduce__(self) -> tuple[type[BookHeld], tuple[str, str]]:
        """Return how to make the error again, in another process."""
        return type(self), (self.value, self.holder)
