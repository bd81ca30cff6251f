"""Tokens and money as people read them."""


def tokens(count: int) -> str:
    return f"{count:,} {'token' if count == 1 else 'tokens'}"


def money(cost: float) -> str:
    """In the currency of the prices in the settings; small sums keep the digits that matter."""
    if cost == 0:
        return "0"
    return f"{cost:.2f}" if cost >= 1 else f"{cost:.4f}" if cost >= 0.0001 else f"{cost:.2g}"
