"""A request to the scripted server, whatever protocol it came in."""

from collections.abc import Sequence

from msgspec import Struct

from angelia.core.messages import Assistant, Message, Prompt, Text, ToolResult, User


class Asked(Struct, frozen=True):
    """`usage` and `encrypted` are what the client wants to be told besides the answer."""

    prompt: Prompt
    stream: bool = False
    usage: bool = True
    encrypted: bool = False

    @property
    def text(self) -> str:
        """The last thing the user said."""
        for message in reversed(self.prompt.messages):
            if isinstance(message, User):
                return "\n".join(part.text for part in message.parts if isinstance(part, Text))
        return ""


def inconsistency(messages: Sequence[Message]) -> str | None:
    """What providers refuse: a call without its result, or a result without its call."""
    open_calls: set[str] = set()
    for message in messages:
        if isinstance(message, ToolResult):
            if message.call_id not in open_calls:
                return f"there is a result for {message.call_id!r}, which was not called"
            open_calls.remove(message.call_id)
        elif open_calls:
            break
        if isinstance(message, Assistant):
            open_calls = {call.id for call in message.calls}
    return f"the call {min(open_calls)!r} has no result behind it" if open_calls else None
