"""Transcripts as providers demand them: every call answered once, every call id told apart."""

from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from angelia.core.messages import (
    Assistant,
    AssistantPart,
    Image,
    Message,
    Prompt,
    Text,
    ToolCall,
    ToolResult,
    User,
    UserPart,
)

NO_RESULT = "(no result)"
UNSEEN = "(an image that this model cannot see)"


def closed(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Every call answered exactly once, directly behind its message, in call order.

    A result belongs to the last message before it that has an unanswered call of its id. Results
    without a call are dropped; a call without a result gets one that says so.
    """
    messages = tuple(messages)
    results = _matched(messages)
    out: list[Message] = []
    for place, message in enumerate(messages):
        if isinstance(message, ToolResult):
            continue
        out.append(message)
        if isinstance(message, Assistant):
            out += (
                results.get((place, nth)) or ToolResult(call.id, NO_RESULT, failed=True)
                for nth, call in enumerate(message.calls)
            )
    return tuple(out)


def without_images(prompt: Prompt) -> Prompt:
    """For a model that cannot see: it is told where there was something to be seen."""
    messages = tuple(
        replace(said, parts=tuple(_told(part) for part in said.parts))
        if isinstance(said, User)
        else said
        for said in prompt.messages
    )
    return replace(prompt, messages=messages)


def _told(part: UserPart) -> UserPart:
    return Text(UNSEEN) if isinstance(part, Image) else part


def _matched(messages: tuple[Message, ...]) -> dict[tuple[int, int], ToolResult]:
    """Results by the place of their message and the number of the call in it."""
    unanswered: dict[str, list[tuple[int, int]]] = {}
    results: dict[tuple[int, int], ToolResult] = {}
    for place, message in enumerate(messages):
        if isinstance(message, Assistant):
            unanswered |= _calls_by_id(place, message)
        elif isinstance(message, ToolResult) and unanswered.get(message.call_id):
            results[unanswered[message.call_id].pop(0)] = message
    return results


def _calls_by_id(place: int, message: Assistant) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for nth, call in enumerate(message.calls):
        found.setdefault(call.id, []).append((place, nth))
    return found


def told_apart(messages: Iterable[Message], spell: Callable[[str], str]) -> tuple[Message, ...]:
    """A closed transcript with call ids as `spell` writes them, no id used by two calls.

    What an id becomes depends only on what stands before it, so a longer transcript keeps the
    spelling of a shorter one.
    """
    fresh = _Spelling(spell)
    answers: Iterator[str] = iter(())
    out: list[Message] = []
    for message in messages:
        if isinstance(message, Assistant):
            ids = [fresh.of(call.id) for call in message.calls]
            answers = iter(ids)
            out.append(Assistant(tuple(_renamed(message.parts, iter(ids)))))
        elif isinstance(message, ToolResult):
            out.append(replace(message, call_id=next(answers)))
        else:
            out.append(message)
    return tuple(out)


def _renamed(parts: tuple[AssistantPart, ...], ids: Iterator[str]) -> Iterator[AssistantPart]:
    for part in parts:
        yield replace(part, id=next(ids)) if isinstance(part, ToolCall) else part


class _Spelling:
    def __init__(self, spell: Callable[[str], str]) -> None:
        self._spell = spell
        self._used: set[str] = set()
        self._times: dict[str, int] = {}

    def of(self, call_id: str) -> str:
        times = self._times.get(call_id, 0) + 1
        spelled = self._spell(call_id if times == 1 else f"{call_id}_{times}")
        while spelled in self._used:
            times += 1
            spelled = self._spell(f"{call_id}_{times}")
        self._times[call_id] = times
        self._used.add(spelled)
        return spelled
