"""Options in the spelling of chess arenas: the refusal names ours."""

from __future__ import annotations

import pytest

from othello_bot.cli import main


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("-openings file=x.pgn order=random", "--openings x.pgn --order random"),
        (
            "-openings file=x.pgn format=pgn order=sequential plies=8 start=3",
            "x.pgn --order sequential --opening-plies 8",
        ),
        ("-openings order=random file=x.pgn", "--openings x.pgn --order random"),
        ("--resign movecount=3 score=40", "--resign 40/3, in discs"),
        ("-resign movecount=3 score=400", "--resign DISCS/MOVES, like 40/3"),
        ("-pgnout out.pgn", "--games FILE.pgn"),
        ("-pgnout file=out.pgn", "--games FILE.pgn"),
        ("-repeat", "nothing: each opening is played with both colours"),
        ("-recover", "nothing: an engine that fails is started again"),
        ("-rounds 10 -games 2", "--rounds N, two games for each opening"),
        ("-srand 3", "--seed N"),
        ("-site Berlin", "--event TEXT"),
        ("-report penta=true", "nothing: the report counts pairs"),
    ],
)
def test_the_right_spelling_is_named(words: str, ours: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("match", "match tune"):
        with pytest.raises(SystemExit) as ended:
            main([*command.split(), "-engine", "cmd=x", *words.split()])
        assert ended.value.code == 2 and ours in capsys.readouterr().err


def test_a_mistyped_part_of_match_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "reprot"]) == 2
    assert "did you mean report?" in capsys.readouterr().err
