"""One prompt in the terminal: starts a run, shows it, answers its questions, stops it on Ctrl-C.

Above: the command and its options. Below: a `Source`, which is this process or a server. What
comes from it is the JSON of the run API either way.
"""

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import AsyncIterator, Generator
from typing import Literal, Protocol

from msgspec import Struct

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.events import Ending, Event, read
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.render import Piece, Renderer, exit_code
from angelia.surfaces.cli.screen import Screen
from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
)

Consent = Literal["once", "session", "always", "deny"]
Answer = tuple[Consent, str]
_CONSENTS: dict[str, Consent] = {
    "y": "once",
    "yes": "once",
    "s": "session",
    "session": "session",
    "a": "always",
    "always": "always",
}
NOBODY = "   denied: there is no terminal to ask in; ANGELIA_APPROVALS=allow never asks\n"


class Ask(Struct, frozen=True):
    """None means what the settings say."""

    prompt: str
    model: str | None = None
    session: str | None = None
    max_steps: int | None = None
    timeout: float | None = None


class Source(Protocol):
    """Where a run takes place; where that is `shared`, its questions can be answered elsewhere."""

    @property
    def shared(self) -> bool: ...

    async def start(self, ask: Ask) -> str:
        """The id of the run."""
        ...

    def events(self, run_id: str) -> AsyncIterator[bytes]:
        """Each event as JSON, to the end of the run."""
        ...

    async def stop(self, run_id: str) -> None: ...

    async def consent(
        self, run_id: str, approval_id: str, choice: Consent, reason: str
    ) -> None: ...


class Conversation:
    """One run, from the prompt to the exit code."""

    def __init__(self, source: Source, screen: Screen, *, as_json: bool = False) -> None:
        self._source = source
        self._screen = screen
        self._as_json = as_json
        self._renderer = Renderer()
        self._interrupted = asyncio.Event()
        self._pipe_broken = False

    async def run(self, ask: Ask) -> int:
        with _on_signals(self._interrupted):
            run_id = await self._source.start(ask)
            stopper = asyncio.create_task(self._stop_when_interrupted(run_id))
            try:
                ending = await self._follow(run_id)
            finally:
                stopper.cancel()
        if self._pipe_broken:
            return 128 + signal.SIGPIPE
        self._name(run_id)
        return Exit.INTERRUPTED if self._interrupted.is_set() else exit_code(ending)

    def _name(self, run_id: str) -> None:
        """For people; a program that wants it asks for JSON."""
        if self._screen.interactive and not self._as_json:
            self._screen.show((Piece(f"   {run_id}\n", "err", "dim"),))

    async def _stop_when_interrupted(self, run_id: str) -> None:
        await self._interrupted.wait()
        await self._source.stop(run_id)

    async def _follow(self, run_id: str) -> Ending:
        async for data in self._source.events(run_id):
            event = read(data)
            self._show(data, event)
            if isinstance(event, ApprovalRequestedOut):
                await self._settle(run_id, event)
            if isinstance(event, RunCompletedOut | RunFailedOut | RunCancelledOut):
                return event
        raise AngeliaError(f"The events of {run_id} broke off; see GET /v1/runs/{run_id}.")

    def _show(self, data: bytes, event: Event | None) -> None:
        if self._pipe_broken:
            return
        try:
            if self._as_json:
                self._screen.line(data)
            elif event is not None:
                self._screen.show(self._renderer.show(event))
        except BrokenPipeError:
            self._pipe_broken = True
            self._interrupted.set()
            # The interpreter flushes stdout at its end; there must be something to take it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    async def _settle(self, run_id: str, asked: ApprovalRequestedOut) -> None:
        answer = await self._consent(run_id, asked)
        if answer is None:
            return
        try:
            await self._source.consent(run_id, asked.approval_id, *answer)
        except RequestError as error:
            # Somebody else was faster, or it was too late.
            self._screen.show((Piece(f"   {error}\n", "err", "dim"),))

    async def _consent(self, run_id: str, asked: ApprovalRequestedOut) -> Answer | None:
        """None where the answer is up to somebody else, or the time is over."""
        if self._as_json or not self._screen.interactive:
            if self._source.shared:
                how = f"   it waits: angelia approve {run_id} --code {asked.code}\n"
                self._screen.show((Piece(how, "err", "dim"),))
                return None
            self._screen.show((Piece(NOBODY, "err", "dim"),))
            return "deny", "nobody is there who could be asked."
        self._screen.show((Piece("   allow it? yes, no, session, always: ", "err"),))
        left = None if asked.expires_at is None else max(0.0, asked.expires_at - time.time())
        answering = asyncio.create_task(typed_line())
        giving_up = asyncio.create_task(self._interrupted.wait())
        both = (answering, giving_up)
        await asyncio.wait(both, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        giving_up.cancel()
        if not answering.done():
            answering.cancel()
            return ("deny", "") if self._interrupted.is_set() else None
        return understood(answering.result())


def understood(typed: str) -> Answer:
    """What is no yes is a no; what was said besides is the reason."""
    said = typed.strip()
    if (choice := _CONSENTS.get(said.lower())) is not None:
        return choice, ""
    return "deny", re.sub(r"(?i)^(no|n)\b[\s,.:;!]*", "", said)


async def typed_line() -> str:
    loop = asyncio.get_running_loop()
    typed = asyncio.Event()
    loop.add_reader(sys.stdin, typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline()


@contextlib.contextmanager
def _on_signals(interrupted: asyncio.Event) -> Generator[None]:
    """The first Ctrl-C stops the run properly; a second one ends the process where it stands."""
    loop = asyncio.get_running_loop()
    caught = (signal.SIGINT, signal.SIGTERM)

    def interrupt() -> None:
        interrupted.set()
        for number in caught:
            loop.remove_signal_handler(number)

    for number in caught:
        loop.add_signal_handler(number, interrupt)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
