"""A model's reply while it is being received; every upstream protocol fills one.

Parts keep the order in which they began. The rules about tool calls that providers disagree on
live here, so that they hold for all protocols alike.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec import DecodeError, Raw, json

from angelia.core.events import CallDelta, Delta, ReasoningDelta, TextDelta
from angelia.core.messages import (
    Assistant,
    AssistantPart,
    FinishReason,
    Reasoning,
    Refusal,
    Reply,
    Seal,
    Text,
    ToolCall,
    Usage,
)
from angelia.errors import UpstreamCutOff, UpstreamEmpty, UpstreamGarbled
from angelia.wire.written.manner import PLAIN, Manner
from angelia.wire.written.sieve import Sieve, Sifted
from angelia.wire.written.text_calls import Written

SILENT_REFUSAL = "The model declined to answer."

Kind = type[Text] | type[Refusal] | type[Reasoning]


class _Prose:
    """A run of text, refusal or reasoning."""

    __slots__ = ("kind", "pieces", "seal")

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.pieces: list[str] = []
        self.seal: Seal | None = None

    @property
    def is_visible(self) -> bool:
        return any(not piece.isspace() for piece in self.pieces)

    def part(self) -> AssistantPart:
        text = "".join(self.pieces)
        return Reasoning(text, self.seal) if self.kind is Reasoning else self.kind(text)


class Slot:
    """A tool call that is being received."""

    __slots__ = ("extras", "given_id", "id", "index", "name", "pieces")

    def __init__(self, index: int, given_id: str | None) -> None:
        self.index = index
        self.given_id = given_id
        self.id = given_id or f"call_{index}"
        self.name = ""
        self.pieces: list[str] = []
        self.extras: Seal | None = None

    @property
    def arguments(self) -> str:
        text = "".join(self.pieces)
        return text if text.strip() else "{}"

    def part(self) -> ToolCall:
        return ToolCall(self.id, self.name, self.arguments, self.extras)


class Draft:
    """Pieces in, one Reply out. Each piece answers with what there is to show.

    Text may be held back as long as it may turn out to be something else: `release` before
    anything that comes behind it, `close` at the end. `sifted` counts what may be held back.
    """

    def __init__(self, manner: Manner = PLAIN) -> None:
        self._parts: list[_Prose | Slot] = []
        self._slots: dict[int | str, Slot] = {}
        # Text is looked at only as long as there may be something in it.
        self._sieve = None if (sieve := Sieve(manner)).plain else sieve
        self._begun = False
        self.sifted = 0
        self.finish: FinishReason | None = None
        self.usage: Usage | None = None
        self.model: str | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing came at all."""
        return not self._parts and not self._begun

    @property
    def silent(self) -> bool:
        """Whether there is neither a word nor a call. Thoughts are neither."""
        return not any(
            isinstance(part, Slot) or (part.kind is not Reasoning and part.is_visible)
            for part in self._parts
        )

    @property
    def slots(self) -> list[Slot]:
        return [part for part in self._parts if isinstance(part, Slot)]

    def text(self, text: str) -> Sequence[Delta]:
        if self._sieve is not None:
            return self._sift(self._sieve, text)
        return (TextDelta(text),) if self._say(Text, text) else ()

    def refusal(self, text: str) -> TextDelta | None:
        """A refusal is shown like text and kept apart in the record."""
        return TextDelta(text) if self._say(Refusal, text) else None

    def reasoning(self, text: str) -> ReasoningDelta | None:
        if self._sieve is not None:
            self._sieve.expect_tag()
        return ReasoningDelta(text) if self._say(Reasoning, text) else None

    def seal(self, seal: Seal) -> None:
        """Seals the reasoning under way, or stands for one that is not shown."""
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, _Prose) or last.kind is not Reasoning or last.seal is not None:
            last = self._open(Reasoning)
        last.seal = seal

    def call(
        self,
        key: int | str,
        *,
        id: str | int | None = None,  # noqa: A002 -- the name every protocol uses
        name: str | None = None,
        arguments: str = "",
    ) -> CallDelta:
        """One piece of a call. `key` is how the protocol tells the calls of a reply apart."""
        given = None if id is None or id == "" else str(id)
        slot, opened = self._slot(key, given)
        named = bool(name) and name != slot.name
        if name:
            slot.name = name
        if arguments:
            slot.pieces.append(arguments)
        return CallDelta(
            slot.index,
            arguments,
            id=slot.id if opened else None,
            name=slot.name if named else None,
        )

    def settle_arguments(self, key: int | str, arguments: str) -> None:
        """The whole text, from a protocol that repeats it at the end."""
        self._slots[key].pieces = [arguments]

    def extras(self, key: int | str, extras: Seal) -> None:
        self._slots[key].extras = extras

    def release(self) -> Sequence[Delta]:
        """What was held back of the text, since something else comes behind it."""
        return self.close(clean=False)

    def close(self, *, clean: bool) -> Sequence[Delta]:
        """What was held back of the text, since it is at its end; `clean` if the model ended it."""
        if self._sieve is None:
            return ()
        sifted, self._sieve = self._sieve.close(clean=clean), None
        return self._keep(sifted)

    def reply(self, default_finish: FinishReason = "stop") -> Reply:
        """Raises UpstreamEmpty, and UpstreamGarbled if a call is cut off in its arguments."""
        finish = self.finish or default_finish
        if self.silent:
            raise self._without_answer(finish)
        if self.slots:
            vouched = self.finish is not None and finish != "length"
            self._refuse_cut_calls(complete=vouched, used_up=finish == "length")
            finish = "tool_calls"
        return self._reply(finish)

    def _reply(self, finish: FinishReason) -> Reply:
        message = Assistant(tuple(part.part() for part in self._parts))
        return Reply(message, finish, self.usage, self.model)

    def _without_answer(self, finish: FinishReason) -> UpstreamEmpty:
        message = "The model's answer was empty."
        if any(isinstance(part, _Prose) and part.kind is Reasoning for part in self._parts):
            message = "The model thought and gave no answer."
            if finish == "length":
                message = "The model used up its output on thinking and gave no answer."
        clean = self.finish == "stop"
        return UpstreamEmpty(message, reply=self._reply("stop" if clean else "length"))

    def _refuse_cut_calls(self, *, complete: bool, used_up: bool) -> None:
        for slot in self.slots:
            if not slot.name:
                raise UpstreamGarbled("The model called a tool without a name.")
            # A call without arguments is none if there was no room for them.
            if not complete and not _is_json("".join(slot.pieces) if used_up else slot.arguments):
                raise UpstreamCutOff(
                    f"The model's answer was cut off inside the arguments of {slot.name!r}; "
                    "the call was not executed."
                )

    def _sift(self, sieve: Sieve, text: str) -> Sequence[Delta]:
        self._begun = self._begun or bool(text)
        self.sifted += len(text)
        sifted = sieve.feed(text)
        if sieve.plain:
            self._sieve = None
        return self._keep(sifted)

    def _keep(self, sifted: Iterable[Sifted]) -> list[Delta]:
        deltas: list[Delta] = []
        for piece in sifted:
            match piece:
                case TextDelta():
                    self._say(Text, piece.text)
                    deltas.append(piece)
                case ReasoningDelta():
                    self._say(Reasoning, piece.text)
                    deltas.append(piece)
                case Written():
                    key = f"written {len(self._slots)}"
                    deltas.append(
                        self.call(key, id=piece.id, name=piece.name, arguments=piece.arguments)
                    )
                case _:
                    assert_never(piece)
        return deltas

    def _say(self, kind: Kind, text: str) -> bool:
        if not text:
            return False
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, _Prose) or last.kind is not kind or last.seal is not None:
            last = self._open(kind)
        last.pieces.append(text)
        return True

    def _open(self, kind: Kind) -> _Prose:
        prose = _Prose(kind)
        self._parts.append(prose)
        return prose

    def _slot(self, key: int | str, given_id: str | None) -> tuple[Slot, bool]:
        slot = self._slots.get(key)
        # Some servers send every call of a batch under index 0; only the id tells them apart.
        reused = slot is not None and given_id is not None and slot.given_id not in (None, given_id)
        if slot is not None and not reused:
            if given_id is not None and slot.given_id is None:
                slot.given_id = slot.id = given_id
            return slot, False
        slot = Slot(len(self.slots), given_id)
        self._slots[key] = slot
        self._parts.append(slot)
        return slot, True


def _is_json(text: str) -> bool:
    try:
        json.decode(text, type=Raw)
    except (DecodeError, RecursionError):
        return False
    return True
