"""Items that clients bring, read strictly into the messages that a run is made of.

What a model says in one go comes as several items (reasoning, text, calls) and is one message
here. A string that only its own maker can read is kept if it is ours and left out otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from msgspec import Raw, Struct, json

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Image,
    Message,
    Reasoning,
    Refusal,
    Seal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    UserPart,
    user,
)
from angelia.errors import BadRequest
from angelia.wire import content, fields
from angelia.wire.content import InputTextIn, OutputTextIn, RefusalIn
from angelia.wire.fields import ABSENT
from angelia.wire.responses import sealed
from angelia.wire.responses.request_shapes import (
    AssistantIn,
    CompactionIn,
    DeveloperIn,
    FunctionCallIn,
    FunctionCallOutputIn,
    InputAudioIn,
    InputFileIn,
    InputImageIn,
    InputPartIn,
    InputVideoIn,
    ItemIn,
    McpApprovalRequestIn,
    McpApprovalResponseIn,
    McpCallIn,
    McpErrorIn,
    MessageIn,
    OutputPartIn,
    ReasoningIn,
    ReferenceIn,
    SystemIn,
    UserIn,
)

SERVER_LABEL = "angelia"
NO_OUTPUT = "(no output)"
RECALLED = "[Summary of our conversation up to this point]"

_item = json.Decoder(ItemIn)
_message_in: json.Decoder[MessageIn] = json.Decoder(MessageIn)
_function_call = json.Decoder(FunctionCallIn)
_function_call_output = json.Decoder(FunctionCallOutputIn)
_reasoning_in = json.Decoder(ReasoningIn)
_mcp_call_in = json.Decoder(McpCallIn)
_approval_request = json.Decoder(McpApprovalRequestIn)
_approval_response = json.Decoder(McpApprovalResponseIn)
_compaction = json.Decoder(CompactionIn)
_reference = json.Decoder(ReferenceIn)


class Reference(Struct, frozen=True):
    """An item of an earlier response, by its id. `path` is where the client wrote it."""

    id: str
    path: str


class Verdict(Struct, frozen=True):
    """What a person decided about an approval request, by the id of its item."""

    request_id: str
    approve: bool
    reason: str
    path: str


Piece = Message | Reference | Verdict


def read(items: Iterable[Raw], root: str) -> tuple[Piece, ...]:
    """Raises BadRequest, which names the path of the field that is wrong, below `root`."""
    return tuple(
        piece
        for index, item in enumerate(items)
        for piece in _pieces(bytes(item), f"{root}[{index}]")
    )


def read_input(given: str | list[Raw] | None) -> tuple[Piece, ...]:
    """The `input` of a request: a text is a user's message."""
    return (user(given),) if isinstance(given, str) else read(given or (), "input")


