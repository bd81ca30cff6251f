"""The loop of a chat: what a person types becomes turns, answers, messages to a run, commands.

Above: the command. Below: the stage, and a server that is talked to over HTTP wherever it runs.
"""

import asyncio
import secrets
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
from msgspec import Struct, structs

from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.amounts import money, tokens
from angelia.surfaces.cli.ask import understood
from angelia.surfaces.cli.chat.attachments import attached
from angelia.surfaces.cli.chat.blocks import Block, Live, Prose, Remark, Spoken, Thought
from angelia.surfaces.cli.chat.commands import SlashCommands, is_command
from angelia.surfaces.cli.chat.events import read
from angelia.surfaces.cli.chat.following import followed, patiently
from angelia.surfaces.cli.chat.harmless import harmless
from angelia.surfaces.cli.chat.past import Past, past_of
from angelia.surfaces.cli.chat.place import Place
from angelia.surfaces.cli.chat.proposals import proposed
from angelia.surfaces.cli.chat.stage import Owner, Stage
from angelia.surfaces.cli.chat.view import View
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.server import Server
from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    MessageIn,
    PendingApproval,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
)

# What a server may do to whoever talks to it; none of it ends the chat.
_FAULTS = (AngeliaError, aiohttp.ClientError, msgspec.MsgspecError)


_TITLE = 32


class NewRun(Struct, frozen=True, omit_defaults=True):
    input: str | list[MessageIn]
    model: str | None = None
    session_id: str | None = None


class Started(Struct, frozen=True):
    run_id: str
    session_id: str


