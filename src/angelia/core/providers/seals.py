"""Whose seals are whose: what one provider sealed, nobody but it is shown again."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Message,
    Reasoning,
    Reply,
    Seal,
    ToolCall,
)


def minted(reply: Reply, mint: str) -> Reply:
    """The reply with its seals marked as those of `mint`."""
    message = Assistant(tuple(_marked(part, mint) for part in reply.message.parts))
    return reply if message == reply.message else replace(reply, message=message)


def legible(messages: Iterable[Message], mint: str) -> tuple[Message, ...]:
    """Without the seals of others. One that nobody has marked may be anybody's."""
    return tuple(
        Assistant(tuple(_readable(message.parts, mint)))
        if isinstance(message, Assistant)
        else message
        for message in messages
    )


def _marked(part: AssistantPart, mint: str) -> AssistantPart:
    match part:
        case Reasoning(seal=Seal() as seal):
            return replace(part, seal=replace(seal, mint=mint))
        case ToolCall(extras=Seal() as extras):
            return replace(part, extras=replace(extras, mint=mint))
        case _:
            return part


def _readable(parts: Iterable[AssistantPart], mint: str) -> Iterator[AssistantPart]:
    for part in parts:
        match part:
            case Reasoning(seal=Seal() as seal) if _is_foreign(seal, mint):
                yield replace(part, seal=None)
            case ToolCall(extras=Seal() as extras) if _is_foreign(extras, mint):
                yield replace(part, extras=None)
            case _:
                yield part


def _is_foreign(seal: Seal, mint: str) -> bool:
    return bool(seal.mint) and seal.mint != mint
