"""Dialogues of GTP and the session about the engine: clocks, options, searches, hosts' commands."""

from __future__ import annotations

from tests.dialects.game_scenarios import FINISHED

ENGINE = {
    "clocks": """
> clocks
= black none white none
> time_settings 0 1 0
=
> clocks
= black none white none
> time_settings 60 0 0
=
> time_left b 12.345 0
=
> time_left white -3 0
=
> clocks
= black 12.345 white 0.000
> time_settings 1 2 3 4
? syntax error: ...
> time_settings x 0 0
? syntax error: ...
> time_left green 1 0
? syntax error: ...
> kata-time_settings fischer-capped 1 2 3
? syntax error: ...
> clocks
= black 12.345 white 0.000
> genmove b
= ...
> genmove w
= ...
> time_settings 0 5 0
=
> clocks
= black none white none
> time_left b 5 0
=
> clocks
= black 5.000 white 5.000
> kata-time_settings fischer 3 0.5
=
> clocks
= black 3.000 white 3.000
> kata-time_settings none
=
> clocks
= black none white none
""",
    "options": """
> setoption threads 0
? option threads '0': expected 1 to 256
> setoption nothing 1
? option name 'nothing': expected one of hash, threads, ...
> setoption
? syntax error: ...
> setoption name level value 7
=
> getoption level
= 7
> setoption LEVEL 8
=
> getoption level
= 8
> setoption name Rose
=
> name
= Rose
> setoption name name value Tulip
=
> name
= Tulip
> setoption log_file /no/such/place/log
? option log_file '/no/such/place/log': expected a writable file (No such file or directory)
> getoption log_file
= none
> setoption ponder
= off
> setoption name ponder
= off
> setoption name book randomness value
= auto
> setoption unknown
? option name 'unknown': expected one of hash, ...
> getoption name
= Tulip
""",
    "a book move comes at once and has a name": """
> setoption nodes 1
=
> play f5
=
> genmove w
= ...
> stats
? nothing has been searched yet
> showboard
=...opening: ...
""",
    "what the book knows is shown with the hints": """
> setoption depth 3
=
> play f5d6
=
> hint 1
= 1 ... 3@...
book: c3 0 exact 0 games
opening: Perpendicular
> hint 1 --json
= {"rank": 1, ..., "opening": "Perpendicular", ...}
> analyze 1
= 2 w d6 ... loss 0 3@...% book loss 0 exact
> setoption book off
=
> hint 1
= 1 ... 3@...
opening: Perpendicular
""",
    "one position searched": """
> play f5
=
> search ---------------------------OX------XO---------------------------X -64 64 2 100
=...move ... depth 2@100% score ... <= v <= ... nodes ... time ... pv ...
> search XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO X
= game over, score +62
> search X--------------------------------------------------------------- O -1 1
= game over, score -64
> search nothing
? syntax error: ...
> search ---------------------------OX------XO---------------------------X 1 0
? syntax error: ...
> transcript
= f5
""",
    "moves that are not to be considered": """
> setoption depth 2
=
> kata-genmove_analyze b 1 avoid b d3,c4,f5 1
=...play e6
> undo
=
> kata-genmove_analyze b 1 allow b f5 1
=...play f5
> undo
=
> kata-genmove_analyze b 1 avoid w d3,c4,f5,e6 1
=...play ...
> undo
=
> kata-genmove_analyze b 1 avoid b d3,c4,f5,e6 1
? expected a legal move to be left, there are d3 c4 f5 e6
> kata-analyze b 1 allow b a1 1
? expected a legal move to be left, ...
> transcript
=
""",
    "a search without its move": f"""
> setoption depth 2
=
> kata-search b
= ...
> kata-search w
? illegal move: wrong color ...
> kata-search_analyze b 1 avoid b d3,c4,f5 1
=...play e6
> transcript
=
> play {FINISHED}
=
> kata-search w
= pass
> kata-search_cancellable b
= pass
> kata-search_analyze
=
play pass
> kata-search_analyze_cancellable
=
play pass
""",
    "KataGo's parameters are the options": """
> kata-set-param level 7
=
> kata-set-param numSearchThreads 0
? option threads '0': expected 1 to 256
> kata-get-param komi
? option name 'komi': expected one of hash, ...
> kata-get-param
? syntax error: ...
> kata-set-param level
= 7
> kata-set-param
? syntax error: ...
""",
    "GoGui sets a position up": """
> gogui-setup_player w
=
> position
= ---------------------------OX------XO--------------------------- O
> clear_board
=
> gogui-setup b D4 w E4 b F4
=
> position
= ---------------------------XOX---------------------------------- X
> gogui-setup_player w
=
> position
= ---------------------------XOX---------------------------------- O
> undo
? cannot undo ...
> gogui-setup b D4 w d4
? expected each square once, got d4
> gogui-setup b pass
? syntax error: ...
> clear_board
=
> play f5
=
> gogui-setup b d4
? expected a board without moves: clear_board comes before
> gogui-setup_player b
? expected a board without moves: clear_board comes before
> transcript
= f5
""",
    "a textbook player": """
> setoption strategy weighted
=
> genmove b
= d3
> setoption strategy iago:1
=
> genmove w
= ...
> setoption strategy nobody
? option strategy 'nobody': expected one of engine, random, ...
> getoption strategy
= iago:1
""",
}
