"""`python -m othello_bot.learning COMMAND ...`: the entry point of scripts/learn and scripts/evaluate."""

import sys

from othello_bot.base.output import flush_stdout
from othello_bot.learning.commands import main

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        sys.exit(0)
    finally:
        flush_stdout()
