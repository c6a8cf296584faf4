"""How long a test waits at most for what has to come: far longer than it takes, as a busy machine is no fault."""

WAIT_S = 60.0
WAIT_MS = 60_000
