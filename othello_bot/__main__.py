"""`python -m othello_bot`: the same as the command `othello-bot`."""

import sys

from othello_bot.cli import main

sys.exit(main())
