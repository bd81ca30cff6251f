"""What is left of an answer that was cut off, when nobody can give a whole one."""

from collections.abc import Sequence

from msgspec import Struct

from angelia.core.events import TextDelta
from angelia.core.messages import Assistant, Reply, Text


class Remains(Struct, frozen=True):
    """`warning` is still to be shown; the reply holds it already."""

    reply: Reply
    warning: TextDelta | None = None


def remains(message: Assistant, called: Sequence[str]) -> Remains | None:
    """`called` are the tools whose calls had begun. None if there is nothing to read.

    A call that was not received whole is not made, and whoever reads the answer has to know.
    """
    if not message.text.strip() and not called:
        return None
    if not called:
        return Remains(Reply(message, "length"))
    warning = _warning(called)
    if message.text:
        warning = f"\n\n{warning}"
    return Remains(Reply(Assistant((*message.parts, Text(warning))), "length"), TextDelta(warning))


def _warning(called: Sequence[str]) -> str:
    names = ", ".join(dict.fromkeys(called))
    what = "a call of this tool" if len(called) == 1 else "calls of these tools"
    return f"⚠ The model's answer was cut off inside {what}, which was not made: {names}."
