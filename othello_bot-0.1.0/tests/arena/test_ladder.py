"""`match ladder`: who meets whom, files that come, change and go, and a ladder that is stopped and goes on."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from othello_bot.arena import ladder
from othello_bot.arena.adjudication import Ending
from othello_bot.arena.config import EngineConfig
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.games import GameJob, GameReport
from othello_bot.arena.ladder import Ladder, Roster
from othello_bot.arena.store import MatchStore
from othello_bot.base.notation import Color
from othello_bot.cli import main
from tests.arena.builders import LegalGames, SimulatedBackend

ROOT = Path(__file__).resolve().parents[2]


def strength(config: EngineConfig) -> int:
    """Return the number at the end of a name: the greater one wins."""
    return int(re.sub(r"\D", "", config.name) or 0)


def weaker(job: GameJob) -> Color | None:
    difference = strength(job.black) - strength(job.white)
    return None if not difference else Color.WHITE if difference > 0 else Color.BLACK


class LadderBackend(LegalGames):
    """Ends games at once with legal moves; one with an engine of `impossible` is not possible."""

    def __init__(self, impossible: str = "", slots: int = 1, ending: Ending = Ending.RESIGNATION) -> None:
        super().__init__(SimulatedBackend(weaker, slots, ending, "gone\x1b[2J"))
        self.jobs: list[GameJob] = []
        self._open: list[GameJob] = []
        self._impossible = impossible

    def start(self, job: GameJob) -> None:
        self.jobs.append(job)
        self._open.append(job)
        super().start(job)

    def answers(self, timeout_s: float) -> list[tuple[GameJob, GameReport | str]]:
        opened, self._open = self._open, []
        ended = zip(opened, self.wait(timeout_s), strict=True)
        return [
            (job, "it cannot play" if self._impossible in (job.black.name, job.white.name) else report)
            for job, report in ended
        ]

    def met(self) -> list[frozenset[str]]:
        return [frozenset((job.black.name, job.white.name)) for job in self.jobs]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "LOOK_S", 0.0)
    monkeypatch.setattr(ladder, "WAIT_S", 0.0)
    monkeypatch.setattr(ladder, "NEW_GAMES", 10)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "players"
    made.mkdir()
    return made


def add(folder: Path, *names: str, text: str = 'player = "random"') -> None:
    for name in names:
        (folder / f"{name}.toml").write_text(f"{text}\n", encoding="utf-8")


class Going:
    """A ladder, with what it says of files and of games."""

    def __init__(self, folder: Path, store: MatchStore, backend: LadderBackend) -> None:
        self.files: list[str] = []
        self.lines: list[str] = []
        self.backend = backend
        self.store = store
        self._page = folder / "index.html"
        roster = Roster(folder, self.files.append)
        self.ladder = Ladder(roster, store, backend, self._page, self.lines.append)  # type: ignore[arg-type]

    def play(self, steps: int) -> list[frozenset[str]]:
        """Return who met in these steps."""
        before = len(self.backend.jobs)
        for _ in range(steps):
            self.ladder.step()
        return self.backend.met()[before:]

    @property
    def page(self) -> str:
        return self._page.read_text(encoding="utf-8")

    def games(self) -> Counter[tuple[str, int, int]]:
        """Return how often the store has each game."""
        stored = self.store.matches()
        return Counter(
            (match.key, result.pair, result.leg) for match in stored for result in self.store.results(match.id)
        )


@contextmanager
def going(folder: Path, backend: LadderBackend | None = None) -> Iterator[Going]:
    with MatchStore(folder / "ladder.db") as store:
        yield Going(folder, store, backend or LadderBackend())


@pytest.mark.slow
def test_new_players_come_first_and_meet_each_opening_with_both_colours(folder: Path) -> None:
    add(folder, "p1", "p2", "p3")
    with going(folder) as one:
        one.play(6 * ladder.NEW_GAMES)
        add(folder, "new4")
        met = one.play(ladder.NEW_GAMES)
        assert all("new4" in pair for pair in met)
        # Two games after each other are one opening, once with each colour.
        for first, second in zip(one.backend.jobs[::2], one.backend.jobs[1::2], strict=True):
            assert first.opening == second.opening
            assert (first.black.name, first.white.name) == (second.white.name, second.black.name)
        # Then everybody plays.
        assert len({name for pair in one.play(8) for name in pair}) == 4


@pytest.mark.parametrize("source", ["balanced", "random"])
def test_each_pairing_has_openings_of_its_own(folder: Path, source: str) -> None:
    """Else a new player's first games, one pair with each opponent, would all be one opening."""
    add(folder, "p1", "p2", "p3", "p4")
    add(folder, "ladder", text=f'openings = "{source}"')
    with going(folder) as one:
        one.play(12)
    assert len({job.opening.moves for job in one.backend.jobs}) == 6
    # A ladder that goes on has the openings that it would have had.
    (folder / "ladder.db").unlink()
    jobs = []
    for steps in (5, 7):
        with going(folder) as again:
            again.play(steps)
        jobs += again.backend.jobs
    assert [(job.opening, job.black.name) for job in jobs] == [
        (job.opening, job.black.name) for job in one.backend.jobs
    ]


