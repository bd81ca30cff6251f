"""What a person is asked in a plain chat box, and how they can answer there."""

from collections.abc import Sequence

from angelia.core import days
from angelia.core.events import Asked

# What is longer, or has lines, stands in a block of its own.
INLINE = 160
# Longer than a person reads; whoever must see the rest finds it in the run.
LONGEST = 4000


def question(asked: Sequence[Asked]) -> str:
    """Told by what is asked alone, so that it is the same words at any time."""
    if not asked:
        return "This waits for an approval, which can be given at the run itself."
    if len(asked) == 1:
        return f"**Approval needed** for {_call(asked[0])}\n\n{_how(asked[0])}"
    listed = "\n\n".join(f"{one.code}: {_call(one)}" for one in asked)
    first, second = asked[0].code, asked[1].code
    return (
        f"**{len(asked)} approvals needed**\n\n{listed}\n\n"
        f"Answer `approve all`, `deny all`, or each by its code: `approve {first} and deny "
        f"{second}`. With `session` or `always` behind it, as in `approve {first} session`, you "
        f"are not asked again about {_covered(asked)}.{_until(asked)}"
    )


def _call(one: Asked) -> str:
    reason = f"\n{one.reason}" if one.reason else ""
    return f"`{one.name}`{_label(one.label)}{reason}"


def visible(text: str) -> str:
    """With what nobody sees, or what turns the order of letters around, spelled out."""
    return "".join(
        mark if mark.isprintable() or mark == "\n" else mark.encode("unicode_escape").decode()
        for mark in text
    )


def _label(label: str) -> str:
    label = visible(label.strip())
    if not label:
        return ""
    if len(label) > LONGEST:
        label = f"{label[:LONGEST]}\n({len(label) - LONGEST:,} more characters)"
    fence = _fence(label)
    if len(label) <= INLINE and "\n" not in label and len(fence) == 3:
        return f": `{label}`" if "`" not in label else f": `` {label} ``"
    return f":\n\n{fence}\n{label}\n{fence}\n"


def _fence(text: str) -> str:
    """Longer than any in the text, which must not be able to end it."""
    fence = "```"
    while fence in text or (fence == "```" and "``" in text):
        fence += "`"
    return fence


def _how(one: Asked) -> str:
    code = one.code
    return (
        f"Answer `approve {code}`, or `approve {code} session` or `approve {code} always` not to "
        f"be asked again about {_covered((one,))}, or `deny {code}` and why.{_until((one,))}"
    )


def _covered(asked: Sequence[Asked]) -> str:
    covers = dict.fromkeys(what for one in asked for what in one.covers)
    return ", ".join(f"`{visible(what).replace('`', chr(39))}`" for what in covers) or "this"


def _until(asked: Sequence[Asked]) -> str:
    times = [one.expires_at for one in asked if one.expires_at is not None]
    if not times:
        return ""
    day = days.day_of(min(times))
    minutes = int(min(times) - day * days.DAY) // 60
    return f" This can be answered until {days.iso(day)} {minutes // 60:02}:{minutes % 60:02} UTC."
