"""Write the page's list of the computer's players, othello_bot/web/static/players.js, as the engine declares them.

Run it from a checkout after a strength or a textbook player has changed: scripts/figures players
"""

from __future__ import annotations

from othello_bot.web.players import MODULE, players_module


def main() -> int:
    """Write the module; return 0."""
    MODULE.write_text(players_module(), encoding="utf-8")
    return 0