@pytest.mark.slow
def test_players_meet_neighbours_and_anchors(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "NEIGHBOURS", 1)
    add(folder, *(f"p{number:02}" for number in range(1, 6)))
    add(folder, "anchor00", text='player = "random"\nanchor = 700')
    with going(folder) as one:
        one.play(40)
        met = Counter(one.play(30))
        assert any({"anchor00"} & pair for pair in met)
        for pair in met:
            weak, strong = sorted(int(name[-2:]) for name in pair)
            assert weak == 0 or strong - weak <= 2 * ladder.NEIGHBOURS
        rows = re.findall(
            r"<tr><td>(p\d\d|anchor00)</td><td>([^<]+)</td><td>([^<]+)</td>", one.page.split("<details>")[0]
        )
        assert [name for name, _, _ in rows] == [*(f"p{number:02}" for number in range(5, 0, -1)), "anchor00"]
        assert rows[-1][1:] == ("+700.0", "fixed")


def test_a_ladder_that_was_stopped_goes_on_without_losing_or_doubling_a_game(folder: Path) -> None:
    add(folder, "p1", "p2", "p3")
    for _ in range(5):
        with going(folder, LadderBackend(slots=2)) as one:
            before = sum(one.games().values())
            assert one.ladder.tally.games == before
            one.play(3)
            # It is stopped while games are in progress, which are played again.
            one.backend.answers = lambda timeout_s: []  # type: ignore[method-assign]
            one.play(1)
            assert sum(one.games().values()) == before + 6
            assert set(one.games().values()) == {1}
    with going(folder) as one:
        one.play(len(one.games()) % 2 + 1)
        assert one.lines[0].startswith("game 31: ")


def test_two_ladders_on_one_store_share_the_games(folder: Path) -> None:
    add(folder, "p1", "p2")
    with going(folder) as one, going(folder) as other:
        for _ in range(10):
            one.play(1)
            other.play(1)
        assert set(one.games().values()) == {1}
        assert len(one.games()) == 20
        assert one.ladder.tally.games + 1 >= other.ladder.tally.games == 20


