"""Property tests try the same examples every time, and are never judged by the clock: the machine may be busy.

`scripts/test --explore` sets OTHELLO_BOT_TESTS=explore: then they try others in every run, and five times as many.
`scripts/mutate` sets OTHELLO_BOT_TESTS=mutants: then they try fewer, and shrink none.

A shell makes what it starts in the background ignore SIGINT, and what that starts inherits it. Tests send SIGINT to
processes of theirs, so the suite listens to it however it was started.
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
