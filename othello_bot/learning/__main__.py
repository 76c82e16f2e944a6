"""`python -m othello_bot.learning COMMAND ...`: the entry point of scripts/learn and scripts/evaluate."""

import sys

from othello_bot.learning.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
