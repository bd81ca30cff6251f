"""What the exit code of `angelia run` says."""

from enum import IntEnum


class Exit(IntEnum):
    COMPLETED = 0
    FAILED = 1
    USAGE = 2
    CANCELLED = 3
    LIMIT = 4
    INTERRUPTED = 130
