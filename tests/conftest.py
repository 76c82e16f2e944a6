"""Property tests run the same examples every time, without deadlines, because the machine may be busy.

`scripts/test --explore` sets OTHELLO_BOT_TESTS=explore: then every run uses new examples, five times as many.
`scripts/mutate` sets OTHELLO_BOT_TESTS=mutants: then they try fewer, and shrink none.

A shell makes its background processes and their children ignore SIGINT. Tests send SIGINT to their processes, so the
suite restores its handling.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, Phase, settings

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "explore", parent=settings.get_profile("suite"), derandomize=False, max_examples=500, print_blob=True
)
settings.register_profile(
    "mutants", parent=settings.get_profile("suite"), max_examples=25, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile(os.environ.get("OTHELLO_BOT_TESTS", "suite"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
