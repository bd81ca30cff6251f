"""Fingerprints of a conversation as its client sees it: who said which text, and nothing else.

Frontends resend only visible text. Two conversations with the same fingerprint are the same
conversation, whatever tool calls, results and reasoning one of them knows besides.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec import Struct

from angelia.core.approval_text import question
from angelia.core.events import (
    AnyEvent,
    ClientReplied,
    ModelReplied,
    RunWaited,
    StepReset,
    TextDelta,
)
from angelia.core.messages import Assistant, Image, Message, Refusal, System, Text, ToolResult, User

# What frontends draw around an answer for people and send back as if it had been said.
_DRAWN = re.compile(r"<(details)\b[^<>]*>|<(think)>")
_CLOSINGS = ("</details>", "</think>")


class Prefix(Struct, frozen=True):
    """The first `count` messages of a conversation, which end with an answer."""

    chain: str
    count: int


def chain(messages: Iterable[Message], seed: str) -> str:
    """The fingerprint of a whole conversation. `seed` keeps the conversations of users apart."""
    hashing = _Hashing(seed)
    for message in messages:
        hashing.add(message)
    return hashing.fingerprint


# What a run has shown, piece by piece: text, and what its client said in between.
Shown = Sequence[str | Message]


def chains(messages: Sequence[Message], opening: int, shown: Shown, seed: str) -> tuple[str, ...]:
    """The fingerprints of a run: as the record has it and, if that differs, as it was shown.

    Whoever saw it stream by has seen void text too; an answer in one piece is what the model said,
    whatever people said meanwhile. The first `opening` messages, which are nearly all of a long
    conversation, are hashed once.
    """
    hashing = _Hashing(seed)
    for message in messages[:opening]:
        hashing.add(message)
    went_by, at_once = hashing.copy(), hashing.copy()
    for message in messages[opening:]:
        hashing.add(message)
        if isinstance(message, Assistant):
            at_once.add(message)
    turns = _turns(shown)
    if not turns:
        return (hashing.fingerprint,)
    for turn in turns:
        went_by.add(turn)
    found = (hashing.fingerprint, went_by.fingerprint, at_once.fingerprint)
    return tuple(dict.fromkeys(found))


def prefixes(messages: Sequence[Message], seed: str) -> list[Prefix]:
    """Every beginning that ends with an answer and leaves something to ask, longest first."""
    found: list[Prefix] = []
    hashing = _Hashing(seed)
    for count, message in enumerate(messages[:-1], 1):
        hashing.add(message)
        if isinstance(message, Assistant):
            found.append(Prefix(hashing.fingerprint, count))
    return found[::-1]


def agrees(resent: Iterable[Message], said: Iterable[Message]) -> bool:
    """Whether every result that a client sends along is one that is known.

    A client that knows better than we do what its tools said is not corrected.
    """
    known = {message.output for message in said if isinstance(message, ToolResult)}
    brought = (message.output for message in resent if isinstance(message, ToolResult))
    return all(output in known for output in brought)


def _turns(shown: Shown) -> list[Message]:
    """The pieces put together: an answer up to where the client said something."""
    turns: list[Message] = []
    texts: list[str] = []
    for piece in (*shown, None):
        if isinstance(piece, str):
            texts.append(piece)
            continue
        if (text := "".join(texts)).strip():
            turns.append(Assistant((Text(text),)))
        texts.clear()
        turns += (piece,) if piece is not None else ()
    return turns


def shown(events: Iterable[AnyEvent]) -> list[str | Message]:
    """All that a run has shown so far; of a reply that was not streamed, the whole."""
    pieces: list[str | Message] = []
    in_step = False
    for event in events:
        match event:
            case TextDelta(text=text):
                pieces.append(text)
                in_step = True
            case ModelReplied(reply=reply):
                if not in_step:
                    pieces.append(spoken(reply.message))
                pieces.append("\n\n")
                in_step = False
            case StepReset():
                pieces.append("\n\n")
                in_step = False
            case RunWaited() | ClientReplied():
                pieces += aside(event)
            case _:
                pass
    return pieces


def aside(event: AnyEvent) -> tuple[str | Message, ...]:
    """What a person was asked and has answered: part of what was shown, and never said."""
    match event:
        case RunWaited(on="approval", asked=asked):
            return ("\n\n", question(asked))
        case ClientReplied(results=(), messages=messages):
            return messages
        case _:
            return ()


def cut_off(events: Iterable[AnyEvent]) -> str:
    """What a run has shown of a reply that is not whole yet, or never became so."""
    texts: list[str] = []
    for event in events:
        match event:
            case TextDelta(text=text):
                texts.append(text)
            case ModelReplied() | StepReset():
                texts.clear()
            case _:
                pass
    return "".join(texts)


def spoken(message: Assistant) -> str:
    return "".join(part.text for part in message.parts if isinstance(part, Text | Refusal))


class _Hashing:
    """Message after message, so that every beginning is hashed once."""

    def __init__(self, seed: str) -> None:
        self._digest = hashlib.sha256(seed.encode(errors="surrogatepass"))
        self._answering = False
        self._begun = False

    def copy(self) -> "_Hashing":
        twin = _Hashing("")
        twin._digest = self._digest.copy()
        twin._answering, twin._begun = self._answering, self._begun
        return twin

    @property
    def fingerprint(self) -> str:
        return self._digest.hexdigest()[:32]

    def add(self, message: Message) -> None:
        match message:
            case System() | ToolResult():
                return
            case User(parts=parts):
                self._turn(b"\0user\0")
                self._answering = False
                self._say(" ".join(part.text for part in parts if isinstance(part, Text)))
                for part in parts:
                    if isinstance(part, Image):
                        self._see(part.url)
            case Assistant():
                # A run's replies are one answer: its client never sees where one of them ends.
                if not self._answering:
                    self._turn(b"\0assistant\0")
                self._answering = True
                self._say(spoken(message))
            case _:
                assert_never(message)

    def _see(self, url: str) -> None:
        digest = hashlib.sha256(url.encode(errors="surrogatepass")).digest()
        self._digest.update(b"\0image\0" + digest)

    def _turn(self, role: bytes) -> None:
        self._digest.update(role)
        self._begun = False

    def _say(self, text: str) -> None:
        """Frontends trim and rewrap what they keep, so only the words count."""
        # The mark of a turn must not be sayable.
        words = " ".join(_undrawn(text).replace("\0", " ").split())
        if words:
            words = f" {words}" if self._begun else words
            self._digest.update(words.encode(errors="surrogatepass"))
            self._begun = True


def _undrawn(text: str) -> str:
    """In linear time, whatever is opened and never closed."""
    kept: list[str] = []
    never_closed: set[str] = set()
    at = 0
    for opening in _DRAWN.finditer(text):
        closing = f"</{opening[1] or opening[2]}>"
        if opening.start() < at or closing in never_closed:
            if len(never_closed) == len(_CLOSINGS):
                break
            continue
        end = text.find(closing, opening.end())
        if end < 0:
            never_closed.add(closing)
            continue
        kept.append(text[at : opening.start()])
        at = end + len(closing)
    return " ".join((*kept, text[at:]))
