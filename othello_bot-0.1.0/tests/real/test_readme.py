"""All examples of the README, including the matches that tests/launcher skips."""

from __future__ import annotations

from tests.launcher.test_readme import check_examples


def test_its_examples_show_the_present_output() -> None:
    check_examples()
