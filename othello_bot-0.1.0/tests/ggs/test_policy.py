"""The policy: what the TOML file may say, and which requests it accepts."""

from __future__ import annotations

from typing import Any

import pytest

from othello_bot.arena.settings import tables_of_toml
from othello_bot.base.clocks import TimeControl
from othello_bot.base.notation import Color
from othello_bot.ggs.policy import Acceptance, Offer, Policy, PolicyError, objection, read_policy
from othello_bot.protocol.ggs import MatchRequest
from othello_bot.protocol.ggs_values import MatchType, parse_clock, parse_match_type

EXAMPLE = """
[accept]
types = ["s8r", "8"]
discs = [14, 20]
clock = ["5:00", "15:00"]
increment = ["0:00", "0:10"]
rating = [1500, 2800.5]
rated = "rated"
color = "white"
only = ["ben", "ant+"]
never = ["eve"]
matches = 2
breaks = 1
abort_plies = 0

[[offer]]
type = "s8r18"
clock = "5:00//2:00"
opponent = "ben"
every = "20:00"

[[offer]]
type = "8w"
clock = "1:00"

[talk]
help = "Hello"
scores = true
"""


def policy(text: str) -> Policy:
    return read_policy(tables_of_toml(text, "policy.toml", "policy file"))


def request(kind: str = "8", clock: str = "05:00//02:00", **changes: Any) -> MatchRequest:
    given = {"rating": 1720.0, "rated": True, "challenged": "ann", **changes}
    return MatchRequest(
        id=".8", offered=True, challenger="ben", clock=parse_clock(clock), type=parse_match_type(kind), **given
    )


def test_a_policy_with_every_setting() -> None:
    read = policy(EXAMPLE)
    assert read.accept == Acceptance(
        types=("s8r", "8"),
        discs=(14, 20),
        clock_s=(300.0, 900.0),
        increment_s=(0.0, 10.0),
        rating=(1500.0, 2800.5),
        rated=True,
        color=Color.WHITE,
        only=("ben", "ant+"),
        never=("eve",),
        matches=2,
        breaks=1,
        abort_plies=0,
    )
    first = Offer(MatchType(synchro=True, random_discs=18), TimeControl(300.0, 0.0, grace_s=120.0), "ben", 1200.0)
    assert read.offers == (first, Offer(MatchType(color=Color.WHITE), TimeControl(60.0)))
    assert str(first.command) == "tell /os ask s8r18 05:00//02:00 ben"
    assert (read.talk.help, read.talk.scores) == ("Hello", True)


def test_an_empty_policy_is_the_default() -> None:
    assert policy("") == Policy()


@pytest.mark.parametrize(
    ("text", "names"),
    (
        ("[acept]", "acept"),
        ("[accept]\ntypes = ['10']", "accept.types"),
        ("[accept]\ntypes = []", "accept.types"),
        ("[accept]\ntypes = '8'", "a list"),
        ("[accept]\ncolour = 'white'", "accept.colour"),
        ("[accept]\ncolor = 'red'", "any, black, white"),
        ("[accept]\nclock = ['5:00']", "accept.clock"),
        ("[accept]\nclock = ['9:00', '5:00']", "least first"),
        ("[accept]\nclock = [5, 9]", "accept.clock"),
        ("[accept]\nclock = ['5 minutes', '9:00']", "5:00"),
        ("[accept]\nrating = [1, 'x']", "two numbers"),
        ("[accept]\nrating = [true, 5]", "two numbers"),
        ("[accept]\nnever = ['x']", "a login"),
        ("[accept]\nmatches = 0", "1 to 10"),
        ("[accept]\nmatches = true", "whole number"),
        ("[accept]\nbreaks = -1", "whole number"),
        ("[accept]\ndiscs = [20, 14]", "least first"),
        ("accept = 3", "a table"),
        ("offer = 3", "[[offer]]"),
        ("[[offer]]\nclock = '5:00'", "offer.type"),
        ("[[offer]]\ntype = '8'", "offer.clock"),
        ("[[offer]]\ntype = '8k'\nclock = '5:00'", "without komi"),
        ("[[offer]]\ntype = '10'\nclock = '5:00'", "8x8"),
        ("[[offer]]\ntype = '8'\nclock = '5:00'\nevery = '0:01'", "10 seconds"),
        ("[[offer]]\ntype = '8'\nclock = '5:00'\nopponent = 'a b'", "a login"),
        ("[talk]\nscores = 'yes'", "true or false"),
        (f"[talk]\nhelp = '{'x' * 201}'", "200 characters"),
    ),
)
def test_a_wrong_setting_is_named_with_what_it_may_be(text: str, names: str) -> None:
    with pytest.raises(PolicyError) as error:
        policy(text)
    assert names in str(error.value)


@pytest.mark.parametrize(
    ("accept", "asked", "breaks", "reason"),
    (
        ({}, request(), 0, ""),
        ({}, request("s8r18"), 0, ""),
        ({}, request("8k"), 0, "without komi"),
        ({}, request("8a"), 0, "no anti"),
        ({}, request("10"), 0, "8x8"),
        ({}, request("88"), 0, "8x8"),
        ({}, request("s8r40"), 0, "4 to 32 discs"),
        ({}, request("s8r"), 0, ""),
        ({}, request(), 3, "tomorrow"),
        ({}, request(clock="00:30"), 0, "1 to 60 minutes"),
        ({}, request(clock="2:00:00"), 0, "1 to 60 minutes"),
        ({}, request(own_clock=parse_clock("0:10")), 0, "1 to 60 minutes"),
        ({}, request(clock="05:00,N20/00:10"), 0, "number of moves"),
        ({}, request(clock="05:00/02:00"), 0, "increments"),
        ({"types": ("s8",)}, request(), 0, "types"),
        ({"rating": (1800.0, 2000.0)}, request(), 0, "rated 1800 to 2000"),
        ({"rated": False}, request(), 0, "unrated games"),
        ({"rated": True}, request(rated=False), 0, "rated games"),
        ({"only": ("ant",)}, request(), 0, "everybody"),
        ({"never": ("ben",)}, request(), 0, "everybody"),
        ({"color": Color.WHITE}, request("8b"), 0, ""),
        ({"color": Color.WHITE}, request("8w"), 0, "I play white"),
        ({"color": Color.WHITE}, request("s8"), 0, ""),
    ),
)
def test_requests_are_accepted_or_declined_with_a_reason(
    accept: dict[str, Any], asked: MatchRequest, breaks: int, reason: str
) -> None:
    said = objection(asked, Acceptance(**accept), breaks)
    assert reason in said and bool(said) == bool(reason)
