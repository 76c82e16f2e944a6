"""The base of every error that outside input can cause in the rules and the formats."""

from __future__ import annotations

from protocol.refusals import InputError

__all__ = ["FormatError", "InputError"]


class FormatError(InputError):
    """A text or file that violates its format; `place` is the offset in characters (or bytes) from its start."""

    def __init__(self, what: str, value: object, expected: str, place: int = 0) -> None:
        super().__init__(what, value, f"{expected} (at offset {place})")
        self.expected = expected
        self.place = place
