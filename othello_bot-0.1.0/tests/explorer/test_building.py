"""Bases: games once, whatever happens while they are built, and mistakes in files."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError, WorkError
from othello_bot.base.notation import Color
from othello_bot.cli import main
from othello_bot.cluster import Workers
from othello_bot.explorer import (
    BaseError,
    BaseHeld,
    Builder,
    GameBase,
    Selection,
    building,
    read_ratings,
    segments,
    store,
)
from othello_bot.explorer.build_command import _indexing_text
from othello_bot.formats import wthor
from othello_bot.formats.record import GameRecord, Range
from othello_bot.formats.writing import write_games
from othello_bot.rules import Game, Position
from tests.explorer.games import as_slow, built, made_up, mirrored, slow_explored
from tests.session.harness import in_process, replies

ROOT = Path(__file__).resolve().parents[2]
RECORDS = made_up(40)


def answers(base: GameBase) -> list[object]:
    """Return what a base says about many positions."""
    positions = [record.game.position_at(ply) for record in RECORDS for ply in range(0, record.game.ply, 3)]
    return [as_slow(base.explore(position)) for position in positions]


def expected() -> list[object]:
    return [
        slow_explored(record.game.position_at(ply), RECORDS)
        for record in RECORDS
        for ply in range(0, record.game.ply, 3)
    ]


@pytest.fixture(scope="module")
def truth() -> list[object]:
    return expected()


def add(path: Path, *sources: Path) -> building.Totals:
    with Builder(path) as builder:
        builder.add(sources)
        return builder.totals


@pytest.mark.slow
def test_the_same_games_are_added_once(tmp_path: Path, truth: list[object]) -> None:
    with built(tmp_path / "b", RECORDS) as base:
        assert len(base) == 40
    totals = add(tmp_path / "b", tmp_path / "b.ggf", tmp_path / "b.ggf")
    assert (totals.read, totals.added, totals.known) == (80, 0, 80)
    with GameBase(tmp_path / "b") as base:
        assert answers(base) == truth


def test_each_phase_of_a_build_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_GAMES_BETWEEN", 8)
    monkeypatch.setattr(segments, "SEGMENT_GAMES", 16)
    write_games(RECORDS, tmp_path / "b.ggf")
    seen: list[building.Totals] = []
    with Builder(tmp_path / "b", progress=lambda totals: seen.append(replace(totals))) as builder:
        builder.add([tmp_path / "b.ggf"])
    read = [totals.read_bytes for totals in seen if not totals.to_index]
    assert read and read == sorted(read) and 0 < read[-1] <= seen[-1].all_bytes
    indexed = [totals.indexed for totals in seen if totals.to_index]
    assert indexed == sorted(indexed) and len(set(indexed)) >= 6 and indexed[-1] == 40
    assert {totals.to_index for totals in seen[len(read) :]} == {40}
    assert [_indexing_text(totals, 10.0) for totals in seen if totals.indexed == 20][:1] == [
        "20 of 40 games in order, 2 a second, 0.2 min left"
    ]


def test_a_game_is_the_same_in_another_format_or_direction(tmp_path: Path) -> None:
    game = next(record for record in RECORDS if record.game.start == Position.start() and record.game.is_over)
    game = replace(game, date="1999", black="Ann Åberg", white="Bo", result=float(game.game.final_score))
    turned = replace(game, game=mirrored(game.game, 3))
    write_games([turned], tmp_path / "turned.pgn")
    write_games([game], tmp_path / "base.wtb")
    write_games([replace(game, white="Cy")], tmp_path / "other.sgf")
    with built(tmp_path / "b", [game]):
        totals = add(tmp_path / "b", tmp_path / "turned.pgn", tmp_path / "base.wtb", tmp_path / "other.sgf")
    assert (totals.added, totals.known) == (1, 2)


def test_games_added_in_steps_count_as_those_added_at_once(tmp_path: Path, truth: list[object]) -> None:
    for number in range(0, 40, 5):
        write_games(RECORDS[number : number + 5], tmp_path / f"{number}.ggf")
        add(tmp_path / "b", tmp_path / f"{number}.ggf")
    with GameBase(tmp_path / "b") as base:
        assert answers(base) == truth
        assert [one.black for one in base.all_games()] == [record.black for record in RECORDS]


def test_more_postings_than_fit_into_memory_make_the_same_base(
    tmp_path: Path, truth: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "SORTED_POSTINGS", 300)
    monkeypatch.setattr(segments, "BLOCK_POSTINGS", 200)
    monkeypatch.setattr(segments, "PART_POSTINGS", 20)
    selection = Selection(years=Range(2000, 2030))
    with built(tmp_path / "b", RECORDS) as base:
        assert answers(base) == truth
        found = base.explore(Position.start(), selection), base.games(Position.start(), count=40)
    monkeypatch.undo()
    with built(tmp_path / "one", RECORDS) as other:
        assert found == (other.explore(Position.start(), selection), other.games(Position.start(), count=40))
    assert sorted(tmp_path.iterdir()) == sorted(tmp_path / name for name in ("b", "b.ggf", "one", "one.ggf"))


def test_an_answer_costs_as_many_queries_however_many_steps_kept_the_games(
    tmp_path: Path, truth: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        write_games(RECORDS[number : number + 1], tmp_path / f"{number:02}.ggf")
    monkeypatch.setattr(building, "STEP_GAMES", 2)
    add(tmp_path / "b", *(tmp_path / f"{number:02}.ggf" for number in range(40)))
    with GameBase(tmp_path / "b") as base, built(tmp_path / "one", RECORDS) as other:
        assert answers(base) == truth
        asked: list[list[str]] = []
        for each in (base, other):
            queries: list[str] = []
            each._connection.set_trace_callback(queries.append)
            answers(each)
            asked.append(queries)
        assert len(asked[0]) == len(asked[1])


@pytest.mark.process
def test_processes_and_one_process_make_the_same_base(tmp_path: Path, truth: list[object]) -> None:
    write_games(RECORDS[:20], tmp_path / "1.ggf")
    write_games(RECORDS[20:], tmp_path / "2.ggf.gz")
    with Builder(tmp_path / "b") as builder, Workers(2) as workers:
        builder.add([tmp_path / "1.ggf", tmp_path / "2.ggf.gz"], workers)
    with GameBase(tmp_path / "b") as base:
        assert answers(base) == truth
        assert [one.black for one in base.all_games()] == [record.black for record in RECORDS]


@pytest.mark.process
def test_a_cluster_makes_the_same_base(tmp_path: Path, truth: list[object], capsys: pytest.CaptureFixture[str]) -> None:
    distributed = pytest.importorskip("distributed")
    write_games(RECORDS[:20], tmp_path / "1.ggf")
    write_games(RECORDS[20:], tmp_path / "2.ggf")
    (tmp_path / "2.ggf").write_text((tmp_path / "2.ggf").read_text() + "\n(;GM[Othello]TY[8]B[a1];)\n")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        words = [str(tmp_path / name) for name in ("b", "1.ggf", "2.ggf", "missing.ggf")]
        assert main(["explore", "build", *words, "--cluster", cluster.scheduler_address]) == 1
    told = capsys.readouterr().err
    assert (
        "2.ggf: game 21" in told and "missing.ggf: No such file" in told and "41 games read, 40 added, 2 failed" in told
    )
    with GameBase(tmp_path / "b") as base:
        assert answers(base) == truth
        assert [one.black for one in base.all_games()] == [record.black for record in RECORDS]


@pytest.mark.process
def test_a_killed_build_goes_on_without_a_lost_or_doubled_game(tmp_path: Path, truth: list[object]) -> None:
    sources = []
    for number in range(0, 40, 4):
        sources.append(tmp_path / f"{number:02}.ggf")
        write_games(RECORDS[number : number + 4], sources[-1])
    script = """
        import os, signal, sys
        from pathlib import Path
        from othello_bot.explorer import Builder, building

        building.STEP_GAMES = 4
        left = int(sys.argv[1])
        def progress(totals):
            global left
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
        with Builder(Path(sys.argv[2]), progress=progress) as builder:
            builder.add(map(Path, sys.argv[3:]))
    """
    path = tmp_path / "b"
    for pieces in (2, 5, 8):
        words = [sys.executable, "-c", textwrap.dedent(script), str(pieces), str(path), *map(str, sources)]
        killed = subprocess.run(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})
        assert killed.returncode == -signal.SIGKILL
        with GameBase(path) as base:  # what is there is whole
            games = list(base.all_games())
            assert base.explore(Position.start()).counts.games <= len(games) == len(base) < 40
            if pieces == 5:
                add(path, sources[0])  # puts in order what was kept before
                assert len(games) < len(list(base.all_games())) < 40
    totals = add(path, *sources)
    assert totals.added + totals.known == 40
    with GameBase(path) as base:
        assert answers(base) == truth
        assert len(list(base.all_games())) == len(base) == 40


def test_a_game_with_an_illegal_move_is_told_once_and_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.txt").write_text("f5d6c3\nf5d6a1\nf5f6\n")
    assert main(["explore", "build", str(tmp_path / "b"), str(tmp_path / "g.txt")]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert "g.txt: game 2 (line 2): illegal move 'a1'" in told[0]
    assert "3 games read, 2 added, 1 failed" in told[1]
    with GameBase(tmp_path / "b") as base:
        assert base.explore(Position.start()).counts.games == 2


def test_a_wrong_result_is_told_and_the_board_counts(tmp_path: Path) -> None:
    record = next(record for record in RECORDS if record.game.is_over and record.game.start == Position.start())
    score = record.game.final_score
    for name in ("g.ggf", "g.wtb"):
        write_games(
            [replace(record, result=float(score + 2 if score < 60 else score - 2), date="2001")], tmp_path / name
        )
        told: list[str] = []
        with Builder(tmp_path / f"{name}.base", told=told.append) as builder:
            builder.add([tmp_path / name])
            assert (builder.totals.added, builder.totals.corrected, builder.totals.failed) == (1, 1, 0)
        assert len(told) == 1 and "the board counts" in told[0]
        with GameBase(tmp_path / f"{name}.base") as base:
            assert base.game(1).result == score


def test_a_win_by_resignation_keeps_its_result(tmp_path: Path) -> None:
    (tmp_path / "g.ggf").write_text(
        "(;GM[Othello]PC[x]PB[A]PW[B]RE[+64.000:r]TY[8]BO[8 "
        + "-" * 27
        + "O*"
        + "-" * 6
        + "*O"
        + "-" * 27
        + " *]B[F5]W[D6];)\n"
    )
    assert add(tmp_path / "b", tmp_path / "g.ggf").corrected == 0
    with GameBase(tmp_path / "b") as base:
        counts = base.explore(Position.start()).counts
        assert (counts.won, counts.drawn, counts.lost) == (1, 0, 0)


def test_names_and_numbers_of_a_wthor_base_are_players(tmp_path: Path) -> None:
    records = [replace(record, game=RECORDS[1].game, date="2001") for record in RECORDS if record.result is not None]
    records = [record for record in RECORDS if record.game.start == Position.start() and record.result is not None]
    records = [replace(record, date="2001", event="Open") for record in records]
    write_games(records, tmp_path / "g.wtb")
    players = wthor.read_players((tmp_path / "g.jou").read_bytes())
    number = players.index("Bo")
    for name in ("b", "unnamed"):
        add(tmp_path / name, tmp_path / "g.wtb")
        for beside in (tmp_path / "g.jou", tmp_path / "g.trn"):
            beside.unlink(missing_ok=True)
    wanted = sum("Bo" in (record.black, record.white) for record in records)
    with GameBase(tmp_path / "b") as base:
        assert base.explore(Position.start(), Selection(player="bo", event="open")).counts.games == wanted
        assert base.explore(Position.start(), Selection(player=str(number))).counts.games == wanted
    with GameBase(tmp_path / "unnamed") as base:
        for name in (str(number), f"player {number}"):
            assert base.explore(Position.start(), Selection(player=name)).counts.games == wanted
        assert f"player {number}" in {one.black for one in base.all_games()}


def test_ratings_of_a_list_count_where_a_game_tells_none(tmp_path: Path) -> None:
    (tmp_path / "ratings.txt").write_text("# mine\nann aberg, 2000\nBo 1600.5\n12 1500\n")
    write_games(
        [GameRecord(Game.from_transcript("f5d6"), black="Ann Åberg", white="Bo", white_rating=1700.0)],
        tmp_path / "g.ggf",
    )
    with Builder(tmp_path / "b", ratings=read_ratings(tmp_path / "ratings.txt")) as builder:
        builder.add([tmp_path / "g.ggf"])
    with GameBase(tmp_path / "b") as base:
        assert (base.game(1).black_rating, base.game(1).white_rating) == (2000, 1700)
    (tmp_path / "bad.txt").write_text("Bo\n")
    with pytest.raises(ValueError, match="rating from 1 to 9999"):
        read_ratings(tmp_path / "bad.txt")


def test_other_files_and_versions_are_refused_and_stay_as_they_are(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("f5d6c3\n" * 100)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE mine (x)")
    database.close()
    with built(tmp_path / "b", RECORDS[:3]):
        pass
    newer = tmp_path / "newer"
    newer.write_bytes((tmp_path / "b").read_bytes())
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    half = tmp_path / "half"
    half.write_bytes((tmp_path / "b").read_bytes()[:9000])
    for path in (text, other, newer, half):
        before = path.read_bytes()
        for use in (GameBase, lambda path: Builder(path).__enter__()):
            with pytest.raises((BaseError, WorkError)):
                use(path).explore(Position.start())  # type: ignore[union-attr]
        if path != half:
            assert path.read_bytes() == before
    for path, message in ((tmp_path / "none", "No such file"), (tmp_path, "`othello-bot explore build`")):
        with pytest.raises(BaseError, match=message):
            GameBase(path)


@pytest.mark.parametrize("name", [":memory:", "file:x?mode=memory", "a?b#c%41", "new\nline", os.fsdecode(b"\xff")])
def test_a_base_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    write_games(RECORDS[:3], tmp_path / "g.ggf")
    assert add(Path(name), tmp_path / "g.ggf").added == 3
    assert (tmp_path / name).is_file()
    with GameBase(name) as base:
        assert len(base) == 3


@pytest.mark.process
def test_a_base_is_whole_beside_the_log_of_a_killed_build(tmp_path: Path) -> None:
    write_games(RECORDS[:3], tmp_path / "g.ggf")
    script = """
        import os, sys
        from pathlib import Path
        from othello_bot.explorer import Builder

        builder = Builder(Path(sys.argv[1])).__enter__()
        builder.add([Path(sys.argv[2])])
        os.kill(os.getpid(), 9)
    """
    words = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "b"), str(tmp_path / "g.ggf")]
    assert subprocess.run(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}).returncode == -signal.SIGKILL
    assert (tmp_path / "b-wal").stat().st_size > (tmp_path / "b").stat().st_size  # all is still in the log
    with GameBase(tmp_path / "b") as base:
        assert len(base) == 3
    assert add(tmp_path / "b", tmp_path / "g.ggf").known == 3
    assert not (tmp_path / "b-wal").exists()


def test_what_cannot_be_read_is_one_sentence_and_the_same_at_every_door(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "text").write_text("f5d6")
    os.mkfifo(tmp_path / "fifo")
    for name, message in (
        ("loop", "symbolic links"),
        ("text", "intact base"),
        ("fifo", "explore build"),
        ("no", "No such"),
    ):
        path = tmp_path / name
        with pytest.raises(BaseError, match=message) as told:
            GameBase(path)
        assert main(["explore", str(path)]) == 2
        assert capsys.readouterr().err == f"othello-bot explore: {told.value}\n"
        (session,) = replies(in_process(f"setoption base_file {path}\n"))
        assert session == f"? option {str(told.value).replace('base ', 'base_file ', 1)}"
        assert main(["mcp", "--base", str(path)]) == 2
        assert capsys.readouterr().err == f"othello-bot mcp: {told.value}\n"


def test_a_base_that_another_process_builds_is_refused_and_can_be_asked(tmp_path: Path) -> None:
    with built(tmp_path / "b", RECORDS[:5]) as base:
        holder = sqlite3.connect(tmp_path / "b", isolation_level=None)
        with Builder(tmp_path / "b") as builder:
            holder.execute("BEGIN IMMEDIATE")
            write_games(RECORDS[5:], tmp_path / "more.ggf")
            with pytest.raises(BaseHeld, match="another process adds games"):
                builder.add([tmp_path / "more.ggf"])
            assert len(base) == 5
            assert base.explore(RECORDS[0].game.start).counts.games > 0
            holder.execute("ROLLBACK")
            builder.add([tmp_path / "more.ggf"])
        holder.close()
        base.explore(Position.start())
        assert len(base) == 40  # what was added meanwhile


def test_a_file_without_games_leaves_an_empty_base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "build", str(tmp_path / "b"), str(tmp_path / "missing.ggf")]) == 1
    assert "missing.ggf" in capsys.readouterr().err
    assert main(["explore", str(tmp_path / "b")]) == 0
    assert capsys.readouterr().out == "no game of the base reaches this position\n"
    assert main(["explore", str(tmp_path / "b"), "--player", "nobody"]) == 0
    assert capsys.readouterr().out == "no game of the base that fits the filters reaches this position\n"


def test_colours_are_those_of_the_start(tmp_path: Path) -> None:
    start = Position.start()
    white_first = Position(start.mover, start.opponent, Color.WHITE)
    game = Game(white_first)
    game.play_moves([37])
    with built(tmp_path / "b", [GameRecord(game, result=10.0, black_rating=1000.0, white_rating=2000.0)]) as base:
        counts = base.explore(start).moves[0].counts
        assert (counts.lost, counts.mean_discs, counts.mean_rating) == (1, -10.0, 2000.0)


def test_a_full_disk_is_one_sentence_and_what_was_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PAGE_BYTES", 512)
    built(tmp_path / "b", RECORDS[:5]).close()
    write_games(RECORDS[5:], tmp_path / "more.ggf")
    with Builder(tmp_path / "b") as builder:
        (pages,) = builder._connection.execute("PRAGMA page_count").fetchone()
        builder._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(WorkError, match="the disk is full"):
            builder.add([tmp_path / "more.ggf"])
    with GameBase(tmp_path / "b") as base:
        assert len(base) == len(list(base.all_games())) == 5
        assert base.explore(RECORDS[0].game.position).counts.games == 1
    assert add(tmp_path / "b", tmp_path / "more.ggf").read == 35
    with GameBase(tmp_path / "b") as base:
        assert len(base) == len(list(base.all_games())) == 40


def test_a_temporary_file_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_games(RECORDS[:20], tmp_path / "g.ggf")
    monkeypatch.setattr(segments, "SORTED_POSTINGS", 300)
    monkeypatch.setattr(segments, "BLOCK_POSTINGS", 200)

    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tempfile.TemporaryFile", full)
        with pytest.raises(WorkError, match=r"b: the temporary file beside it: No space left on device"):
            add(tmp_path / "b", tmp_path / "g.ggf")
    with GameBase(tmp_path / "b") as base:
        assert len(base) == 0 and base.explore(Position.start()).counts.games == 0
        with pytest.raises(InputError, match="number of a game"):
            base.game(1)
        add(tmp_path / "b", tmp_path / "g.ggf")
        assert len(list(base.all_games())) == len(base) == 20


def test_a_file_without_a_game_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.ggf").write_text("")
    (tmp_path / "comments.txt").write_text("# nothing yet\n")
    (tmp_path / "one.txt").write_text("f5d6c3\n")
    names = [str(tmp_path / name) for name in ("empty.ggf", "one.txt", "comments.txt")]
    assert main(["explore", "build", str(tmp_path / "base"), *names]) == 0
    *said, sums = capsys.readouterr().err.splitlines()
    reason = "no game: the file is empty or has only comments"
    assert said == [f"othello-bot explore build: {name}: {reason}" for name in (names[0], names[2])]
    assert "1 game read, 1 added" in sums
