"""The page's list of players is the engine's."""

from othello_bot.web.players import MODULE, players_module


def test_the_page_lists_the_players_that_the_engine_declares() -> None:
    assert MODULE.read_text(encoding="utf-8") == players_module(), "run scripts/figures players"
