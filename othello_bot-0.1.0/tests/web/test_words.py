"""The words of the page stand in one module a language, each complete, and nowhere else."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from othello_bot import strategies
from othello_bot.engine import find_option
from othello_bot.rules import Game, IllegalMove
from othello_bot.web.page_files import STATIC
from othello_bot.web.upload import invalid
from tests.web.conftest import run_modules

LANGUAGES = ("en", "ja")
MODULES = sorted(path.name for path in STATIC.glob("*.js") if path.stem not in (*LANGUAGES, "words", "players"))

JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")

PROSE = re.compile(r"[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}|^[A-Z][a-z]+|^[a-z]{3,}[.!?…]$|[\u2018-\u201f]")
"""What looks like words for a person: two of them, a capital letter at the beginning, or the end of a sentence."""

NOT_SHOWN = re.compile(
    r"othello-bot (game|settings|address|games|edition|pending )$|(games|puzzles) (shown|loaded)$"  # names stored, marks
    r"|(Arrow\w+|Home|End|Enter|Shift)$|\^Arrow"  # keys
    r"|(Black|White|Event|Date|Result|\*|\?+)$|- - 0 1$"  # tags of PGN, and its FEN
    r"|no element |no picture$|an opening cannot be read$"  # errors of the program itself
    r"|(select|input|summary)[,.#\[]|\[|[.#][a-z]"  # selectors
    r"|(0|M)[ 0-9]|system-ui"  # attributes of drawings, fonts
    r"|game\.$|\{.othello-bot games"  # names of files, the beginning of a backup
    r"|Quota|Version|Constraint|QuotaExceededError"  # names of errors
)


def literals(text: str) -> Iterator[str]:
    """Yield the strings of a module: of a template, the parts between its expressions."""
    place = 0
    before = ""
    while place < len(text):
        comment = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL).match(text, place)
        pattern = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+/").match(text, place)
        quoted = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'').match(text, place)
        if comment:
            place = comment.end()
        elif pattern and before in "(,=:[!&|?{};":
            place, before = pattern.end(), "/"
        elif quoted:
            yield quoted[1] or quoted[2] or ""
            place, before = quoted.end(), '"'
        elif text[place] == "`":
            place, parts = _template(text, place + 1)
            yield from parts
            before = "`"
        else:
            before = before if text[place].isspace() else text[place]
            place += 1


def _template(text: str, place: int) -> tuple[int, list[str]]:
    """Return the end of the template whose first character is at `place`, and the strings in it."""
    found = [""]
    while text[place] != "`":
        if text[place] == "\\":
            found[-1] += text[place : place + 2]
            place += 2
        elif text.startswith("${", place):
            begin, depth = place + 2, 1
            place = begin
            while depth:
                if text[place] == "`":
                    place, inner = _template(text, place + 1)
                    found[:0] = inner
                    continue
                depth += {"{": 1, "}": -1}.get(text[place], 0)
                place += 1
            found[:0] = list(literals(re.sub("`[^`]*`", "", text[begin : place - 1])))
            found.append("")
        else:
            found[-1] += text[place]
            place += 1
    return place + 1, found


def keys(language: str) -> list[str]:
    """Return the paths of all words of a language, in their order."""
    found: list[str] = []
    path: list[str] = []
    text = (STATIC / f"{language}.js").read_text(encoding="utf-8")
    for line in text[text.index("export const words = {") :].splitlines()[1:]:
        entry = re.match(r'^((?:  )+)("?[\w\' -]*"?)(?:: (.*)|,)$', line)
        if entry and len(entry[1]) == 2 * len(path) + 2:
            found.append(".".join([*path, entry[2].strip('"')]))
            if entry[3] == "{":
                path.append(entry[2].strip('"'))
        elif path and re.match(rf"^{'  ' * len(path)}}},?$", line):
            path.pop()
    return [one for one in found if not one.startswith(("learn.openings.", "faults.input."))]


def test_all_languages_have_the_same_words() -> None:
    english = keys("en")
    assert len(english) > 250 and "puzzles.wins" in english and "play.strategies.iago" in english
    assert keys("ja") == english


def test_every_strength_and_textbook_player_has_words() -> None:
    known = set(keys("en"))
    assert {f"play.strengths.{name}" for name, _ in find_option("strength").names} <= known
    assert {f"play.strategies.{name}" for name in strategies.names()} <= known
    text = (STATIC / "en.js").read_text(encoding="utf-8")
    for name in strategies.names():
        assert f'"{strategies.describe(name).split("; depth")[0]}"' in text, name


def test_the_japanese_words_are_japanese() -> None:
    text = (STATIC / "ja.js").read_text(encoding="utf-8")
    sentences = [one for one in literals(text) if re.search("[A-Za-z]{3,} [A-Za-z]{3,} [A-Za-z]{3,}", one)]
    assert sentences == []
    assert sum(bool(JAPANESE.search(one)) for one in literals(text)) > 300


@pytest.mark.parametrize("name", MODULES)
def test_no_other_module_has_words(name: str) -> None:
    found = [one for one in literals((STATIC / name).read_text(encoding="utf-8")) if PROSE.search(one)]
    styles = "".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.css"))
    classes = set(re.findall(r"\.([a-z][a-z-]*)", styles))
    assert [one for one in found if not NOT_SHOWN.match(one) and not set(one.split()) <= classes] == []


class _PageWords(HTMLParser):
    """The texts and the labels of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tags.append(tag)
        self.found += [
            value for name, value in attrs if name in ("aria-label", "title", "placeholder", "alt") and value
        ]

    def handle_data(self, data: str) -> None:
        if data.strip() and "noscript" not in self._tags[-3:]:
            self.found.append(data.strip())


