"""Fresh ids: short, sortable by time, unguessable."""

import secrets

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def fresh(prefix: str, now: float) -> str:
    """`prefix_` and 22 characters: 9 of time in milliseconds, 13 (65 bits) of chance."""
    return f"{prefix}_{_spell(int(now * 1000), 9)}{_spell(secrets.randbits(65), 13)}"


def _spell(number: int, width: int) -> str:
    letters: list[str] = []
    for _ in range(width):
        number, digit = divmod(number, 32)
        letters.append(_ALPHABET[digit])
    return "".join(reversed(letters))
