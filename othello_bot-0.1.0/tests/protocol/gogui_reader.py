"""Readers as strict as GoGui 1.6 in the places where GoGui is strict.

Each names the place in GoGui's sources (github.com/Remi-Coulom/gogui, below src/net/sf/gogui) whose behaviour it
reproduces; none of their code is used.
"""

from __future__ import annotations


def reads(framed: str) -> str:
    """Return what GoGui takes as the text of a reply (gtp/GtpClient.java, readResponse and InputThread.mainLoop).

    A reply begins with its sign and ends with the first empty line. The text is what follows the first space of the
    whole reply, wherever that is, and what follows the sign where there is no space at all.
    """
    assert framed[:1] in ("=", "?"), f"GoGui drops a line without a sign: {framed!r}"
    assert framed.endswith("\n\n") and framed.index("\n\n") == len(framed) - 2, f"not one reply: {framed!r}"
    return framed[framed.find(" ") + 1 or 1 : -2]


def board(text: str) -> dict[str, str]:
    """Return the cells of `gogui-rules_board` by the names that GoGui gives them (go/GenericBoard.java, setup).

    The first row is the highest; signs other than X, O, . and ? are skipped; a text that ends early is not shown.
    """
    rows = text.split("\n")
    assert len(rows) >= 8, f"expected 8 rows: {text!r}"
    cells: dict[str, str] = {}
    for number, row in zip(range(8, 0, -1), rows, strict=False):
        signs = [sign for sign in row if sign in "XO.?"]
        assert len(signs) >= 8, f"expected 8 cells: {row!r}"
        cells |= {f"{letter}{number}": sign for letter, sign in zip("ABCDEFGH", signs, strict=False)}
    return cells


ANALYZE_TYPES = """
    bwboard cboard dboard eplist gfx hstring hpstring none param plist pspairs pstring string sboard
    var varb varc varp varpo varw
"""


def analyze_commands(text: str) -> dict[str, tuple[str, str]]:
    """Return the entries of the analyse menu, type and command by label (gtp/AnalyzeDefinition.java, readConfig).

    A line of fewer than three or more than five parts ends the reading with an error; an unknown type shows nothing,
    and of two equal labels the second is dropped.
    """
    entries: dict[str, tuple[str, str]] = {}
    for line in text.split("\n"):
        parts = line.strip().split("/")
        assert 3 <= len(parts) <= 5, f"expected type/label/command: {line!r}"
        kind, label, command = parts[:3]
        assert kind in ANALYZE_TYPES.split(), f"unknown type: {line!r}"
        assert label not in entries, f"a second {label!r}"
        entries[label] = kind, command
    return entries


def parameters(text: str) -> dict[str, tuple[list[str], str]]:
    """Return the settings of a `param` reply: kind (with its choices) and value by key (gtp/AnalyzeUtil.java).

    A line in brackets as a whole is dropped, an unknown kind is a text field, a check box is on where its value is a
    number but 0, and a value that is none of the choices shows the first one.
    """
    found = {}
    for line in text.split("\n"):
        assert line.startswith("[") and not line.endswith("]"), f"expected [kind] key value: {line!r}"
        kind, _, rest = line[1:].partition("]")
        key, _, value = rest.strip().partition(" ")
        name, *choices = kind.split("/")
        assert name in ("string", "bool", "list"), f"unknown kind: {line!r}"
        assert name != "bool" or value in ("0", "1"), f"a check box shows nothing but 0 and 1: {line!r}"
        assert name != "list" or value in choices, f"a list shows nothing but its choices: {line!r}"
        found[key] = [name, *choices], value
    return found


def number_board(text: str) -> dict[str, float]:
    """Return the numbers of a `dboard` reply by square (gtp/GtpUtil.java, parseDoubleBoard and parseStringBoard)."""
    rows = text.split("\n")
    assert len(rows) == 8 and all(len(row.split()) == 8 for row in rows), f"expected 8 rows of 8: {text!r}"
    return {
        f"{letter}{8 - at}": float(number)
        for at, row in enumerate(rows)
        for letter, number in zip("ABCDEFGH", row.split(), strict=True)
    }


GRAPHICS = "BLACK CIRCLE CLEAR COLOR INFLUENCE LABEL MARK SQUARE TEXT TRIANGLE VAR WHITE"
COLORS = "black blue cyan green gray magenta pink red white yellow"


def graphics(text: str) -> dict[str, list[str]]:
    """Return the drawing commands of a `gfx` reply with their words (gui/AnalyzeShow.java, showGfxLine).

    GoGui skips without a word what it cannot read: an unknown command, a colour or a square that does not exist, a
    square without its label, a move without its colour.
    """
    found: dict[str, list[str]] = {}
    for line in text.split("\n"):
        command, *words = line.split()
        assert command in GRAPHICS.split(), f"unknown drawing command: {line!r}"
        if command == "COLOR":
            assert words[0] in COLORS.split(), line
            assert all(map(_is_point, words[1:])), line
        elif command in ("LABEL", "INFLUENCE"):
            assert len(words) % 2 == 0 and all(map(_is_point, words[::2])), line
        elif command == "VAR":
            assert len(words) % 2 == 0 and set(words[::2]) <= {"B", "W"} and all(map(_is_point, words[1::2])), line
        elif command != "TEXT":
            assert all(map(_is_point, words)), line
        found[command] = words
    return found


def live_graphics(stderr: str) -> list[str]:
    """Yield the drawings in a program's stderr (gui/LiveGfx.java, handleLine).

    A drawing begins with a line `gogui-gfx:` and ends with an empty one.
    """
    drawings: list[str] = []
    lines = iter(stderr.split("\n"))
    for line in lines:
        if not line.strip().startswith("gogui-gfx:"):
            continue
        rest = line.partition(":")[2].strip()
        if not rest:
            block = []
            while (line := next(lines).strip()) != "":  # a drawing that does not end is StopIteration
                block.append(line)
            rest = "\n".join(block)
        drawings.append(rest)
    return drawings


def _is_point(word: str) -> bool:
    # go/GoPoint.java, parsePoint: upper or lower case, without the letter I; within 8 by 8 that is never asked.
    return word.upper() == "PASS" or (len(word) == 2 and word[0].upper() in "ABCDEFGH" and word[1] in "12345678")
