"""A bot for a chat: `!othello novice` begins a game in a channel, a square like `d3` plays a move, `!stop` ends the game.

    .venv/bin/python -m pip install discord.py
    DISCORD_TOKEN=... .venv/bin/python docs/examples/chat_bot.py

Discord's settings must allow the bot the intent "message content". For another chat, replace `main`: `Tables.answer`
takes a channel and a message and returns what to say. Searches do not block the event loop.
"""

import asyncio
import importlib
import os
from typing import Any

from othello_bot import AsyncEngine, Game, InputError, NotationError, Options, move_name, parse_move


class Table:
    """One game in a channel: people have Black, the engine has White."""

    def __init__(self, strength: str) -> None:
        self.options = Options(strength=strength, hash=4, move_time=2000)
        self.game = Game()
        self.turn = asyncio.Lock()  # people may write while the engine thinks

    async def play(self, move: int) -> str:
        """Play a move and all that follows until people can choose again; return what to say."""
        async with self.turn, AsyncEngine(self.options) as engine:
            self.game.play(move)
            said = []
            while not self.game.is_over and (self.game.position.must_pass or self.game.position.color.name == "WHITE"):
                reply = (await engine.choose(self.game)).move  # a pass, where that is forced
                said.append(f"{self.game.position.color.name.lower()}: {move_name(reply)}")
                self.game.play(reply)
            end = f"The game is over: {self.game.final_score:+d} discs for black." if self.game.is_over else ""
            return "\n".join([*said, f"```\n{self.game.position}\n```", end]).strip()


class Tables(dict[int, Table]):
    """The games by their channels."""

    async def answer(self, channel: int, text: str) -> str:
        """Return the answer to a message; "" for one that is not for this bot."""
        word, *rest = text.lower().split() or [""]
        table = self.get(channel)
        try:
            if word == "!othello":
                self[channel] = table = Table(rest[0] if rest else "casual")
                return f"You are black (X). Play a move such as d3; `!stop` ends the game.\n```\n{table.game.position}\n```"
            if word == "!stop" and table:
                del self[channel]
                return "The game has ended."
            said = await table.play(parse_move(word)) if table and not rest else ""
        except NotationError:
            return ""  # people talk
        except InputError as error:
            return str(error)
        if self.get(channel) is not table:
            return ""  # another message has ended the game
        if table and table.game.is_over:
            del self[channel]
        return said


def main() -> None:
    """Connect to Discord and answer messages."""
    discord = importlib.import_module("discord")
    intents = discord.Intents(guilds=True, messages=True, message_content=True)
    client, tables = discord.Client(intents=intents), Tables()

    async def on_message(message: Any) -> None:
        if not message.author.bot and (said := await tables.answer(message.channel.id, message.content)):
            await message.channel.send(said)

    client.event(on_message)
    client.run(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    main()