class Chat(Owner):
    """One person at one place; `stage` is set before anything happens."""

    stage: Stage

    def __init__(self, remote: Remote, place: Place, commands: SlashCommands, folder: Path) -> None:
        self._remote = remote
        self._server = Server(remote)
        self._place = place
        self._commands = commands
        self._folder = folder
        self._view = View()
        self._working: asyncio.Task[None] | None = None
        self._run_id: str | None = None
        self._early: list[str] = []
        self._lost = False
        self._stopping = False
        self._leaving = False
        self._hint = ""
        self._draft = ""
        self._details: dict[str, PendingApproval] = {}
        self._thought: Thought | None = None
        self._title = ""
        self._model = ""
        self._spent = (0, 0.0)
        self._others: set[asyncio.Task[None]] = set()

    # ── what the stage shows ────────────────────────────────────────────────────────────────

    def live(self) -> Live:
        live = self._view.live()
        if live.asked is not None and (known := self._details.get(live.asked.approval_id)):
            change = proposed(known.tool, known.args)
            live = structs.replace(live, covers=known.covers, proposed=change)
        if self._early:
            live = structs.replace(live, queued=(*live.queued, *map(harmless, self._early)))
        if self._lost:
            return structs.replace(live, note="reconnecting")
        quiet = not (live.prose or live.thought or live.tools or live.note or live.asked)
        return structs.replace(live, note="working") if self.busy() and quiet else live

    def busy(self) -> bool:
        return self._working is not None

    def bar(self) -> tuple[str, str]:
        count, cost = self._spent[0] + self._view.tokens, self._spent[1] + self._view.cost
        parts = [_short(self._title) or self._place.session_id or "new session"]
        parts += [self._place.model or self._model] if self._place.model or self._model else []
        parts += [tokens(count)] if count else []
        parts += [money(cost)] if cost else []
        return harmless(" · ".join(parts)), self._hint or self._keys()

    def _keys(self) -> str:
        if self._view.live().asked is not None:
            return "y n s a, then Enter" if self._draft else "y n s a · or say why not"
        if self.busy():
            return "Ctrl-C stops · type to steer"
        return "Alt-Enter new line · /help · Ctrl-D leaves"

    # ── what the person does ────────────────────────────────────────────────────────────────

    def said(self, text: str) -> None:
        self._hint, self._leaving = "", False
        asked = self._view.live().asked
        if not text.strip():
            return
        if is_command(text):
            self._meanwhile(self._obey(text))
        elif asked is not None and self._run_id is not None:
            self._meanwhile(self._answer(self._run_id, asked, text))
        elif self._working is None:
            self._begin(self._turn(text))
        elif self._run_id is None:
            self._early.append(text)
        else:
            self._meanwhile(self._steer(self._run_id, text))

    def answers(self, text: str) -> bool:
        """One letter to a question. Who was typing when it came has to mean it, with Enter."""
        asked = self._view.live().asked
        return asked is not None and not self._draft and text in ("y", "n", "s", "a")

    def interrupted(self) -> None:
        if self._working is not None:
            self._interrupt(self._working)
        elif self.stage.buffer.text:
            self.stage.buffer.reset()
        elif self._leaving:
            self.stage.leave(Exit.COMPLETED)
        else:
            self._leaving, self._hint = True, "Ctrl-C again leaves"
            self.stage.refresh()

    def left(self) -> None:
        self.stage.leave(Exit.COMPLETED)

    def unfolded(self) -> None:
        self.stage.unfold(self._thought)
        self._thought = None

    def _interrupt(self, working: "asyncio.Task[None]") -> None:
        if self._stopping:
            self.stage.leave(Exit.INTERRUPTED)
        elif self._run_id is None or self._lost:
            working.cancel()
        else:
            self._stopping, self._hint = True, "Ctrl-C again leaves"
            self._meanwhile(self._stop(self._run_id))

    # ── turns ───────────────────────────────────────────────────────────────────────────────

    async def go(self, prompt: str | None) -> int:
        """To the end of the chat; the exit code."""
        if self._place.session_id is not None:
            self._begin(self._catch_up(self._place.session_id, prompt))
        elif prompt:
            self._begin(self._turn(prompt))
        try:
            return await self.stage.run()
        finally:
            await self._end()

    async def _end(self) -> None:
        left = [task for task in (self._working, *self._others) if task is not None]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._stopping = self._lost = False
        self._working = asyncio.create_task(self._work(work))
        self.stage.refresh()

    async def _work(self, work: Coroutine[Any, Any, None]) -> None:
        """A turn to its end, and the one behind it that was asked for meanwhile."""
        try:
            await work
        except asyncio.CancelledError:
            self._abandon()
        except _FAULTS as error:
            self._show([Remark(harmless(str(error)), "bad")])
        finally:
            self._settle()

    def _settle(self) -> None:
        self._spent = (self._spent[0] + self._view.tokens, self._spent[1] + self._view.cost)
        waiting = [*self._view.leftover(), *self._early]
        self._view, self._early, self._run_id = View(), [], None
        self._working, self._lost, self._stopping, self._hint = None, False, False, ""
        self._restore_draft()
        if waiting and not self.stage.is_over:
            self._begin(self._turn("\n\n".join(waiting)))
        self.stage.refresh()

    def _abandon(self) -> None:
        # What was queued has come to the run, which goes on with it; the rest is for the person.
        self._view.leftover()
        self._draft = "\n\n".join([*filter(None, [self._draft]), *self._early])
        self._early = []
        if self._run_id is None:
            self._show([Remark("not sent", "bad")])
        elif not self._stopping:
            how = f"angelia runs follow {self._run_id}"
            self._show([Remark(f"left {self._run_id} as it is; look again with: {how}", "bad")])

    async def _turn(self, text: str) -> None:
        sent = attached(text, self._folder)
        self._show([Spoken(harmless(text)), *(Remark(f"  {note}") for note in sent.notes)])
        wanted = NewRun(sent.input, self._place.model, self._place.session_id)
        answer = await patiently(
            self._remote, "/v1/runs", wanted, secrets.token_hex(16), self._lost_or_found
        )
        started = msgspec.json.decode(answer, type=Started)
        self._place.go_to(started.session_id, started.run_id)
        await self._follow(started.run_id)

    async def _follow(self, run_id: str) -> None:
        self._run_id = run_id
        early, self._early = self._early, []
        for text in early:
            self._meanwhile(self._steer(run_id, text))
        async for data in followed(self._remote, run_id, 0, self._lost_or_found):
            event = read(data)
            if event is None:
                continue
            self._show(self._view.feed(event))
            self._model = self._view.model or self._model
            if isinstance(event, ApprovalRequestedOut):
                self._meanwhile(self._look_up(run_id))
            if isinstance(event, RunCompletedOut | RunFailedOut | RunCancelledOut):
                break
        await self._look_at_session()

    def _show(self, blocks: list[Block]) -> None:
        for block in blocks:
            if isinstance(block, Thought):
                self._thought = block
        if self._view.live().asked is None:
            self._restore_draft()
        self.stage.show(blocks)
        self.stage.refresh()

    def _lost_or_found(self, lost: bool) -> None:
        if lost != self._lost:
            self._lost = lost
            self.stage.refresh()

    # ── while a run is under way ────────────────────────────────────────────────────────────

    def _meanwhile(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._told(work))
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except _FAULTS as error:
            self._show([Remark(harmless(str(error)), "bad")])

    async def _stop(self, run_id: str) -> None:
        await self._remote.stop(run_id)

    async def _steer(self, run_id: str, text: str) -> None:
        sent = attached(text, self._folder)
        self._view.queue(text)
        self.stage.refresh()
        try:
            await self._remote.ask("POST", f"/v1/runs/{run_id}/steer", {"input": sent.input})
        except RequestError as error:
            if error.status != 409:
                raise
            # The run has ended meanwhile: what is left over begins the next turn.
            if self._run_id is None and self._working is None:
                self._begin(self._turn(text))
        except (AngeliaError, aiohttp.ClientError):
            # Nobody has heard it.
            if self._run_id == run_id:
                self._view.unqueue(text)
                self._early.append(text)

    async def _look_up(self, run_id: str) -> None:
        """What the question leaves out: what a longer yes covers, and what would be changed."""
        self._put_draft_aside()
        run = await self._server.run(run_id)
        self._details |= {one.approval_id: one for one in run.pending_approvals}
        self.stage.refresh()

    async def _answer(self, run_id: str, asked: ApprovalRequestedOut, text: str) -> None:
        choice, reason = understood(text)
        self._view.answering(asked.approval_id)
        try:
            await self._remote.consent(run_id, asked.approval_id, choice, reason)
        except _FAULTS:
            self._view.unanswered(asked.approval_id)
            raise

    def _put_draft_aside(self) -> None:
        """What was being typed is no answer to a question that comes in the middle of it."""
        if self.stage.buffer.text and not self._draft:
            self._draft = self.stage.buffer.text
            self.stage.buffer.reset()

    def _restore_draft(self) -> None:
        if self._draft and not self.stage.buffer.text:
            self.stage.buffer.insert_text(self._draft)
            self._draft = ""

    # ── commands and sessions ───────────────────────────────────────────────────────────────

    async def _obey(self, line: str) -> None:
        before = self._place.session_id
        obeyed = await self._commands.obey(line)
        if obeyed.leave:
            self.stage.leave(Exit.COMPLETED)
            return
        if obeyed.clear:
            self.stage.clear()
        self._show([Spoken(harmless(line)), *([Prose(obeyed.text)] if obeyed.text else [])])
        if self._place.session_id != before:
            await self._move(self._place.session_id, show=obeyed.show_session)

    async def _move(self, session_id: str | None, *, show: bool) -> None:
        if self._working is not None:
            self._working.cancel()
            await asyncio.gather(self._working, return_exceptions=True)
        self._title, self._spent = "", (0, 0.0)
        if session_id is not None and show:
            self._begin(self._catch_up(session_id, None))
        else:
            await self._look_at_session()

    async def _catch_up(self, session_id: str, prompt: str | None) -> None:
        """Shows what was said in the session; what is under way there is followed."""
        past: Past = await past_of(self._server, session_id)
        self._show(list(past.blocks))
        self._spent = (past.tokens, past.cost)
        await self._look_at_session()
        if past.under_way is not None:
            await self._follow(past.under_way)
        if prompt:
            self._view = View()
            await self._turn(prompt)

    async def _look_at_session(self) -> None:
        if self._place.session_id is not None:
            self._title = (await self._server.session(self._place.session_id)).title
            self.stage.refresh()


def _short(title: str) -> str:
    return title if len(title) <= _TITLE else f"{title[: _TITLE - 1]}…"
