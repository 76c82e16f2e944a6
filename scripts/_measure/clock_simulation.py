"""Try another plan of the time manager in seconds: recorded games, played again under a clock without the engine.

    scripts/measure clock-simulation                                  today's plan at several clocks
    scripts/measure clock-simulation --clock 1 --set ENDGAME_WEIGHT=4 --stages
    scripts/measure clock-simulation --hits 0.6 --book 8              with thinking ahead, and with a book
    scripts/measure clock-simulation record FILE.gz --games 40        record other games: a minute and a half for each

Every move is decided by the engine's own time manager (othello_bot/engine/time_manager.py); the records tell how long
each iteration takes, which move is best after it, and how many discs that move gives away.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Import the simulation and the engine, and run the command."""
    from _clock import command

    return command.main(sys.argv[1:], __doc__)
