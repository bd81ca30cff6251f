"""Fitting a conversation into what a model can read at once.

What was said is never changed. What a model is shown of it is a function of it and of a `Digest`,
so the same conversation is shown in the same bytes until another digest takes its place.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from angelia.core.excerpt import excerpt
from angelia.core.messages import Assistant, Message, Prompt, System, Text, ToolResult, User
from angelia.core.tokens import estimate, of_message

# What is left of an old result, in characters.
SHORT = 800
REST = "call the tool again to read them"
SUMMARY = "[What was said before this, summarised because it is too long to be repeated:]"
# A summary takes a quarter of what is aimed for, within these bounds, in tokens.
LEAST_ROOM, MOST_ROOM = 64, 2000
# A beginning that takes more than this part of the aim is summarised with the rest.
LARGE_BEGINNING = 4


class Digest(Struct, frozen=True, omit_defaults=True):
    """How much of a conversation is shown in fewer words.

    Results among the first `short` messages are shortened; `summary` stands for the messages from
    `start` up to `end`.
    """

    short: int = 0
    start: int = 0
    end: int = 0
    summary: str = ""


WHOLE = Digest()


class Plan(Struct, frozen=True):
    """A digest to aim for; `before` and `after` are the tokens of the prompt.

    If there is something to `condense`, its summary is still to be written, in `room` tokens, by
    somebody who reads no more than `reads`. The `task` is what a person said last, if the summary
    stands for that too.
    """

    digest: Digest
    before: int
    after: int
    condense: tuple[Message, ...] = ()
    room: int = 0
    reads: int = 0
    task: User | None = None


# ── what is shown ───────────────────────────────────────────────────────────────────────────


def shown(messages: tuple[Message, ...], digest: Digest = WHOLE) -> tuple[Message, ...]:
    """Calls keep their results, and roles alternate as they did."""
    told = tuple(_told(said, place < digest.short) for place, said in enumerate(messages))
    if digest.end == 0:
        return told
    start, end = digest.start, digest.end
    before = told[:start] + tuple(said for said in told[start:end] if isinstance(said, System))
    return _joined(before, f"{SUMMARY}\n\n{digest.summary}", told[end:])


def inherited(digest: Digest, then: Sequence[Message], now: Sequence[Message]) -> Digest | None:
    """A digest of `then` for the conversation `now`; None if it stands for something else."""
    if digest.end > len(now) or tuple(then[: digest.end]) != tuple(now[: digest.end]):
        return None
    same = 0
    while same < min(digest.short, len(now), len(then)) and then[same] == now[same]:
        same += 1
    return replace(digest, short=same)


def _told(said: Message, short: bool) -> Message:
    if not isinstance(said, ToolResult) or not (said.note or (short and len(said.output) > SHORT)):
        return said
    output = excerpt(said.output, SHORT, REST).text if short else said.output
    output = f"{output}\n\n{said.note}" if said.note else output
    return ToolResult(said.call_id, output, said.failed)


def _joined(
    before: tuple[Message, ...], summary: str, after: tuple[Message, ...]
) -> tuple[Message, ...]:
    """Some models take nothing but users and assistants in turns."""
    asked = next((p for p in range(len(before))[::-1] if isinstance(before[p], User)), None)
    follower = after[0] if after else None
    if isinstance(follower, User):
        if asked is None:
            return *before, _saying(follower, summary, first=True), *after[1:]
        return *before, Assistant((Text(summary),)), *after
    if asked is None or not isinstance(question := before[asked], User):
        return *before, User((Text(summary),)), *after
    return *before[:asked], _saying(question, summary), *before[asked + 1 :], *after


def _saying(message: User, more: str, *, first: bool = False) -> User:
    """The message with more text; as one piece where it can be, which every model takes."""
    parts = message.parts
    place = 0 if first else -1
    text = parts[place] if parts else None
    if not isinstance(text, Text):
        added = (Text(more),)
        return replace(message, parts=added + parts if first else parts + added)
    whole = Text(f"{more}\n\n{text.text}" if first else f"{text.text}\n\n{more}")
    return replace(message, parts=(whole, *parts[1:]) if first else (*parts[:-1], whole))


# ── what to aim for ─────────────────────────────────────────────────────────────────────────


def plan(prompt: Prompt, digest: Digest, most: int, aim: int) -> Plan | None:
    """How to come down to `aim` tokens, or below `most`, or at least a good part of the way.

    `prompt` holds the whole conversation. None if what it is shown as cannot be made shorter. The
    digest of a plan is always further than the one before it, so plans come to an end.
    """
    found = [one for one in candidates(prompt, digest, aim) if one.after < one.before]
    if fitting := next((one for one in found if one.after <= aim), None):
        return fitting
    best = min(found, key=lambda one: one.after, default=None)
    if best is None or best.after > max(most, 0.9 * best.before):
        return None
    return best


def least(prompt: Prompt, digest: Digest, aim: int) -> int:
    """The tokens that are left when all that can be done is done."""
    now = estimate(replace(prompt, messages=shown(prompt.messages, digest)))
    return min((now, *(one.after for one in candidates(prompt, digest, aim))))


def candidates(prompt: Prompt, digest: Digest, aim: int) -> list[Plan]:
    """From the one that leaves most to the one that leaves least.

    Old results are shortened; the middle is summarised too; the last results are shortened too.
    """
    messages = prompt.messages
    before = estimate(replace(prompt, messages=shown(messages, digest)))
    short = max(digest.short, _old(messages, aim // 2))
    summarised = _summarised(prompt, replace(digest, short=short), aim)
    shortest = replace(summarised or digest, short=len(messages))
    found = (replace(digest, short=short), summarised, shortest)
    return [
        _measured(prompt, digest, one, before, aim)
        for one in dict.fromkeys(found)
        if one is not None and one != digest
    ]


def _measured(prompt: Prompt, old: Digest, new: Digest, before: int, aim: int) -> Plan:
    after = estimate(replace(prompt, messages=shown(prompt.messages, new)))
    if new.end == old.end:
        return Plan(new, before, after)
    middle = _middle(prompt.messages, old, new)
    task = _task(prompt.messages, new)
    return Plan(new, before, after + _room(aim), middle, _room(aim), max(aim, LEAST_ROOM), task)


def _task(messages: Sequence[Message], digest: Digest) -> User | None:
    for place in range(digest.start, len(messages))[::-1]:
        if isinstance(said := messages[place], User):
            return said if place < digest.end else None
    return None


def _room(aim: int) -> int:
    return min(MOST_ROOM, max(LEAST_ROOM, aim // 4))


def _middle(messages: tuple[Message, ...], old: Digest, new: Digest) -> tuple[Message, ...]:
    """What the new summary is to stand for; the old one is a part of it."""
    told = shown(messages, Digest(new.short))
    if old.end == 0:
        return told[new.start : new.end]
    known = System(f"{SUMMARY}\n\n{old.summary}")
    return *told[new.start : old.start], known, *told[old.end : new.end]


def _old(messages: Sequence[Message], keep: int) -> int:
    """How many messages lie before the last ones, which have `keep` tokens or are one batch."""
    last = _last_batch(messages)
    place, tokens = last, sum(of_message(said) for said in messages[last:])
    while place > 0 and tokens + of_message(messages[place - 1]) <= keep:
        place -= 1
        tokens += of_message(messages[place])
    return place


def _last_batch(messages: Sequence[Message]) -> int:
    """Where the last message begins, or the last calls whose results nobody has read."""
    place = max(len(messages) - 1, 0)
    while place > 0 and isinstance(messages[place], ToolResult):
        place -= 1
    return place


def _summarised(prompt: Prompt, digest: Digest, aim: int) -> Digest | None:
    """The digest that leaves as many of the last messages as fit; None if nothing is between."""
    messages = prompt.messages
    begin = _beginning(messages, aim)
    start = min(digest.start, begin) if digest.end else begin
    told = shown(messages, Digest(digest.short))
    fixed = estimate(replace(prompt, messages=told[:start])) + _room(aim)
    ends = [
        place
        for place in range(max(digest.end, start) + 1, _last_batch(messages) + 1)
        if not isinstance(messages[place], ToolResult)
    ]
    if not ends:
        return None
    left = fixed + sum(of_message(said) for said in told[ends[0] :])
    end = ends[0]
    for later in ends[1:]:
        if left <= aim:
            break
        left -= sum(of_message(said) for said in told[end:later])
        end = later
    return Digest(digest.short, start, end)


def _beginning(messages: Sequence[Message], aim: int) -> int:
    """How many messages stay in any case: what is above everything, and the first question."""
    place = 0
    while place < len(messages) and isinstance(messages[place], System):
        place += 1
    first = messages[place] if place < len(messages) else None
    if isinstance(first, User) and of_message(first) <= aim // LARGE_BEGINNING:
        return place + 1
    return place


# ── what is left out ────────────────────────────────────────────────────────────────────────


def fitted(prompt: Prompt, tokens: int) -> tuple[Message, ...]:
    """The messages of a prompt without its oldest turns, as many as are too much.

    A turn begins with what a person says; the last one stays, however long it is.
    """
    excess = estimate(prompt) - tokens
    start = 0
    for place in _later_turns(prompt.messages):
        if excess <= 0:
            break
        excess -= sum(of_message(message) for message in prompt.messages[start:place])
        start = place
    return prompt.messages[start:]


def _later_turns(messages: Sequence[Message]) -> list[int]:
    """Where turns begin, but for the first."""
    begins = [
        place
        for place, message in enumerate(messages)
        if isinstance(message, User) and not isinstance(messages[place - 1], User)
    ]
    return [place for place in begins if place > 0]
