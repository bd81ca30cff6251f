"""A model's reply while it is being received; every upstream protocol fills one.

Parts keep the order in which they began. The rules about tool calls that providers disagree on
live here, so that they hold for all protocols alike.
"""

from msgspec import DecodeError, Raw, json

from angelia.core.events import CallDelta, ReasoningDelta, TextDelta
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


class _Prose:
    """A run of text, refusal or reasoning."""

    __slots__ = ("kind", "pieces", "seal")

    def __init__(self, kind: type[Text] | type[Refusal] | type[Reasoning]) -> None:
        self.kind = kind
        self.pieces: list[str] = []
        self.seal: Seal | None = None

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
    """Pieces in, one Reply out. Each piece answers with the delta to show, if there is one."""

    def __init__(self) -> None:
        self._parts: list[_Prose | Slot] = []
        self._slots: dict[int | str, Slot] = {}
        self.finish: FinishReason | None = None
        self.usage: Usage | None = None
        self.model: str | None = None

    @property
    def empty(self) -> bool:
        return not self._parts

    @property
    def slots(self) -> list[Slot]:
        return [part for part in self._parts if isinstance(part, Slot)]

    def text(self, text: str) -> TextDelta | None:
        return TextDelta(text) if self._say(Text, text) else None

    def refusal(self, text: str) -> TextDelta | None:
        """A refusal is shown like text and kept apart in the record."""
        return TextDelta(text) if self._say(Refusal, text) else None

    def reasoning(self, text: str) -> ReasoningDelta | None:
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

    def reply(self, default_finish: FinishReason = "stop") -> Reply:
        """Raises UpstreamGarbled if nothing came, or a call is cut off in its arguments."""
        if self.empty:
            raise UpstreamEmpty("The model's answer was empty.")
        finish = self.finish or default_finish
        if self.slots:
            self._refuse_cut_calls(complete=self.finish is not None and finish != "length")
            finish = "tool_calls"
        message = Assistant(tuple(part.part() for part in self._parts))
        return Reply(message, finish, self.usage, self.model)

    def _refuse_cut_calls(self, *, complete: bool) -> None:
        for slot in self.slots:
            if not slot.name:
                raise UpstreamGarbled("The model called a tool without a name.")
            if not complete and not _is_json(slot.arguments):
                raise UpstreamCutOff(
                    f"The model's answer was cut off inside the arguments of {slot.name!r}; "
                    "the call was not executed."
                )

    def _say(self, kind: type[Text] | type[Refusal] | type[Reasoning], text: str) -> bool:
        if not text:
            return False
        last = self._parts[-1] if self._parts else None
        if not isinstance(last, _Prose) or last.kind is not kind or last.seal is not None:
            last = self._open(kind)
        last.pieces.append(text)
        return True

    def _open(self, kind: type[Text] | type[Refusal] | type[Reasoning]) -> _Prose:
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