def test_the_frame_of_the_page_has_no_words_of_its_own() -> None:
    parser = _PageWords()
    parser.feed((STATIC / "index.html").read_text(encoding="utf-8"))
    assert set(parser.found) == {"othello-bot"}
    named = re.findall(r'data-(?:words|label)="([\w.]+)"', (STATIC / "index.html").read_text(encoding="utf-8"))
    assert len(named) > 10 and set(named) <= set(keys("en"))


READERS = (
    "transcripts",
    "pasted",
    "pgn",
    "found",
    "record",
    "contents",
    "wthor",
    "quest",
    "reading",
    "ggf",
    "xof",
    "sgf",
    "obf",
)

SAME_WORDS = re.compile(
    "WTHOR|OBF|PGN|SGF|GGF|XOF|JSON|FEN|startPos|pa(?![a-z])|f5d6c3|[A-Ha-h][1-8]"
    r'|<player color="black" name="A"/>|</game>|base/increment/grace|"(position|moves|m|t)"|Black "name"'
)
"""What is the same in Japanese: names of formats, and examples of their text."""

FAULTS = """
    import { readFileSync } from "node:fs";
    import { words } from "./ja.js";
    console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((reply) => words.faults.input(reply))));
"""


def refusals() -> list[dict[str, str]]:
    """Return the replies to all that the readers of games refuse, with examples of what the messages hold."""

    def example(node: ast.expr) -> str:
        inserted = {"counted": "7 games", "color": "black", "letter": "X"}
        return next((text for name, text in inserted.items() if name in ast.unparse(node)), "7")

    def text(node: ast.expr) -> str:
        if isinstance(node, ast.JoinedStr):
            return "".join(str(one.value) if isinstance(one, ast.Constant) else example(one) for one in node.values)
        return str(node.value) if isinstance(node, ast.Constant) else ""

    rooms = Path(__file__).parents[2] / "othello_bot"
    found = [
        {"what": "board", "expected": "64 cells of X, O and -"},
        {"what": "move", "expected": "a move (a1 to h8, or pass)"},
    ]
    for path in [*(rooms / "formats" / f"{name}.py" for name in READERS), rooms / "web" / "writing.py"]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {
            target.id: text(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "FormatError":
                what, _, expected = node.args[:3]
                found.append(
                    {
                        "what": text(what),
                        "expected": named[expected.id] if isinstance(expected, ast.Name) else text(expected),
                    }
                )
    return [one for one in found if one["expected"] and one["what"] not in ("line 7:", "start")]


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")
def test_all_refusals_of_games_are_told_in_japanese_with_what_would_be_accepted(tmp_path: Path) -> None:
    given = [{**one, "value": "", "where": "after move 3"} for one in refusals()]
    assert len(given) > 60
    told = run_modules(tmp_path, FAULTS, given)
    for reply, text in zip(given, told, strict=True):
        assert re.fullmatch(r"3手目の後: .+を読み込めません。.+。", text), (reply, text)
        assert not re.search("[A-Za-z]{2,}", SAME_WORDS.sub("", text)), (reply, text)


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")
def test_sentences_have_the_right_number(tmp_path: Path) -> None:
    script = """
        import { words } from "./en.js";
        const { review, learn } = words;
        const looks = [words.you, "Ada"].map((name) => review.looks(name, 1500, 90));
        console.log(JSON.stringify([...looks, ...[0, 0.004, 0.006, 0.5, 1].map(learn.share)]));
    """
    assert run_modules(tmp_path, script, None) == [
        "You play like a player rated 1500 ± 90.",
        "Ada plays like a player rated 1500 ± 90.",
        *("<1 %", "<1 %", "1 %", "50 %", "100 %"),
    ]


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")
def test_an_illegal_move_is_told_in_japanese_with_the_legal_ones(tmp_path: Path) -> None:
    def refused(game: Game, move: str) -> dict[str, Any]:
        with pytest.raises(IllegalMove) as error:
            game.position.play(move)
        return {**invalid(error.value), "what": "illegal move", "where": ""}

    passed = {"what": "illegal move", "where": "line 1, move 4", "value": "pass", "expected": "d3 f3"}
    files = {"what": "files", "value": "9", "expected": "at most 8"}
    assert run_modules(tmp_path, FAULTS, [refused(Game(), "a1"), passed, files]) == [
        "着手「a1」を読み込めません。打てる手: d3 c4 f5 e6。",
        "1行目の4手目: 着手「パス」を読み込めません。打てる手: d3 f3。",
        "ファイル「9」を読み込めません。上限: 8個。",
    ]
