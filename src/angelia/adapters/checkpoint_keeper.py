"""How checkpoints are made, compared and brought back, whatever the workspace is."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from msgspec import Struct

from angelia.adapters.checkpoint_states import ABSENT, Found, Scan, State, Step
from angelia.adapters.checkpoint_vault import CheckpointVault
from angelia.adapters.sqlite.faults import is_full
from angelia.core.diffs import unified
from angelia.errors import DiskFull, StorageError, ToolError
from angelia.ports.checkpoints import (
    Change,
    ChangeKind,
    Changes,
    Edit,
    LeftAlone,
    Standing,
    Undone,
)

MAX_DIFF = 100_000
# Between two attempts to keep something on a disk that is full.
PAUSE = 0.5

T = TypeVar("T")


class Tree(Protocol):
    """A workspace as checkpoints see it. Places have no links on their way."""

    def place(self, path: str) -> str: ...

    def look(self, place: str) -> Found: ...

    def put(self, place: str, wanted: Found) -> None:
        """Raises OSError where that is not possible, such as for a folder that is not empty."""
        ...

    def scan(self, vault: CheckpointVault) -> Scan:
        """Keeps what is new in the vault, which is being written."""
        ...


class CheckpointKeeper:
    def __init__(self, tree: Tree, vault: CheckpointVault) -> None:
        self._tree = tree
        self._vault = vault
        # Work goes on in its thread when whoever waits for it is cancelled.
        self._lock = threading.Lock()
        # Whoever has to wait takes no thread from others.
        self._queue = asyncio.Lock()
        self._under_way: dict[str, int] = {}

    async def close(self) -> None:
        await self._apart(self._vault.close)

    async def before_edits(self, run_id: str, call_id: str, edits: Sequence[Edit]) -> None:
        await self._patiently(lambda: self._before_edits(run_id, call_id, edits))

    async def announced(self, run_id: str, call_id: str) -> tuple[Edit, ...]:
        return await self._apart(lambda: self._announced(run_id, call_id))

    async def before_command(self, run_id: str) -> None:
        await self._patiently(lambda: self._before_command(run_id))

    async def after_command(self, run_id: str) -> None:
        await self._patiently(lambda: self._after_command(run_id))

    async def changes(self, run_id: str) -> Changes:
        return await self._apart(lambda: self._changes(run_id))

    async def undo(
        self, run_id: str, *, force: bool = False, redo: bool = False, dry_run: bool = False
    ) -> Undone:
        plan = self._redoing if redo else self._undoing
        return await self._apart(lambda: self._carry_out(run_id, plan(run_id), force, dry_run))

    async def delete(self, run_id: str) -> None:
        await self._apart(lambda: self._delete(run_id))

    async def _patiently(self, work: Callable[[], None]) -> None:
        """As `_apart`; a run under way waits for a disk that is full, unless it is cut short."""
        while True:
            try:
                return await self._apart(work)
            except DiskFull:
                if (task := asyncio.current_task()) is not None and task.cancelling():
                    raise
                await asyncio.sleep(PAUSE)

    async def _apart(self, work: Callable[[], T]) -> T:
        def alone() -> T:
            with self._lock:
                return work()

        async with self._queue:
            try:
                return await asyncio.to_thread(alone)
            except sqlite3.Error as error:
                if (folder := self._vault.folder) and is_full(error, folder):
                    raise DiskFull("The disk that holds the checkpoints is full.") from error
                raise StorageError(f"The checkpoints cannot be used: {error}.") from error

    # ── keeping ─────────────────────────────────────────────────────────────────────────

    def _before_edits(self, run_id: str, call_id: str, edits: Sequence[Edit]) -> None:
        with self._vault.writing():
            steps: list[Step] = []
            for edit in edits:
                place = self._tree.place(edit.path)
                steps += self._folders_for(place, call_id)
                steps.append(Step(place, self._kept(place), self._intended(edit), call_id))
            self._vault.add(run_id, steps)
            lost = [s.place for s in steps if not s.before.kept]
            self._vault.note(run_id, [f"{place} was too large to be kept." for place in lost])

    def _folders_for(self, place: str, call_id: str) -> list[Step]:
        """Those that will be made on the way."""
        parts = place.split("/")[:-1]
        above = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        folder = State("folder")
        return [
            Step(each, ABSENT, folder, call_id)
            for each in above
            if self._tree.look(each).state.kind == "absent"
        ]

    def _kept(self, place: str) -> State:
        found = self._tree.look(place)
        if found.state.kept and found.state.kind in ("file", "link"):
            self._vault.keep(found.data)
        return found.state

    def _intended(self, edit: Edit) -> State:
        return ABSENT if edit.data is None else State("file", self._vault.keep(edit.data))

    def _announced(self, run_id: str, call_id: str) -> tuple[Edit, ...]:
        known: dict[str, Edit] = {}
        for step in self._vault.steps(run_id):
            if step.call_id == call_id and step.after and step.after.kind != "folder":
                data = self._vault.load(step.after.digest) if step.after.digest else None
                known[step.place] = Edit(step.place, data)
        return tuple(known.values())

    def _before_command(self, run_id: str) -> None:
        with self._vault.writing():
            scan = self._tree.scan(self._vault)
            self._record(run_id, scan)
            self._vault.open(run_id, scan)
        self._under_way[run_id] = self._under_way.get(run_id, 0) + 1

    def _after_command(self, run_id: str) -> None:
        if self._vault.opened(run_id) is None:
            return
        others = self._under_way.get(run_id, 1) - 1
        with self._vault.writing():
            scan = self._tree.scan(self._vault)
            self._record(run_id, scan)
            if others:
                self._vault.open(run_id, scan)
            else:
                self._vault.shut(run_id)
                self._vault.prune()
        if others:
            self._under_way[run_id] = others
        else:
            self._under_way.pop(run_id, None)

    def _record(self, run_id: str, scan: Scan) -> None:
        """What differs since the last look while a command of the run was under way."""
        self._vault.note(run_id, scan.notes)
        before = self._vault.opened(run_id)
        if before is None:
            return
        steps = self._differences(before, scan)
        if run_id not in self._under_way:
            # The process in which that command ran has died; since then anybody may have been here.
            steps = [Step(step.place, step.before, None) for step in steps]
        self._vault.add(run_id, steps)

    def _differences(self, before: Scan, after: Scan) -> list[Step]:
        steps: list[Step] = []
        for place in sorted(before.states.keys() | after.states.keys()):
            was, now = before.states.get(place, ABSENT), after.states.get(place, ABSENT)
            # Where not all was looked at, what is new to us may have been there all the time.
            unsure = place not in before.states and not before.complete
            if place not in after.states and not after.complete:
                unsure = self._tree.look(place).state.kind != "absent"
            if not unsure and not was.is_now(now):
                steps.append(Step(place, was, now))
        return steps

    def _delete(self, run_id: str) -> None:
        self._under_way.pop(run_id, None)
        with self._vault.writing():
            self._vault.delete(run_id)
        self._vault.shrink()

    # ── looking ─────────────────────────────────────────────────────────────────────────

    def _spans(self, run_id: str) -> dict[str, tuple[State, list[State | None]]]:
        """By place: what was there before the run, and all that it has left there."""
        spans: dict[str, tuple[State, list[State | None]]] = {}
        for step in self._vault.steps(run_id):
            spans.setdefault(step.place, (step.before, []))[1].append(step.after)
        for step in self._cut_off(run_id):
            spans.setdefault(step.place, (step.before, []))[1].append(None)
        return spans

    def _cut_off(self, run_id: str) -> list[Step]:
        """What differs since a command whose end nobody saw."""
        before = self._vault.opened(run_id)
        if before is None:
            return []
        with self._vault.writing():
            return self._differences(before, self._tree.scan(self._vault))

    def _changes(self, run_id: str) -> Changes:
        files: list[Change] = []
        for place, (before, afters) in sorted(self._spans(run_id).items()):
            now = self._tree.look(place)
            after = afters[-1] or now.state
            if before.is_now(after) or "folder" in (before.kind, after.kind):
                continue
            standing = _standing(before, afters, now.state)
            files.append(self._change(place, before, after, standing, now))
        return Changes(tuple(files), self._vault.notes(run_id))

    def _change(
        self, place: str, before: State, after: State, standing: Standing, now: Found
    ) -> Change:
        old = self._text(before)
        new = self._text(after)
        if new is None and after.kind == "file" and after == now.state:
            new = _readable(now.data)
        unread = (before.kind == "file" and old is None) or (after.kind == "file" and new is None)
        diff = "" if unread or "link" in (before.kind, after.kind) else unified(place, old, new)
        note = "binary, or too large to show" if unread or len(diff) > MAX_DIFF else ""
        shown = "" if len(diff) > MAX_DIFF else diff
        return Change(place, _kind(before, after), standing, shown, note)

    def _text(self, state: State) -> str | None:
        data = self._vault.load(state.digest) if state.kind == "file" and state.kept else None
        return None if data is None else _readable(data)

    # ── bringing back ───────────────────────────────────────────────────────────────────

    def _undoing(self, run_id: str) -> list["Intent"]:
        return [
            Intent(place, before, tuple(after for after in afters if after is not None))
            for place, (before, afters) in self._spans(run_id).items()
        ]

    def _redoing(self, run_id: str) -> list["Intent"]:
        taken = self._vault.taken(run_id).items()
        return [Intent(place, state, (left,), again=True) for place, (left, state) in taken]

    def _carry_out(
        self, run_id: str, intents: Sequence["Intent"], force: bool, dry_run: bool
    ) -> Undone:
        sure: list[Intent] = []
        conflicts: list[LeftAlone] = []
        for intent in _in_order(intents):
            now = self._tree.look(intent.place).state
            if intent.wanted.is_now(now):
                continue
            reason = self._objection(intent, now, force=force)
            if reason:
                conflicts.append(LeftAlone(intent.place, reason))
            else:
                sure.append(intent)
        if not dry_run:
            failed = self._perform(run_id, sure)
            conflicts += failed
            sure = [each for each in sure if each.place not in {one.path for one in failed}]
        gone = tuple(s.place for s in sure if s.wanted.kind == "absent" and not s.of_folder)
        back = tuple(s.place for s in sure if s.wanted.kind not in ("absent", "folder"))
        return Undone(back, gone, tuple(conflicts), self._vault.notes(run_id))

    def _objection(self, intent: "Intent", now: State, *, force: bool) -> str:
        if not intent.wanted.kept:
            return "what was there was too large to be kept"
        if force or any(left.is_now(now) for left in intent.left):
            return ""
        if not intent.left:
            return "the server stopped while a command ran; nobody saw who changed it"
        return "somebody has changed it since"

    def _perform(self, run_id: str, sure: Sequence["Intent"]) -> list[LeftAlone]:
        """What is there is kept before anything is put in its place."""
        with self._vault.writing():
            for intent in sure:
                if not intent.again:
                    self._vault.take(run_id, intent.place, intent.wanted, self._kept(intent.place))
        failed: list[LeftAlone] = []
        for intent in sure:
            try:
                self._tree.put(intent.place, self._found(intent.wanted))
            except (OSError, ToolError) as error:
                said = error.strerror if isinstance(error, OSError) else str(error)
                failed.append(LeftAlone(intent.place, (said or str(error)).lower()))
                continue
            if intent.again:
                with self._vault.writing():
                    self._vault.give(run_id, intent.place)
        return failed

    def _found(self, state: State) -> Found:
        if state.kind not in ("file", "link"):
            return Found(state)
        data = self._vault.load(state.digest)
        if data is None:
            raise ToolError("its content is not there any more")
        return Found(state, data)


class Intent(Struct, frozen=True):
    """A place and what is wanted there, if one of `left` is there now."""

    place: str
    wanted: State
    left: tuple[State, ...]
    again: bool = False

    @property
    def of_folder(self) -> bool:
        return any(each.kind == "folder" for each in (self.wanted, *self.left))


def _in_order(intents: Sequence[Intent]) -> list[Intent]:
    """What goes, goes from the bottom up; what comes, comes from the top down."""
    going = [each for each in intents if each.wanted.kind == "absent"]
    coming = [each for each in intents if each.wanted.kind != "absent"]
    return [
        *sorted(going, key=lambda each: each.place, reverse=True),
        *sorted(coming, key=lambda each: each.place),
    ]


def _kind(before: State, after: State) -> ChangeKind:
    if after.kind == "absent":
        return "deleted"
    return "created" if before.kind == "absent" else "changed"


def _standing(before: State, afters: Sequence[State | None], now: State) -> Standing:
    if before.is_now(now):
        return "undone"
    return "there" if any(each and each.is_now(now) for each in afters) else "conflict"


def _readable(data: bytes) -> str | None:
    if b"\0" in data[:8192] or len(data) > 10 * MAX_DIFF:
        return None
    return data.decode(errors="replace")
