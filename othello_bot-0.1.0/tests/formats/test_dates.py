"""Dates: the forms that programs write, the one form of a record, and the forms of the formats."""

from __future__ import annotations

import pytest

from othello_bot.formats import ggf, pgn, quest, sgf
from othello_bot.formats.record import GameRecord, dotted, read_date, read_time
from tests.formats.samples import first_game


@pytest.mark.parametrize(
    ("text", "date", "time_of_day"),
    [
        ("947375357", "2000-01-08", "23:49:17 UTC"),
        ("940607137", "1999-10-22", "15:45:37 UTC"),
        ("1718000000000", "2024-06-10", "06:13:20 UTC"),
        ("2003.12.15_12:33:18.MST", "2003-12-15", "12:33:18 MST"),
        ("2000-4-16 11:13 EST", "2000-04-16", "11:13:00 EST"),
        ("2003-12-15", "2003-12-15", ""),
        ("2003/12/5", "2003-12-05", ""),
        ("20031215", "2003-12-15", ""),
        ("20261127131800", "2026-11-27", "13:18:00"),
        ("20261327131800", "20261327131800", ""),
        ("2003-12", "2003-12", ""),
        ("2003", "2003", ""),
        ("2003.12.15 7:33", "2003-12-15", "07:33:00"),
        ("2003-12-15T12:33:18.5Z", "2003-12-15", "12:33:18 UTC"),
        ("2003-12-15T12:33:18+01:00", "2003-12-15", "12:33:18 +01:00"),
        ("Mon Dec 15 12:33:18 MST 2003", "2003-12-15", "12:33:18 MST"),
        ("Mon, 15 Dec 2003 12:33:18 -0700", "2003-12-15", "12:33:18 -0700"),
        ("15 December 2003", "2003-12-15", ""),
        ("December 15th, 2003", "2003-12-15", ""),
        ("15.12.2003", "2003-12-15", ""),
        ("1.2.2003", "2003-02-01", ""),
        ("12/15/2003", "2003-12-15", ""),
        ("99.10.22", "1999-10-22", ""),
        ("03-12-15", "2003-12-15", ""),
        ("31.12.99", "1999-12-31", ""),
        ("2000-02-29", "2000-02-29", ""),
        ("????.??.??", "", ""),
        ("?", "", ""),
        ("0", "", ""),
        ("2003.??.??", "2003", ""),
        ("2003.12.??", "2003-12", ""),
        ("2018.01.24_10:11:12.", "2018-01-24", "10:11:12"),
        ("2018.01.24_10:11:12.JST.", "2018-01-24", "10:11:12 JST"),
        ("11/27/2026 1:18:00 PM", "2026-11-27", "13:18:00"),
        ("11/27/2026, 12:18 a.m. EST", "2026-11-27", "00:18:00 EST"),
        ("2026-11-27 12:18pm", "2026-11-27", "12:18:00"),
        ("2026-11-27 13:18 PM", "2026-11-27", "13:18:00"),
        ("Friday, November 27, 2026 at 1:18 PM", "2026-11-27", "13:18:00"),
        ("Fri Nov 27 2026 01:18:00 PM GMT+0900 (Japan Standard Time)", "2026-11-27", "13:18:00 +0900"),
        ("27-Nov-2026 13:18", "2026-11-27", "13:18:00"),
        ("2026年11月27日", "2026-11-27", ""),
        ("2026年11月27日 13:18", "2026-11-27", "13:18:00"),
        ("2026年11月27日（金）午後1時18分05秒", "2026-11-27", "13:18:05"),
        ("２０２６年１１月２７日　金曜日　１３時１８分", "2026-11-27", "13:18:00"),
        ("2026/11/27(金) 13:18", "2026-11-27", "13:18:00"),
        ("2026年11月", "2026-11", ""),
        ("2026年", "2026", ""),
        ("令和8年11月27日", "2026-11-27", ""),
        ("令和元年5月1日", "2019-05-01", ""),
        ("2026年11月27日 下午1:18", "2026-11-27", "13:18:00"),
        ("2026. 11. 27. 오후 1:18:00", "2026-11-27", "13:18:00"),
    ],
)
def test_the_forms_of_dates(text: str, date: str, time_of_day: str) -> None:
    assert read_date(text) == (date, time_of_day)


@pytest.mark.parametrize(
    "text",
    [
        *("1/2/2003 1:18 PM", "2026年13月45日", "年月日", "27 at 1:18 PM", "午後", "27-Nov"),
        *("2003.13.45", "3.2003", "2003/02/29", "1/2/2003", "1999-05-06,07", "summer 1999", "12345"),
        *("9" * 5000, "2003" * 50, "٢٠٠٣-١٢-١٥"),
    ],
)
def test_what_is_no_date_stays_as_it_is(text: str) -> None:
    assert read_date(text) == (text, "")
    assert dotted(text, "??") == text


def test_an_impossible_time_is_left_out() -> None:
    assert read_date("2003.12.15_25:33:18.MST") == ("2003-12-15", "")
    assert read_time("noon") == ""


@pytest.mark.parametrize("text", ["947375357", "2000.01.08_23:49:17.UTC", "Sat Jan 8 23:49:17 UTC 2000"])
def test_each_format_writes_its_own_form(text: str) -> None:
    record = first_game(ggf, f"(;GM[Othello]DT[{text}]TY[8]B[f5];)")
    assert "DT[2000.01.08_23:49:17.UTC]" in ggf.write_game(record)
    assert '[Date "2000.01.08"]' in pgn.write_game(record)
    assert '[Time "23:49:17"]' in pgn.write_game(record)
    assert "DT[2000-01-08]" in sgf.write_game(record)
    assert '"created": "2000-01-08T23:49:17.000Z"' in quest.write_game(record)


def test_a_date_in_another_form_is_written_as_the_format_has_it() -> None:
    """Other packages may fill a record with a date in the form of a server."""
    record = GameRecord(date="2026.11.20_12:00:00.UTC")
    assert "DT[2026.11.20_12:00:00.UTC]" in ggf.write_game(record)
    assert '[Date "2026.11.20"]' in pgn.write_game(record)
    assert "DT[2026-11-20]" in sgf.write_game(record)
    assert "DT[2003.12]" in ggf.write_game(GameRecord(date="2003-12"))
    assert '[Date "2003.12.??"]' in pgn.write_game(GameRecord(date="2003-12"))