def test_files_are_noticed_when_they_come_change_and_go(folder: Path) -> None:
    add(folder, "p1", "p2")
    with going(folder) as one:
        assert one.play(4) == [frozenset(("p1", "p2"))] * 4
        add(folder, "p3")
        assert all("p3" in pair for pair in one.play(4))
        # With other settings it is another player: its games so far do not count.
        add(folder, "p3", text='player = "random"\nst = 5')
        one.play(1)
        assert one.ladder.tally.games == 5
        (folder / "p3.toml").unlink()
        one.play(1)
        assert "p3" not in one.page.split("latest games")[0]
        add(folder, "p3")
        one.play(1)
        # The games of a player that comes back count again.
        assert one.ladder.tally.games >= 10
        (folder / "p1.toml").unlink()
        (folder / "p3.toml").unlink()
        assert one.play(2) == []
        assert one.lines[-1] == "1 player: a ladder needs two or more"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("broken", "player = ", "TOML"),
        ("empty", "", "cmd=COMMAND"),
        ("unknown", 'player = "random"\ncolour = "red"', "'colour'"),
        ("nobody", 'player = "nobody"', "'nobody'"),
        ("no-limits", 'cmd = "engine"', "tc=, st="),
        ("anchored", 'player = "random"\nanchor = "high"', "-10000 to 10000"),
        ("endless", 'player = "random"\nanchor = nan', "-10000 to 10000"),
        ("second", 'player = "random"\nname = "p1"', "a name that no other file has"),
        ("odd", 'player = "random"\n"\\u001b[31m" = 1', "engine setting"),
    ],
)
def test_a_bad_file_is_named_once_and_skipped(folder: Path, name: str, text: str, told: str) -> None:
    add(folder, "p1", "p2")
    add(folder, name, text=text)
    with going(folder) as one:
        one.play(3)
        assert len(one.files) == 1
        assert one.files[0].startswith(f"{name}.toml is left out: ") and told in one.files[0]
        assert len(one.backend.jobs) == 3
        add(folder, name)
        one.play(1)
        assert len(one.files) == 1 and name in one.page