def references(pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(piece.id for piece in pieces if isinstance(piece, Reference))


def verdicts(pieces: Sequence[Piece]) -> tuple[tuple[Verdict, ...], tuple[Piece, ...]]:
    """Those that nothing of a model follows, and what stands behind the first of them."""
    last = max((n for n, piece in enumerate(pieces) if _is_of_model(piece)), default=-1)
    tail = pieces[last + 1 :]
    found = tuple(piece for piece in tail if isinstance(piece, Verdict))
    behind = tail[tail.index(found[0]) :] if found else ()
    return found, tuple(behind)


def _is_of_model(piece: Piece) -> bool:
    return isinstance(piece, Assistant | ToolResult)


def assemble(
    pieces: Iterable[Piece], known: Mapping[str, tuple[Message, ...]]
) -> tuple[Message, ...]:
    """One transcript. `known` holds what the items referred to stand for, by their ids."""
    out: list[Message] = []
    referred: set[str] = set()
    for piece in pieces:
        if isinstance(piece, Verdict):
            continue
        if not isinstance(piece, Reference):
            _add(out, piece)
        elif piece.id not in referred:
            referred.add(piece.id)
            for message in _looked_up(piece, known):
                _add(out, message)
    return tuple(out)


def _looked_up(
    reference: Reference, known: Mapping[str, tuple[Message, ...]]
) -> tuple[Message, ...]:
    messages = known.get(reference.id)
    if messages is None:
        raise BadRequest(
            f"Item with id {reference.id!r} not found: it is not part of a stored response.",
            param=f"{reference.path}.id",
            code="item_not_found",
        )
    return messages


def _add(out: list[Message], message: Message) -> None:
    """Parts of one reply are joined: reasoning, then text, then calls."""
    last = out[-1] if out else None
    if not isinstance(message, Assistant) or not isinstance(last, Assistant):
        out.append(message)
    elif all(map(_is_bare_seal, message.parts)):
        # A seal is known only when the reply is whole, so it stands behind what it led to.
        lead = _count_leading_thoughts(last)
        out[-1] = Assistant((*last.parts[:lead], *message.parts, *last.parts[lead:]))
    elif _continues(last, message):
        out[-1] = Assistant(last.parts + message.parts)
    else:
        out.append(message)


def _is_bare_seal(part: AssistantPart) -> bool:
    return isinstance(part, Reasoning) and not part.text and part.seal is not None


def _count_leading_thoughts(message: Assistant) -> int:
    for count, part in enumerate(message.parts):
        if not isinstance(part, Reasoning):
            return count
    return len(message.parts)


def _continues(last: Assistant, message: Assistant) -> bool:
    begins_with_call = bool(message.parts) and isinstance(message.parts[0], ToolCall)
    return begins_with_call or all(isinstance(part, Reasoning) for part in last.parts)


# ── one item ────────────────────────────────────────────────────────────────────────────────


def _pieces(item: bytes, path: str) -> Iterable[Piece]:
    kind = _kind(item, path)
    match kind:
        case "message":
            return (_message(fields.decode_at(item, _message_in, path), path),)
        case "function_call":
            call = fields.decode_at(item, _function_call, path)
            return (Assistant((ToolCall(call.call_id, call.name, call.arguments),)),)
        case "function_call_output":
            result = fields.decode_at(item, _function_call_output, path)
            return (ToolResult(result.call_id, _output(result.output, f"{path}.output")),)
        case "reasoning":
            return _reasoning(fields.decode_at(item, _reasoning_in, path), path)
        case "mcp_call":
            return _mcp_call(fields.decode_at(item, _mcp_call_in, path), path)
        case "mcp_approval_request":
            # What was asked is known by its id; the model never said it.
            fields.decode_at(item, _approval_request, path)
            return ()
        case "mcp_approval_response":
            said = fields.decode_at(item, _approval_response, path)
            return (Verdict(said.approval_request_id, said.approve, said.reason or "", path),)
        case "compaction":
            token = fields.decode_at(item, _compaction, path).encrypted_content
            return (recalled(sealed.read_summary(token, f"{path}.encrypted_content")),)
        case "item_reference":
            return (Reference(fields.decode_at(item, _reference, path).id, path),)
        case _:
            raise fields.unsupported(f"{path}.type", f"items of type {kind[:64]!r} are")


def _kind(item: bytes, path: str) -> str:
    given = fields.decode_at(item, _item, path)
    if given.type is not None:
        return given.type
    if given.role is ABSENT and given.id is not ABSENT:
        return "item_reference"
    return "message"


def recalled(summary: str) -> Message:
    """What a model reads in place of all that was said before a conversation was compacted."""
    return user(f"{RECALLED}\n\n{summary}")


def is_recalled(message: Message) -> bool:
    return isinstance(message, User) and any(
        isinstance(part, Text) and part.text.startswith(RECALLED) for part in message.parts[:1]
    )


def _message(given: MessageIn, path: str) -> Message:
    match given:
        case UserIn():
            return User(content.parts(given.content, f"{path}.content", _user_part))
        case AssistantIn(content=said):
            return Assistant((Text(said),) if isinstance(said, str) else tuple(map(_said, said)))
        case SystemIn() | DeveloperIn():
            return System(content.text(given.content))
        case _:
            assert_never(given)


def _user_part(part: InputPartIn, path: str) -> UserPart:
    match part:
        case InputTextIn(text=text):
            return Text(text)
        case InputImageIn():
            return _image(part, path)
        case InputFileIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'input_file' are")
        case InputAudioIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'input_audio' are")
        case InputVideoIn():
            raise fields.unsupported(f"{path}.type", "parts of type 'input_video' are")
        case _:
            assert_never(part)


def _image(part: InputImageIn, path: str) -> Image:
    if part.image_url is None and part.file_id is not None:
        raise fields.unsupported(f"{path}.file_id", "images by the id of a file are")
    if part.image_url is None:
        raise fields.missing(f"{path}.image_url")
    return Image(fields.image_url(part.image_url, f"{path}.image_url"), part.detail)


def _said(part: OutputPartIn) -> Text | Refusal:
    match part:
        case OutputTextIn(text=text) | InputTextIn(text=text):
            return Text(text)
        case RefusalIn(refusal=refusal):
            return Refusal(refusal)
        case _:
            assert_never(part)


def _output(output: str | list[InputPartIn], path: str) -> str:
    """A result is text: an image in it cannot be shown to every model."""
    if isinstance(output, str):
        return output
    texts: list[str] = []
    for index, part in enumerate(output):
        if not isinstance(part, InputTextIn):
            raise fields.unsupported(f"{path}[{index}].type", "outputs other than text are")
        texts.append(part.text)
    return "\n".join(texts)


def _reasoning(item: ReasoningIn, path: str) -> tuple[Piece, ...]:
    text = "".join(part.text for part in item.content or ())
    if not text:
        text = "\n\n".join(part.text for part in item.summary or ())
    seal: Seal | None = None
    if item.encrypted_content:
        seal = sealed.read_seal(item.encrypted_content, f"{path}.encrypted_content")
    return (Assistant((Reasoning(text, seal),)),) if text or seal else ()


def _mcp_call(item: McpCallIn, path: str) -> tuple[Piece, ...]:
    if item.server_label != SERVER_LABEL:
        raise fields.unsupported(f"{path}.server_label", "calls of other servers are")
    call = Assistant((ToolCall(item.id, item.name, item.arguments),))
    if item.error is None:
        return call, ToolResult(item.id, item.output or NO_OUTPUT)
    return call, ToolResult(item.id, _error_text(item.error), failed=True)


def _error_text(error: str | McpErrorIn) -> str:
    if isinstance(error, str):
        return error
    told = error.content or ()
    text = told if isinstance(told, str) else "\n".join(part.text for part in told)
    return text or error.message or NO_OUTPUT
