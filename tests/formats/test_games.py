"""GGF, SGF, PGN and WTHOR: what programs write, what we write, and nonsense."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.errors import FormatError
from othello_bot.formats import detect, ggf, pgn, sgf, wthor
from othello_bot.formats.record import ClockSetting, GameRecord, MoveNote
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from protocol.notation import PASS, Color, parse_move, square_name
from tests.rules.strategies import games, games_from_anywhere, random_game

START_BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
GGS_GAME = (
    "(;GM[Othello]PC[GGS/os]DT[2004.09.18_05:54:38.MDT]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2198.72]"
    f"TI[05:00//02:00]TY[8]RE[-12.00:t]BO[{START_BOARD}]B[d3//0.01]W[c5/-1.25/0.5]B[D6/0.00];)"
)
WIPE_OUT = "f5d6c5f4e3f6g5e6e7"


def passing_game() -> Game:
    """Return a finished game that has passes."""
    return next(game for seed in range(100) if PASS in (game := random_game(seed)).moves)


# --- GGF


def test_a_game_of_the_server() -> None:
    record = ggf.read_game(GGS_GAME)
    assert record.game.transcript() == "d3c5d6"
    assert (record.black, record.white, record.place) == ("Saio1200", "Saio3000", "GGS/os")
    assert (record.black_rating, record.white_rating) == (2197.01, 2198.72)
    assert (record.result, record.ending, record.date) == (-12.0, "time", "2004.09.18_05:54:38.MDT")
    assert record.clock_of(Color.BLACK) == record.clock_of(Color.WHITE) == ClockSetting(300, 0, 120)
    assert record.notes == {0: MoveNote(None, 0.01), 1: MoveNote(-1.25, 0.5), 2: MoveNote(0.0, None)}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"1 {GGS_GAME}", 1),
        (f"2 {GGS_GAME}{GGS_GAME}\n1 {GGS_GAME}\n", 3),
        (f"{GGS_GAME}\r\n\r\n{GGS_GAME}", 2),
        (GGS_GAME.replace("]", "] \n"), 1),
        (GGS_GAME.replace(";)", ")"), 1),
        ("no game here", 0),
    ],
)
def test_several_games_and_their_numbers(text: str, count: int) -> None:
    records = list(ggf.read_games(text))
    assert [record.game.transcript() for record in records] == ["d3c5d6"] * count


def test_clocks_of_each_player() -> None:
    record = ggf.read_game("(;GM[Othello]TI[15:00]TB[01:00:00/00:10/02:00]TY[8]B[f5];)")
    assert record.clock_of(Color.BLACK) == ClockSetting(3600, 10, 120)
    assert record.clock_of(Color.WHITE) == ClockSetting(900)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("05:00//02:00", ClockSetting(300, 0, 120)),
        ("00:30", ClockSetting(30)),
        ("30", ClockSetting(30)),
        ("1:30:05/2/", ClockSetting(5405, 2, 0)),
        ("00:56,1:0//02:00,1:0", ClockSetting(56, 0, 120)),
        ("0:00.25", ClockSetting(0.25)),
    ],
)
def test_clock_texts(text: str, clock: ClockSetting) -> None:
    assert ggf.parse_clock(text) == clock
    assert ggf.parse_clock(ggf.format_clock(clock)) == clock


@pytest.mark.parametrize("text", ["", "/", "//02:00", "five minutes", "-1:00", "1:2:3:4", "inf", "nan", "1" * 400])
def test_texts_that_are_no_clock(text: str) -> None:
    with pytest.raises(FormatError):
        ggf.parse_clock(text)


@pytest.mark.parametrize(
    ("text", "note", "written"),
    [
        ("F5", MoveNote(), "F5"),
        ("f5/1.25", MoveNote(1.25), "F5/1.25"),
        ("F5//2.449", MoveNote(None, 2.449), "F5//2.449"),
        ("F5/-3/2", MoveNote(-3, 2), "F5/-3.00/2.000"),
        ("F5/NaN/1", MoveNote(None, 1), "F5//1.000"),
        ("F5/", MoveNote(), "F5"),
    ],
)
def test_moves_with_score_and_time(text: str, note: MoveNote, written: str) -> None:
    assert ggf.parse_annotated_move(text) == (parse_move("f5"), note)
    assert ggf.format_annotated_move(parse_move("f5"), note) == written


def test_a_set_up_start_with_white_to_move() -> None:
    record = ggf.read_game("(;GM[Othello]BO[8 " + "-" * 27 + "O*------***" + "-" * 26 + " O]W[d6]B[c3];)")
    assert record.game.start == Position.start().play(parse_move("f5"))
    assert record.game.transcript() == "d6c3"


def test_passes_written_left_out_and_at_the_end() -> None:
    game = passing_game()
    before = game.moves.index(PASS)
    colors = [game.position_at(ply).color.letter.upper() for ply in range(game.ply)]
    written = [f"{color}[{ggf.format_annotated_move(move)}]" for color, move in zip(colors, game.moves, strict=True)]
    left_out = [tag for tag in written if "PA" not in tag]
    for tags in (written, left_out, [*written, "B[PA]", "W[PA]"], [*left_out, "W[pa//0.1]"]):
        assert ggf.read_game(f"(;GM[Othello]{''.join(tags)};)").game == game
    # A host asks for a move after a pass that ends the game text: the pass must count.
    waiting = ggf.read_game(f"(;GM[Othello]{''.join(written[: before + 1])};)").game
    assert waiting.moves == game.moves[: before + 1]


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("", "", 0),
        ("(;GM[Go];)", "Go", 5),
        ("(;GM[Othello]B[f5]W[a1];)", "a1", 20),
        ("(;GM[Othello]B[f5]B[d6];)", "d6", 20),
        ("(;GM[Othello]B[f5]W[PA];)", "pass", 20),
        ("(;GM[Othello]B[f5/x];)", "x", 15),
        ("(;GM[Othello]B[f5", "B[f5", 13),
        ("(;GM[Othello]B[f5]", "", 18),
        ("(;GM[Othello]RE[many];)", "many", 16),
        ("(;GM[Othello]RE[1:z];)", "1:z", 16),
        ("(;GM[Othello]RB[1e999];)", "1e999", 16),
        ("(;GM[Othello]BO[10 *];)", "10", 16),
        ("(;GM[Othello]BO[8 ?];)", "?", 16),
        ("(;" + "C[x]" * 10_000, "C", 2050),
    ],
)
def test_nonsense_in_ggf(text: str, value: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        ggf.read_game(text)
    assert (caught.value.value, caught.value.place) == (value, place)


# --- SGF

EDAX_SGF = (
    "(;FF[4]GM[2]AP[edax:4.6]PC[Edax]DT[2020-1-1]PB[A\\]B]PW[C]SZ[8]AB[d5][e4]AW[d4][e5]PL[B]RE[B+12]B[f5];W[d6];B[c3])"
)


def test_sgf_with_square_names() -> None:
    record = sgf.read_game(EDAX_SGF)
    assert record.game == Game.from_transcript("f5d6c3")
    assert (record.black, record.white, record.place, record.result) == ("A]B", "C", "Edax", 12.0)


@pytest.mark.parametrize(
    ("points", "moves"),
    [("fd dc cf", "f5d6c3"), ("fe df cc", "f5d6c3"), ("FD Dc cF", "f5d6c3")],
    ids=["row a is rank 8", "row a is rank 1", "capital letters"],
)
def test_sgf_with_go_points(points: str, moves: str) -> None:
    nodes = "".join(f";{color}[{point}]" for color, point in zip("BWB", points.split(), strict=True))
    assert sgf.read_game(f"(;FF[4]GM[1]SZ[8]{nodes})").game == Game.from_transcript(moves)


@pytest.mark.parametrize("nodes", ["AB[dd][ee]AW[de][ed]PL[B];B[fd]", "AB[de][ed]AW[dd][ee]PL[B];B[fe]"])
def test_sgf_with_go_points_of_the_start(nodes: str) -> None:
    game = sgf.read_game(f"(;GM[2]{nodes})").game
    assert (game.start, game.transcript()) == (Position.start(), "f5")


@pytest.mark.parametrize("word", ["", "tt", "PA", "pass", "--"])
def test_passes_of_sgf(word: str) -> None:
    start = Position.parse("XO" + "-" * 61 + "X" + " O")
    text = f"(;GM[2]AB[a1][h8]AW[b1]PL[W];W[{word}];B[c1])"
    assert sgf.read_game(text).game == Game.from_transcript(f"{start.to_string()} pa c1")


SAVED_BY_GOGUI = """(;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[8]
KM[6.5]DT[2026-11-23]
;B[df]PL[W];W[cf]PL[B];B[ec]PL[W];W[dg]PL[B];B[dh]PL[W];W[eh]PL[B];B[bg]PL[W];
W[ch]PL[B];B[]PL[W];W[dc]PL[B])
"""
"""A game that GoGui 1.6.0 saved; after c1 Black had to pass."""


def test_sgf_that_gogui_saved() -> None:
    record = sgf.read_game(SAVED_BY_GOGUI)
    assert record.game.transcript(passes=True) == Game.from_transcript("d3c3e6d2d1e1b2c1pad6").transcript(passes=True)


def test_only_the_main_line_of_sgf_counts() -> None:
    text = "(;GM[2];B[f5](;W[d6](;B[c3])(;B[c4]))(;W[f4];C[a ) in a comment \\] too]))(;GM[2];B[d3])"
    assert [record.game.transcript() for record in sgf.read_games(text)] == ["f5d6c3", "d3"]


def test_sgf_rectangles_and_old_names() -> None:
    game = sgf.read_game("(;GaMe[2]SiZe[8]AddBlack[a1:b2]AddWhite[c1][d1:d1]PLayer[Black];Black[e1])").game
    assert game.position.to_string().startswith("XXXXX---XX------")


@pytest.mark.parametrize(
    ("result", "score", "ending"),
    [
        ("B+12", 12.0, ""),
        ("W+4", -4.0, ""),
        ("0", 0.0, ""),
        ("Draw", 0.0, ""),
        ("B+", 64.0, ""),
        ("B+R", 64.0, "resignation"),
        ("W+T", -64.0, "time"),
        ("W+Time", -64.0, "time"),
        ("?", None, ""),
        ("Void", None, ""),
    ],
)
def test_results_of_sgf(result: str, score: float | None, ending: str) -> None:
    record = sgf.read_game(f"(;GM[2]RE[{result}];B[f5])")
    assert (record.result, record.ending) == (score, ending)


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("", "", 0),
        ("(;GM[3])", "3", 5),
        ("(;GM[2]SZ[10])", "10", 10),
        ("(;GM[2];B[z9])", "z9", 10),
        ("(;GM[2];B[f5];W[a1])", "a1", 16),
        ("(;GM[2];B[ff];W[aa])", "f3", 10),
        ("(;GM[2];B[f5];AB[a1])", "AB", 17),
        ("(;GM[2];B[f5]PL[B])", "B", 16),
        ("(;GM[2]AB[a1]AW[a1])", "a1", 5),
        ("(;GM[2];B[f5]", "", 13),
        ("(;GM[2];B[f5", "[f5", 9),
        ("(;[f5])", "[f5]", 2),
        ("(" * 100_000, "", 100_000),
        ("(;" + "C[x]" * 10_000, "C", 20_002),
    ],
)
def test_nonsense_in_sgf(text: str, value: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        sgf.read_game(text)
    assert (caught.value.value, caught.value.place) == (value, place)


# --- PGN


def test_pgn_of_edax() -> None:
    text = (
        '[Event "?"]\n[Site "local"]\n[Date "2020.1.1"]\n[Round "?"]\n[Black "Edax"]\n[White "A \\"B\\""]\n'
        '[Result "1-0"]\n\n1. f5 d6 2. c3 d3 3. c4 1-0\n'
    )
    record = pgn.read_game(text)
    assert record.game == Game.from_transcript("f5d6c3d3c4")
    assert (record.black, record.white, record.place, record.event) == ("Edax", 'A "B"', "local", "")
    assert record.result == 64.0


def test_pgn_of_playok() -> None:
    game = passing_game()
    moves = " ".join("--" if move == PASS else square_name(move) for move in game.moves)
    tags = '[Site "PlayOK"]\n[Black "a"]\n[BlackElo "1500"]\n[White "b"]\n[Result "0-1"]'
    record = pgn.read_game(f"{tags}\n\n{moves} 0-1")
    assert (record.game, record.black_rating) == (game, 1500.0)
    assert record.known_result == game.score


def test_pgn_of_a_tournament_base() -> None:
    first_text = '[Event "Open - 1977"]\n[Result "34-30"]\n1. F5 D6\n3. C3 F3\n5. F4 D3\n\n'
    first, second = pgn.read_games(f'{first_text}[Event "Next"]\n\n1. F5 F6\n38-26\n')
    assert (first.game.transcript(), first.result) == ("f5d6c3f3f4d3", 4.0)
    assert (second.game.transcript(), second.event, second.result) == ("f5f6", "Next", 12.0)


def test_pgn_of_an_arena() -> None:
    text = '[TimeControl "60+0.5"]\n\n1. f5 {+2.00/14 1.2s} d6! {book} (1... f4 2. e3) 2. c3 {3s} $1 ; rest *\n*'
    record = pgn.read_game(text)
    assert record.game.transcript() == "f5d6c3"
    assert record.clock == ClockSetting(60, 0.5)
    assert record.notes == {0: MoveNote(2.0, 1.2), 2: MoveNote(None, 3.0)}
    assert record.result is None


@pytest.mark.parametrize("fen", ["8/8/8/3pPp2/3Pp3/8/8/8 w - - 0 1", "-" * 27 + "OX------XOX" + "-" * 26 + " O"])
def test_pgn_with_a_start(fen: str) -> None:
    record = pgn.read_game(f'[FEN "{fen}"]\n\n1. d6')
    assert record.game.start.color is Color.WHITE
    assert record.game.transcript() == "d6"


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("", "", 0),
        ("1. e4 e5", "e4", 3),
        ("1. f5 hello", "hello", 5),
        ("1. f5 ) d6", ")", 7),
        ('[FEN "9"]', "9", 6),
        ('[Black "no end', '[Black "no end', 0),
        ("1. f5 {no end", "{no end", 5),
    ],
)
def test_nonsense_in_pgn(text: str, value: str, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        pgn.read_game(text)
    assert (caught.value.value, caught.value.place) == (value, place)


# --- all that are written


@given(
    games_from_anywhere() | games(),
    st.text(max_size=20),
    st.none() | st.floats(-64, 64).map(lambda score: round(score, 2)),
    st.floats(0, 1000).map(lambda seconds: round(seconds, 3)),
)
def test_what_is_written_is_read(game: Game, name: str, score: float | None, seconds: float) -> None:
    notes = {ply: MoveNote(score, seconds) for ply in range(0, game.ply, 3)}
    clock = ClockSetting(300, 2)
    record = GameRecord(game, black=name, white="w", clock=clock, notes=notes, black_rating=1500.5, ending="time")
    for write, read in (
        (ggf.write_game, ggf.read_game),
        (pgn.write_game, pgn.read_game),
        (sgf.write_game, sgf.read_game),
        (lambda record: sgf.write_game(record, go_points=True), sgf.read_game),
    ):
        text = write(record)
        again = read(text)
        if game.start != Position.from_colors(0, 0, game.start.color):
            assert again.game == game
        assert (again.white, again.black_rating) == ("w", 1500.5)
        assert again.clock is not None and again.clock.base_s == 300
        if read is not sgf.read_game:
            assert again.notes == notes
        if game.is_over:
            assert (again.known_result or 0) * game.score >= 0
        else:
            assert again.result is None
        assert [found.game for found in detect.read_games(text)] == [again.game]


@pytest.mark.parametrize("form", [ggf, sgf, pgn])
def test_a_comment_on_the_game_is_kept(form: ModuleType) -> None:
    record = GameRecord(Game.from_transcript("f5d6c3"), comment="seed 4711 (drawn)")
    assert form.read_game(form.write_game(record)).comment == "seed 4711 (drawn)"
    record.comment = "}] ;) [a"
    assert form.read_game(form.write_game(record)).game.transcript() == "f5d6c3"


def test_a_comment_on_a_move_is_none_on_the_game() -> None:
    assert ggf.read_game("(;GM[Othello]B[f5]CO[good move]W[d6];)").comment == ""


def test_the_written_forms() -> None:
    record = GameRecord(Game.from_transcript(WIPE_OUT), black="A", white="B", notes={0: MoveNote(0.5, 1.25)})
    assert ggf.write_game(record) == (
        f"(;GM[Othello]PC[?]DT[?]PB[A]PW[B]TY[8]RE[+64.00]BO[{START_BOARD}]"
        "B[F5/0.50/1.250]W[D6]B[C5]W[F4]B[E3]W[F6]B[G5]W[E6]B[E7];)"
    )
    assert sgf.write_game(record) == (
        "(;FF[4]GM[2]AP[othello-bot]SZ[8]PB[A]PW[B]RE[B+64]AB[e4][d5]AW[d4][e5]PL[B]"
        ";B[f5];W[d6];B[c5];W[f4];B[e3];W[f6];B[g5];W[e6];B[e7])"
    )
    header, moves = pgn.write_game(record).split("\n\n")
    assert header.splitlines()[4:] == ['[Black "A"]', '[White "B"]', '[Result "1-0"]']
    assert moves == "1. f5 {+0.50 1.250s} d6 2. c5 f4 3. e3 f6 4. g5 e6 5. e7 1-0\n"


READERS: list[Callable[[str], Iterator[GameRecord]]] = [
    ggf.read_games,
    sgf.read_games,
    pgn.read_games,
    detect.read_games,
]


@given(st.text(max_size=300) | st.text("(;)[]{}BWGMOthelof5d6 /\\\".\n", max_size=300))
def test_any_text_is_games_or_refused(text: str) -> None:
    for reader in READERS:
        try:
            records = list(reader(text))
        except FormatError as error:
            assert 0 <= error.place <= len(text)
        else:
            assert all(record.game.position == record.game.position_at(record.game.ply) for record in records)


@given(st.sampled_from([GGS_GAME, EDAX_SGF, "1. f5 d6 2. c3 *"]), st.data())
def test_a_damaged_game_is_read_or_refused(text: str, data: st.DataObject) -> None:
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    damaged = text[:first] + data.draw(st.text(max_size=3)) + text[last:]
    for reader in READERS:
        try:
            list(reader(damaged))
        except FormatError as error:
            assert 0 <= error.place <= len(damaged)


# --- WTHOR


def wthor_file(games: list[Game], *, count: int | None = None, size: int = 8) -> bytes:
    """Return a .wtb file of finished games from the usual start."""
    header = struct.pack("<4BIHHBBBB", 20, 24, 5, 31, len(games) if count is None else count, 0, 1987, size, 0, 22, 0)
    records = []
    for game in games:
        moves = bytes(10 * (move // 8 + 1) + move % 8 + 1 for move in game.moves if move != PASS)
        discs = 32 + game.score // 2
        records.append(struct.pack("<HHHBB60s", 1, 2, 0, discs, 33, moves))
    return header + b"".join(records)


def names_file(names: list[str], size: int) -> bytes:
    """Return a .jou or .trn file."""
    header = struct.pack("<4BIHHBBBB", 20, 24, 5, 31, 0, len(names), 0, 0, 0, 0, 0)
    return header + b"".join(name.encode("latin-1").ljust(size, b"\0") for name in names)


def test_games_of_wthor() -> None:
    games = [passing_game(), Game.from_transcript(WIPE_OUT)]
    data = wthor_file(games)
    header = wthor.read_header(data)
    assert (header.date, header.games, header.year, header.board_size, header.depth) == ("2024-05-31", 2, 1987, 8, 22)
    players = wthor.read_players(names_file(["Tastet Marc", "???", "Méchant Éric"], 20))
    tournaments = wthor.read_tournaments(names_file(["None", "Open de Paris"], 26))
    stored = list(wthor.read_games(data))
    records = [game.record(players, tournaments) for game in stored]
    assert [record.game for record in records] == games
    assert [record.result for record in records] == [game.score for game in games]
    assert (records[0].black, records[0].white) == ("Méchant Éric", "Tastet Marc")
    assert (records[0].event, records[0].date) == ("Open de Paris", "1987")
    assert stored[0].theoretical_black_discs == 33
    assert stored[0].record().black == ""


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", 0),
        (b"x" * 15, 0),
        (wthor_file([Game()], size=10), 12),
        (wthor_file([Game()], count=2), 4),
        (wthor_file([Game()], count=2**32 - 1), 4),
        (wthor_file([Game()])[:-1], 4),
        (wthor_file([Game()])[:-60] + b"\x09" + b"\0" * 59, 24),
        (wthor_file([Game()])[:-62] + b"\xff" * 2 + b"\0" * 60, 22),
    ],
)
def test_nonsense_in_wthor(data: bytes, place: int) -> None:
    with pytest.raises(FormatError) as caught:
        list(wthor.read_games(data))
    assert caught.value.place == place


def test_an_illegal_game_of_wthor_does_not_hide_the_others() -> None:
    data = wthor_file([Game.from_transcript("f5"), Game.from_transcript("f5d6")])
    broken = data[:24] + bytes([11]) + data[25:]
    first, second = wthor.read_games(broken)
    with pytest.raises(FormatError, match="a1"):
        first.record()
    assert second.record().game.transcript() == "f5d6"


def test_nonsense_in_names() -> None:
    with pytest.raises(FormatError):
        wthor.read_players(names_file(["A", "B"], 20)[:-1])


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    for reader in (wthor.read_games, wthor.read_players, wthor.read_tournaments):
        try:
            list(reader(data))  # type: ignore[operator]
        except FormatError as error:
            assert error.place <= max(len(data), 12)


# --- any of them


@pytest.mark.parametrize(
    ("text", "transcripts"),
    [
        (GGS_GAME, ["d3c5d6"]),
        (f"2 {GGS_GAME}{GGS_GAME}", ["d3c5d6"] * 2),
        (EDAX_SGF, ["f5d6c3"]),
        ("1. f5 d6 2. c3 *", ["f5d6c3"]),
        ("1. f5 d6\n2. c3 d3\n", ["f5d6c3d3"]),
        ("# openings\nf5d6c3\n\nF5 F6 % diagonal\n", ["f5d6c3", "f5f6"]),
        ("1. f5 d6 2. c3", ["f5d6c3"]),
        ("", []),
    ],
)
def test_the_format_is_found_out(text: str, transcripts: list[str]) -> None:
    assert [record.game.transcript() for record in detect.read_games(text)] == transcripts


def test_where_a_line_of_transcripts_is_wrong() -> None:
    with pytest.raises(FormatError) as caught:
        list(detect.read_games("f5d6\nf5 xx\n"))
    assert caught.value.place == 8
