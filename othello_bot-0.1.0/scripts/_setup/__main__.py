"""Run the set-up of a checkout (making.py): started as a folder, with -I, which looks for modules in there alone."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])
from _setup.making import main  # noqa: E402 - found from the folder above

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
