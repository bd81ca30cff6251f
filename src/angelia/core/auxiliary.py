"""Questions that a frontend asks for itself: titles, tags, follow-ups, autocompletion."""

from collections.abc import Sequence

from angelia.core.messages import Message, Text, User

_OPENING = "### Task:"
# A frontend that fills in headers leaves the word itself, or nothing, where there is no task.
_NO_TASK = ("", "{{TASK}}", "none", "null")


def is_auxiliary(
    messages: Sequence[Message], task: str | None, *, brings_tools: bool = False
) -> bool:
    """`task` is what the frontend says in a header that it is about.

    Whoever brings tools wants them used: that is work, however the prompt begins.
    """
    if task is not None and task.strip() not in _NO_TASK and task.strip().lower() not in _NO_TASK:
        return True
    asked = [message for message in messages if isinstance(message, User)]
    if len(asked) != 1 or brings_tools:
        return False
    texts = [part.text for part in asked[0].parts if isinstance(part, Text)]
    return bool(texts) and texts[0].lstrip().startswith(_OPENING)
