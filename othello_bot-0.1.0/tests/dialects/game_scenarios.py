"""Dialogues of GTP and the session about games: what is sent and the expected replies."""

from __future__ import annotations

BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"
"""After these eight plies Black must pass; White can then play a3, b4 or d6."""

FINISHED = "d3c3f5f4f3d2d1e3b3"
"""A game of nine moves in which Black captures everything."""

GAMES = {
    "unknown commands and syntax errors": """
> foo
? unknown command: 'foo'
> 77 foo bar
?77 unknown command: 'foo'
> newgame
=
> ｆ５ｄ６
=
> ＵＮＤＯ
=
> ｕｎｄｏ
=
> ｆｏｏ
? unknown command: 'ｆｏｏ'
> f5 d6 z3
? syntax error: expected moves (f5d6c3, passes as pa), got 'z3'
> 1. f5 d6x
? syntax error: expected moves (f5d6c3, passes as pa), got 'x'
> f5d6c3 (B+12)
=
> newgame
=
> f5 please
? syntax error: expected moves (f5d6c3, passes as pa), got 'please'
> name you
? syntax error: ...
> boardsize
? syntax error: ...
> boardsize eight
? syntax error: ...
> boardsize 19
? unacceptable size
> play
? syntax error: ...
> play b
? illegal move 'pass': expected d3 c4 f5 e6
> play x f5
? syntax error: ...
> play b z9
? syntax error: ...
> genmove purple
? syntax error: ...
> undo many
? syntax error: ...
> 5
?5 syntax error: an id without a command
> transcript
=
""",
    "case and spaces do not matter": """
> PLAY Black F5
=
> pLaY w D6
=
>    play   b    c3
=
> transcript
= f5d6c3
""",
    "a bare move and a bare transcript are played": """
> f5
=
> D6c3
=
> 9 d3 c4
=9
> pass
? illegal move 'pass': expected ...
> transcript
= f5d6c3d3c4
""",
    "a transcript is played whole or not at all": """
> play f5d6a1c3
? illegal move 'a1': expected ...
> transcript
=
> play 1. f5 d6 2. c3 d3
=
> transcript
= f5d6c3d3
> gogui-play_sequence b c4 w a1
? illegal move 'a1': expected ...
> gogui-play_sequence b c4 b f4
? illegal move: wrong color 'black': expected white, ...
> transcript
= f5d6c3d3
""",
    "colour out of turn": """
> play w f5
? illegal move: wrong color 'white': expected black, who can play d3 c4 f5 e6
> genmove w
? illegal move: wrong color 'white': expected black, who can play d3 c4 f5 e6
> reg_genmove w
? illegal move: wrong color ...
> transcript
=
""",
    "an explicit pass": f"""
> play {BLACK_MUST_PASS}
=
> legal_moves
= pass
> play b a3
? illegal move 'a3': expected pass
> play b pass
=
> play b pass
=
> legal_moves
= a3 b4 d6
> play w PA
? illegal move 'pass': expected a3 b4 d6
> play w a3
=
> undo 2
=
> legal_moves
= pass
""",
    "an omitted pass": f"""
> play {BLACK_MUST_PASS}
=
> play w a3
=
> transcript
= {BLACK_MUST_PASS}paa3
> undo
=
> transcript
= {BLACK_MUST_PASS}
> redo
=
> transcript
= {BLACK_MUST_PASS}paa3
> undo 2
=
> transcript
= d3c3e6d2d1e1b2
""",
    "a pass omitted in a refused move is not put in": f"""
> play {BLACK_MUST_PASS}
=
> play w h8
? illegal move 'h8': expected pass
> h8
? illegal move 'h8': expected pass
> transcript
= {BLACK_MUST_PASS}
""",
    "genmove where the side must pass": f"""
> play {BLACK_MUST_PASS}
=
> genmove b
= pass
> transcript
= {BLACK_MUST_PASS}pa
""",
    "genmove for the other side where the side to move must pass": f"""
> play {BLACK_MUST_PASS}
=
> setoption depth 1
=
> reg_genmove w
= ...
> transcript
= {BLACK_MUST_PASS}
> genmove w
= ...
> transcript
= {BLACK_MUST_PASS}pa...
> undo
=
> transcript
= {BLACK_MUST_PASS}
""",
    "the end of the game": f"""
> final_score
? cannot score: the game is not over
> play {FINISHED}
=
> legal_moves
=
> final_score
= B+64
> genmove w
= pass
> genmove b
= pass
> genmove
= pass
> reg_genmove b
= pass
> play w pass
=
> play b pass
=
> play b a1
? illegal move 'a1': expected no move, the game is over
> transcript
= {FINISHED}
> hint
= the game is over
> eval
= -64
> gogui-rules_legal_moves
=
> gogui-rules_final_result
= Black wins by 64 points. Final score is B 13 and W 0.
""",
    "undo and redo": """
> undo
? cannot undo 1: expected a move before it
> play f5d6c3
=
> undo 4
? cannot undo 4: expected at most 3 moves
> transcript
= f5d6c3
> undo 0
=
> undo 3
=
> redo 2
=
> redo 2
? cannot redo 2: expected at most 1 move
> transcript
= f5d6
> play c4
=
> redo
? cannot redo 1: expected an undo before it
""",
    "boardsize and clear_board in either order": """
> clear_board
=
> boardsize 8
=
> play b f5
=
> boardsize 8
=
> transcript
= f5
> clear_board
=
> transcript
=
> komi 6.5
=
> komi much
? syntax error: ...
""",
    "positions": """
> newgame nonsense
? syntax error: board 'nonsense': ...
> setposition ---------------------------OX------XO---------------------------Y
? syntax error: board 'Y': expected X or O, the side to move...
> position
= ---------------------------OX------XO--------------------------- X
> setposition --------------------------- OX ------ XO --------------------------- O
=
> position
= ---------------------------OX------XO--------------------------- O
> undo
? cannot undo 1: expected a move before it
> set_position b d4 w d4
? expected each square once, got d4
> set_position b d4 w
? syntax error: ...
> position
= ---------------------------OX------XO--------------------------- O
> newgame
=
> position
= ---------------------------OX------XO--------------------------- X
""",
}
