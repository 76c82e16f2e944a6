"""Property tests try the same examples every time, and are never judged by the clock: the machine may be busy.

A shell makes what it starts in the background ignore SIGINT, and what that starts inherits it. Tests send SIGINT to
processes of theirs, so the suite listens to it however it was started.
"""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