def test_what_is_no_file_of_a_player_is_skipped(folder: Path) -> None:
    add(folder, "p1", "p2", ".hidden")
    (folder / "folder.toml").mkdir()
    (folder / "lost.toml").symlink_to(folder / "nowhere")
    (folder / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (folder / "notes.txt").write_text("not a player")
    with going(folder) as one:
        one.play(2)
        assert sorted(words.split()[0] for words in one.files) == ["bytes.toml", "folder.toml", "lost.toml"]
        assert one.ladder.names == ["p1", "p2"]


@pytest.mark.process
def test_an_engine_that_cannot_play_is_left_out_until_its_file_changes(folder: Path) -> None:
    add(folder, "p1", "p2")
    add(folder, "bad", text='cmd = "/no/such/program"\ntc = "inf"')
    with going(folder, LadderBackend(impossible="bad")) as one:
        one.play(12)
        assert len(one.files) == 1
        assert one.files[0].startswith("bad.toml is left out until it changes: ") and "/no/such" in one.files[0]
        add(folder, "p3")
        one.play(12)
        assert len(one.files) == 1
        assert sum("bad" in pair for pair in one.backend.met()) == 1
        add(folder, "bad", text='cmd = "/no/such/other"\ntc = "inf"')
        one.play(12)
        assert len(one.files) == 2 and "/no/such/other" in one.files[1]


def test_an_engine_that_never_starts_is_left_out_until_its_file_changes(folder: Path) -> None:
    """Else it would be new for ever, and play on against everybody."""
    add(folder, "p1", "q1", "bad0")
    with going(folder, LadderBackend(ending=Ending.NO_START)) as one:
        for times in (1, 2):
            met = one.play(ladder.MOST_MISSED + 6)
            assert sum("bad0" in pair for pair in met) == ladder.MOST_MISSED
            assert len(one.files) == times
            assert re.match(r"bad0\.toml is left out until it changes: it did not start .*: gone", one.files[-1])
            # Its games stay, and so does what was told of each.
            assert len(one.games()) == len(one.lines) == times * (ladder.MOST_MISSED + 6)
            assert "bad0" not in one.page.split("latest games")[0]
            add(folder, "bad0", text=f'player = "random"\nst = {times}')


def test_a_failure_of_the_arena_itself_ends_the_ladder(folder: Path) -> None:
    add(folder, "p1", "p2")
    with going(folder, LadderBackend(impossible="p1")) as one, pytest.raises(ArenaError, match="it cannot play"):
        one.play(1)
        one.play(1)


def test_the_settings_of_all_are_in_a_file_of_their_own(folder: Path) -> None:
    add(folder, "p1", "p2")
    add(folder, "ladder", text='openings = "start"\nadjudicate = 9\n[each]\nst = 3')
    with going(folder) as one:
        one.play(1)
        (job,) = one.backend.jobs
        assert (job.opening.moves, job.rules.solve_empties, job.black.limits.move_time_s) == ((), 9, 3.0)
        add(folder, "ladder", text="rounds = 5")
        one.play(1)
        assert len(one.files) == 1
        assert one.files[0].startswith("ladder.toml is invalid, and the settings stay as they were: ")
        assert one.backend.jobs[1].opening.moves == ()


@pytest.mark.parametrize("text", ["rounds = 5", "openings = 'nowhere.ggf'", "broken =", "concurrency = 0"])
def test_a_ladder_with_invalid_settings_does_not_begin(
    folder: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "ladder", text=text)
    assert main(["match", "ladder", str(folder)]) == 2
    assert capsys.readouterr().err.startswith("othello-bot match ladder: ")
    assert main(["match", "ladder", str(folder / "nothing")]) == 2
    assert "a folder with one TOML file for each player" in " ".join(capsys.readouterr().err.split())


def test_the_page_has_ratings_results_by_opponent_and_games_and_shows_texts_as_they_are(folder: Path) -> None:
    add(folder, "p1", "p3")
    add(folder, "p2", text="player = 'random'\nname = '<b>2</b>\\u0007'".replace("'", '"'))
    with going(folder) as one:
        one.play(12)
        text = one.page
    assert "<b>" not in text and "&lt;b&gt;2&lt;/b&gt;" in text and "\x07" not in text
    assert text.count("<details>") == 3
    (rows,) = re.findall(r"<summary>p3 against each opponent</summary>(.*?)</details>", text)
    cells = re.findall(r"<td>(.*?)</td>", rows)
    assert (cells[0], cells[2:7]) == ("&lt;b&gt;2&lt;/b&gt;\\x07", ["4", "4", "0", "0", "100.0 %"])
    assert text.count('<button type="button">show</button>') == 12


@pytest.mark.parametrize(
    ("words", "store", "page"),
    [((), "players/ladder.db", "players/index.html"), (("--store", "a.db", "--page", "a.html"), "a.db", "a.html")],
)
def test_the_store_and_the_page_are_in_the_folder_unless_told_otherwise(
    folder: Path, words: tuple[str, ...], store: str, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(folder, "p1", "p2")
    monkeypatch.chdir(folder.parent)
    monkeypatch.setattr(Ladder, "step", lambda self: signal.raise_signal(signal.SIGTERM))
    assert main(["match", "ladder", str(folder), *words]) == 0
    found = {str(path.relative_to(folder.parent)) for path in folder.parent.rglob("*.*")}
    assert found - {"players/p1.toml", "players/p2.toml"} == {store, page}


def ladder_process(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "othello_bot", "match", "ladder", str(folder)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.process
def test_signals_stop_it_and_the_same_command_goes_on(folder: Path) -> None:
    add(folder, "p1", "p2", "p3")
    seen = 0
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
        with ladder_process(folder) as process:
            assert process.stdout is not None and process.stderr is not None
            try:
                lines = [process.stdout.readline() for _ in range(5)]
                process.send_signal(number)
                rest, told = process.communicate(timeout=120)
            finally:
                process.kill()
        lines += rest.splitlines()
        assert all(re.match(r"game \d+: p\d - p\d \(opening \d+\): ", line) for line in lines)
        if number is not signal.SIGKILL:
            assert (process.returncode, told) == (0, "othello-bot match ladder: stopped; the same command resumes\n")
        games = [int(line.split()[1].rstrip(":")) for line in lines]
        # A killed one may have stored a game without telling it.
        assert games[0] in (seen + 1, seen + 2) and games == list(range(games[0], games[0] + len(games)))
        seen = games[-1]
