"""Dates of games: read once in all the forms that programs write, and written in each format's own form.

GGS writes 2003.12.15_12:33:18.MST, 2000-4-16 11:13 EST, or seconds since 1970. A record keeps the date as ISO 8601 has
it, 2003-12-15, possibly only 2003-12 or 2003, and apart from it the time of day with its zone, 12:33:18 MST.
"""

from __future__ import annotations

import re
import time
from typing import Final

_LONGEST: Final = 64
"""Most characters of a date; a longer text is none."""

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIRST_YEAR: Final = 1800
_LAST_YEAR: Final = 2999
_PIVOT: Final = 70
"""Years of two digits from this one on belong to the 20th century, as POSIX reads them."""

_EPOCH_S: Final = range(100_000_000, 32_503_680_000)
"""Numbers that are seconds since 1970, not a date in digits; a thousand times as many are milliseconds."""

_NUMBERS: Final = re.compile(r"(\d{1,4})([-./])(\d{1,2}|\?\?)(?:\2(\d{1,4}|\?\?))?(?:[T_ ,]+|$)", re.ASCII)
_TIME: Final = re.compile(
    r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:[ ._]?([A-Za-z]{1,5}|[+-]\d\d:?\d\d))?", re.ASCII
)
_KEPT: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)


def read_date(text: str) -> tuple[str, str]:
    """Return the date of a text, and the time of day, empty if it tells none.

    Both are empty for an unknown date such as ????.??.??; a text that is no date, or an impossible one, comes back as
    it is. An impossible time of day is left out.
    """
    text = text.strip()
    if not text.strip("?.-/ 0"):
        return "", ""
    if len(text) > _LONGEST:
        return text, ""
    if text.isascii() and text.isdigit():
        return _of_digits(text)
    numbers = _NUMBERS.match(text)
    found = _of_words(text) if numbers is None else _of_numbers(numbers, text[numbers.end() :])
    return (text, "") if found is None else found


def read_time(text: str) -> str:
    """Return the time of day as a record keeps it, such as 12:33:18 MST; empty for a text that is none."""
    found = _TIME.fullmatch(text.strip()[:_LONGEST])
    if found is None:
        return ""
    hour, minute, second = (int(found[index] or 0) for index in (1, 2, 3))
    if hour > 23 or minute > 59 or second > 60:
        return ""
    zone = {"Z": "UTC", "GMT": "UTC"}.get((found[4] or "").upper(), found[4] or "")
    return f"{hour:02}:{minute:02}:{second:02} {zone}".rstrip()


def is_day(date: str) -> bool:
    """Return whether a date is one day, as ISO 8601 has it, so that a time of day may follow."""
    return len(date) == 10 and _KEPT.fullmatch(date) is not None


def dotted(date: str, unknown: str = "") -> str:
    """Return a date as GGF and PGN write it, 2003.12.15, with `unknown` for a month and a day that nobody knows; a text
    that is no date as it is.
    """
    if not _KEPT.fullmatch(date):
        return date
    parts = date.split("-")
    return ".".join(parts + [unknown] * (3 - len(parts) if unknown else 0))


def _of_digits(text: str) -> tuple[str, str]:
    """Return the date of a text of digits: a year, a day, or seconds or milliseconds since 1970."""
    number = int(text)
    if len(text) == 4:
        return text, ""
    if len(text) == 8:
        return _date(int(text[:4]), int(text[4:6]), int(text[6:])) or text, ""
    seconds = number if number in _EPOCH_S else number // 1000
    if seconds not in _EPOCH_S:
        return text, ""
    moment = time.gmtime(seconds)
    return time.strftime("%Y-%m-%d", moment), time.strftime("%H:%M:%S UTC", moment)


def _of_numbers(found: re.Match[str], rest: str) -> tuple[str, str] | None:
    """Return the date of numbers with a separator, and the time of day behind them; None if they are no date."""
    first, separator, second, third = found.groups()
    time_of_day = read_time(rest)
    if rest and not _TIME.fullmatch(rest):
        return None
    if len(first) == 4 and (third is None or len(third) <= 2):
        year, month = int(first), 0 if second == "??" else int(second)
        date = _date(year, month or None, None if third in (None, "??") else int(third))
        return None if date is None else (date, time_of_day)
    if third is None or "??" in (second, third) or len(first) > 2:
        return None
    numbers = int(first), int(second), int(third)
    date = _day_last_or_first(numbers, separator) if len(third) == 4 else _of_short_year(numbers)
    return None if date is None else (date, time_of_day)


def _day_last_or_first(numbers: tuple[int, int, int], separator: str) -> str | None:
    """Return the date of a day, a month and a year; None where the month could as well come first."""
    first, second, year = numbers
    if separator != "." and first != second and max(first, second) <= 12:
        return None
    return _date(year, second, first) or (None if separator == "." else _date(year, first, second))


def _of_short_year(numbers: tuple[int, int, int]) -> str | None:
    """Return the date of a year of two digits, a month and a day, or of a day, a month and such a year."""
    first, second, third = numbers
    return _date(_whole_year(first), second, third) or _date(_whole_year(third), second, first)


def _whole_year(year: int) -> int:
    return year + (1900 if year >= _PIVOT else 2000)


def _of_words(text: str) -> tuple[str, str] | None:
    """Return the date of a text with the name of a month, such as 15 Dec 2003 or Mon Dec 15 12:33:18 MST 2003."""
    year = month = day = None
    time_of_day = zone = ""
    for word in text.replace(",", " ").replace(".", " ").split():
        name = word[:3].lower()
        if word.isascii() and word.isdigit() and len(word) == 4:
            year = int(word)
        elif word.isascii() and word.rstrip("thsndr").isdigit() and len(word.rstrip("thsndr")) <= 2:
            day = int(word.rstrip("thsndr"))
        elif word.isalpha() and name in _MONTHS:
            month = _MONTHS.index(name) + 1
        elif ":" in word:
            time_of_day = read_time(word)
        elif word[:1] in "+-" or (word.isalpha() and word.isupper()):
            zone = word
        elif name not in ("mon", "tue", "wed", "thu", "fri", "sat", "sun"):
            return None
    date = None if year is None or month is None else _date(year, month, day)
    return None if date is None else (date, read_time(f"{time_of_day} {zone}") or time_of_day if time_of_day else "")


def _date(year: int, month: int | None, day: int | None) -> str | None:
    """Return a date as ISO 8601 has it, as far as it is known; None for an impossible one."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    if month is None:
        return str(year) if day is None else None
    if not 1 <= month <= 12:
        return None
    if day is None:
        return f"{year}-{month:02}"
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= _DAYS[month - 1] or (month == 2 and day == 29 and not leap):
        return None
    return f"{year}-{month:02}-{day:02}"
