"""Names of functions and ids of calls, written as providers take them."""

import re
from hashlib import sha256

# A longer name is a 400.
LONGEST_NAME = 64

_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]")


def plain(text: str) -> str:
    """Without the characters that no provider takes in a name or an id."""
    return _FOREIGN.sub("_", text)


def function_name(name: str) -> str:
    return plain(name)[:LONGEST_NAME] or "unnamed"


def short_id(call_id: str, most: int) -> str:
    """The id itself where it has at most so many characters."""
    if 0 < len(call_id) <= most:
        return call_id
    return f"call_{sha256(call_id.encode()).hexdigest()[:24]}"
