"""Telling when a model does the same again and again, and comes no further."""

from collections.abc import Iterable
from hashlib import sha256

from msgspec import MsgspecError, json

from angelia.core.state import Call, Calls

# So many of the last batches are remembered: enough for circles of four steps.
REMEMBERED = 24
# Who comes to the same as often as this is told.
WARN_AT = 3


def signature(calls: Calls) -> str:
    """What a batch asked for and what it came to, whatever its calls are named."""
    digest = sha256()
    for call in calls:
        if call.repeats is not None or call.result is None:
            continue
        # Long results say where to find the whole of them, by the id of the call.
        output = call.result.output.replace(call.call.id, "")
        for piece in (call.call.name, said(call.call.arguments), output):
            digest.update(piece.encode(errors="surrogatepass") + b"\0")
    return digest.hexdigest()[:32]


def remembered(recent: tuple[str, ...], latest: str) -> tuple[str, ...]:
    return (*recent, latest)[-REMEMBERED:]


def times(recent: tuple[str, ...]) -> int:
    """How often the last batch came to the same without anything new in between.

    Whoever changes something and looks again does not go round in circles, whatever they see.
    """
    new = max(place for place, seen in enumerate(recent) if seen not in recent[:place])
    return recent[new + 1 :].count(recent[-1]) + (recent[-1] in recent[: new + 1])


def note(count: int) -> str:
    return (
        f"[Note: this is the same call with the same result for the {_nth(count)} time. Calling it "
        "again will not change anything. Do something else, or answer with what you know.]"
    )


def repeated(calls: Iterable[Call]) -> dict[str, str]:
    """Ids of calls that say the same as an earlier one of their batch, and the id of that one.

    Behind a call that changes something, the same question may have another answer.
    """
    first: dict[tuple[str, str], str] = {}
    found: dict[str, str] = {}
    for call in calls:
        known = (call.call.name, said(call.call.arguments))
        if known in first:
            found[call.call.id] = first[known]
        elif call.effect == "pure":
            first[known] = call.call.id
        else:
            first = {known: call.call.id}
    return found


def said(arguments: str) -> str:
    """Arguments that mean the same are written the same way."""
    try:
        return json.encode(json.decode(arguments or "{}"), order="sorted").decode()
    except (MsgspecError, RecursionError, UnicodeError):
        return arguments


def _nth(number: int) -> str:
    return {3: "third", 4: "fourth", 5: "fifth"}.get(number, f"{number}th")
