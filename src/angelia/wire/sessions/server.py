"""Sessions and what was said in them, as clients see them."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import UNSET, UnsetType

from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    UserPart,
)
from angelia.core.state import Status
from angelia.wire.sessions.shapes import (
    AssistantOut,
    CallOut,
    ImageOut,
    ImageUrl,
    MessageOut,
    SessionStatus,
    SystemOut,
    TextOut,
    ToolOut,
    UserOut,
)

TITLE_LIMIT = 80


def shown_title(title: str, question: str) -> str:
    """What somebody called the session, or the beginning of its first question on one line."""
    if title:
        return title
    # A question may be a whole book; its first words are enough.
    line = " ".join(question[: TITLE_LIMIT * 10].split())
    return line if len(line) <= TITLE_LIMIT else line[: TITLE_LIMIT - 1].rstrip() + "…"


def first_question(messages: Iterable[Message]) -> str:
    """The text of the first message of a user that has any."""
    texts = (_said(message) for message in messages if isinstance(message, User))
    return next((text for text in texts if text.strip()), "")


def _said(message: User) -> str:
    return "\n".join(part.text for part in message.parts if isinstance(part, Text))


def session_status(last_run: Status | None) -> SessionStatus:
    match last_run:
        case None | "completed" | "failed" | "cancelled":
            return "idle"
        case "queued" | "running" | "waiting_for_approval" | "waiting_for_client" | "stopping":
            return last_run
        case _:
            assert_never(last_run)


def shown(message: Message, index: int | UnsetType = UNSET) -> MessageOut:
    """The message with all that a person may see of it; seals stay here."""
    match message:
        case System(text=text):
            return SystemOut(text, index)
        case User(parts=parts, name=name):
            return UserOut(_content(parts), name, index)
        case Assistant():
            return _assistant(message, index)
        case ToolResult(call_id=call_id, output=output, failed=failed):
            return ToolOut(call_id, output, failed, index)
        case _:
            assert_never(message)


def _content(parts: tuple[UserPart, ...]) -> str | list[TextOut | ImageOut]:
    match parts:
        case (Text(text=text),):
            return text
        case _:
            return [_part(part) for part in parts]


def _part(part: UserPart) -> TextOut | ImageOut:
    match part:
        case Text(text=text):
            return TextOut(text)
        case Image(url=url, detail=detail):
            return ImageOut(ImageUrl(url, detail))
        case _:
            assert_never(part)


def _assistant(message: Assistant, index: int | UnsetType) -> AssistantOut:
    spoken = any(isinstance(part, Text) for part in message.parts)
    thoughts = [p.text for p in message.parts if isinstance(p, Reasoning) and p.text]
    refusals = [p.text for p in message.parts if isinstance(p, Refusal)]
    return AssistantOut(
        content=message.text if spoken else None,
        reasoning="\n\n".join(thoughts) or None,
        refusal="".join(refusals) or None,
        tool_calls=[_call(call) for call in message.calls] or None,
        index=index,
    )


def _call(call: ToolCall) -> CallOut:
    return CallOut(call.id, call.name, call.arguments)
