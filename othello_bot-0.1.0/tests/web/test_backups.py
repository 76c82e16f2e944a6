"""Backups of the page's games, run by Node.js: what is damaged is left out, and the rest of it stays."""

from __future__ import annotations

import json
import os
import random
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from othello_bot.formats.reading import games_of_content
from tests.web.backups import BEGINNING, backup, entry, mutated
from tests.web.conftest import run_modules

pytestmark = [pytest.mark.process, pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")]

MUTATED = int(os.environ.get("OTHELLO_BOT_BACKUPS", "300"))
"""Mutated backups that are taken; ten thousand were once."""

PGN = """
    import { readFileSync } from "node:fs";
    import { pgn } from "./records.js";
    import { checkedGame } from "./schema.js";
    const told = JSON.parse(readFileSync(0, "utf8")).map(checkedGame);
    console.log(JSON.stringify(told.map(({ kept }) => pgn(kept.summary, kept.game))));
"""

KNOWN = """
    import { readFileSync } from "node:fs";
    import { gamesOfBackup, isBackup } from "./records.js";
    const files = JSON.parse(readFileSync(0, "utf8")).map((text) => new Blob([text]));
    const known = await Promise.all(files.map(isBackup));
    const listed = await Promise.all(files.map(async (file, place) => known[place] && (await gamesOfBackup(file)).games));
    console.log(JSON.stringify(listed.map((games) => games && games.length)));
"""


@pytest.fixture(scope="module")
def restore(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what takes backups."""
    script = Path(__file__).with_name("restore.mjs").read_text()
    return partial(run_modules, tmp_path_factory.mktemp("page"), script)


def test_a_whole_backup_is_taken_as_it_is(restore: Any) -> None:
    entries = [entry(seed) for seed in range(4)]
    [taken] = restore([backup(entries)])
    assert taken == {"kept": [one["summary"]["print"] for one in entries], "results": [4] * 4, "damaged": 0}


def test_a_result_with_parts_of_discs_is_rounded(restore: Any) -> None:
    rounded = {3.5: 4, -3.5: -4, 0.5: 0, -22.87: -22, 67.1: 64, -1: -2, 1: 2, -0.0: 0}
    taken = restore([backup([entry(1, result=told)]) for told in rounded])
    assert [one["results"] for one in taken] == [[shown] for shown in rounded.values()]


def test_a_backup_of_an_older_page_is_read(restore: Any) -> None:
    old = entry(1)
    for part, name in (("summary", "won"), ("summary", "mine"), ("summary", "accuracy"), ("game", "review")):
        del old[part][name]
    del old["tasks"]
    assert restore([backup([old], [{"id": "a", "missed": True}])])[0]["damaged"] == 0


def test_a_backup_is_known_however_another_program_has_written_it(tmp_path: Path) -> None:
    text = backup([entry(0), entry(1)])
    content = json.loads(text)
    forms = [
        text,
        json.dumps(content),
        json.dumps(content, indent=4, sort_keys=True).replace("\n", "\r\n"),
        "\ufeff\n" + json.dumps(content, indent="\t"),
        json.dumps({name: content[name] for name in ("puzzles", "games", "othello-bot games")}),
    ]
    others = ["", "{", '{"games": []}', '{"name":"Ann","othello-bot games":1}', f"[{text}]", "f5d6c3", " " * 4096]
    assert run_modules(tmp_path, KNOWN, forms + others) == [2] * len(forms) + [False] * len(others)


DAMAGED = [
    ("summary", {"first": {"toString": 1}}),
    ("summary", {"newest": "now"}),
    ("summary", {"accuracy": {"X": {}, "O": 1}}),
    ("summary", {"event": ["a"]}),
    ("summary", {"won": "black"}),
    ("summary", {"lost": {"opening": "much"}}),
    ("game", {"moves": "f5f5"}),
    ("game", {"moves": 7}),
    ("game", {"start": "XO"}),
]


def test_a_damaged_game_is_left_out_and_the_others_stay(restore: Any) -> None:
    backups = []
    for part, change in DAMAGED:
        bad = entry(1)
        bad[part] |= change
        backups.append(backup([entry(0), bad, None, entry(2)]))
    for told, taken in zip(DAMAGED, restore(backups), strict=True):
        assert ([one[0] for one in taken["kept"]], taken["damaged"]) == (["0", "2"], 2), told


def test_a_game_with_a_damaged_review_stays_without_it(restore: Any) -> None:
    backups = []
    reviews: list[dict[str, Any]] = [{"players": 5}, {"level": "deep"}, {"judged": [{"ply": 1}]}, {"judged": None}]
    for change in [*reviews, {"players": {"black": {}}}]:
        bad = entry(1)
        bad["game"]["review"] |= change
        bad["tasks"] += [{**bad["tasks"][0], "played": "z9"}, 5]
        backups.append(backup([bad]))
    assert [(len(taken["kept"]), taken["damaged"]) for taken in restore(backups)] == [(1, 3)] * len(backups)


def test_what_is_no_whole_backup_is_refused(restore: Any) -> None:
    texts = [
        backup([entry(1)])[:-1],
        f'{BEGINNING}"games":5}}',
        f"{BEGINNING}{'[' * 9000}",
        f'{BEGINNING}"puzzles":[]}}',
    ]
    assert set(restore(texts)) == {"The backup is damaged: it is incomplete."}


def test_of_mutated_backups_the_entries_that_are_whole_are_kept(restore: Any) -> None:
    rng = random.Random(61)
    backups = [mutated(rng) for _ in range(MUTATED)]
    for (text, whole), taken in zip(backups, restore([text for text, _ in backups]), strict=True):
        if isinstance(taken, str):
            assert whole == -1, text
        else:
            assert len(taken["kept"]) >= whole, text


def test_every_tag_of_an_exported_game_is_read_as_it_was_told(tmp_path: Path) -> None:
    told = ['1987"]\n[Black "Eve', "a\\", '"', "\x07a\tb\x00", "2026-11-27", "\u200e\ud800"]
    given = [entry(1, date=one, black=one, event=one, mine="") for one in told]
    for one, text in zip(told, run_modules(tmp_path, PGN, given), strict=True):
        (game,) = [found.checked() for found in games_of_content(text.encode("utf-8", "replace"), "game.pgn")]
        assert game.game.transcript(passes=True) == given[0]["game"]["moves"]
        assert (game.white, game.event) == ("Bertil", game.black)
        assert not one.isprintable() or game.black == one
