"""What all tests need."""

from __future__ import annotations

import signal

# A shell that runs the tests in the background lets them ignore Ctrl-C, which some of them press.
signal.signal(signal.SIGINT, signal.default_int_handler)
