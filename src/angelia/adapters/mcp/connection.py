"""One MCP server over time: connected when first needed, kept open, started again when it dies."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar, cast

from angelia.adapters.mcp.listing import NOTHING_LISTED, Listing
from angelia.adapters.mcp.listing_files import ListingFiles
from angelia.config import McpSettings
from angelia.core.excerpt import excerpt
from angelia.core.redact import Redactor
from angelia.errors import AngeliaError, ToolError
from angelia.ports import Clock
from angelia.ports.mcp import McpHealth

if TYPE_CHECKING:
    from angelia.adapters.mcp.link import Link
    from angelia.adapters.mcp.process import Complaints

# How long the first run waits for servers that nothing is known of, and a call for one that is
# on its way.
FIRST_WAIT = 5.0
CALL_WAIT = 15.0
# A connection that has lasted this long was a good one: the next one is tried at once.
STEADY_SECONDS = 30.0
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 60.0
_LONGEST_REASON = 500

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Connection:
    def __init__(
        self, server: McpSettings, files: ListingFiles, clock: Clock, redact: Redactor
    ) -> None:
        self.server = server
        self.listing: Listing = NOTHING_LISTED
        self.health: McpHealth = "idle"
        self.detail = ""
        self._files = files
        self._clock = clock
        self._redact = redact
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()
        # Set while it is known whether the server works: connected, or failed at least once.
        self._known = asyncio.Event()
        self._moved = asyncio.Event()
        self._failures = 0
        self._next_try = 0.0

    async def prepare(self) -> None:
        """Begins to connect if nobody has, and waits until something is known, or not for long."""
        if self._stopping.is_set():
            return
        if self._task is None:
            self._task = asyncio.create_task(self._live(), name=f"mcp {self.server.name}")
        if not self._known.is_set():
            waiting = asyncio.create_task(self._known.wait())
            await asyncio.wait((waiting,), timeout=FIRST_WAIT)
            waiting.cancel()
            # Who comes later does not wait for it again.
            self._known.set()

    async def tried(self, seconds: float) -> None:
        """Waits until the server has been reached or has not, whatever was known of it before."""
        await self.prepare()
        until = self._clock.monotonic() + seconds
        while self.health in ("idle", "connecting") and self._clock.monotonic() < until:
            await self._move(until - self._clock.monotonic())

    async def ask(
        self, question: "Callable[[Link], Awaitable[T]]", *, repeatable: bool = False
    ) -> T:
        """Asks the server; once more where it went away without having heard the question.

        What is `repeatable` is asked once more even if it may have been heard. Raises ToolError for
        a server that cannot be reached, and LinkLost for one that went away in the middle.
        """
        for attempt in range(2):
            link = await self._connected()
            try:
                return await question(link)
            except AngeliaError as error:
                self._forget(link)
                again = getattr(error, "unheard", False) or (repeatable and link.ended.is_set())
                if attempt or not again:
                    raise
        raise self._trouble()

    async def close(self) -> None:
        self._stopping.set()
        self._moved.set()
        if self._task is not None:
            await asyncio.wait((self._task,))

        self.health = "idle"
        self.detail = ""

    async def reopen(self) -> None:
        """Lets go of the server and begins anew, as if nothing had ever gone wrong with it."""
        await self.close()
        self._stopping = asyncio.Event()
        self._known = asyncio.Event()
        self._task = None
        self._failures = 0
        self._next_try = 0.0

    def lost(self) -> ToolError:
        """For a call whose server went away under way."""
        return ToolError(
            f"The MCP server {self.server.name!r} went away during this call, which may or may "
            "not have taken effect. It is being started again; find out before you repeat it."
        )

    def _forget(self, link: "Link") -> None:
        """A link that has ended is nobody's, even before its task has seen it."""
        if link.ended.is_set() and self._link is link:
            self._link = None
            self.health = "connecting"

    async def _connected(self) -> "Link":
        await self.prepare()
        until = self._clock.monotonic() + CALL_WAIT
        while self._link is None or self._link.ended.is_set():
            left = until - self._clock.monotonic()
            resting = self.health == "failing" and self._next_try > until
            if left <= 0 or resting or self._stopping.is_set():
                raise self._trouble()
            await self._move(left)
        return self._link

    async def _move(self, seconds: float) -> None:
        self._moved.clear()
        moving = asyncio.create_task(self._moved.wait())
        try:
            await asyncio.wait((moving,), timeout=seconds)
        finally:
            moving.cancel()

    def _trouble(self) -> ToolError:
        if self._stopping.is_set():
            return ToolError(f"The MCP server {self.server.name!r} is switched off.")
        said = f"The MCP server {self.server.name!r} cannot be reached"
        if self.detail:
            said += f": {self.detail}"
        elif self.health == "connecting":
            said += ": it has not finished starting"
        if self.health == "failing":
            seconds = max(0.0, self._next_try - self._clock.monotonic())
            said += f"\nIt is tried again in {seconds:.0f} s, whatever you do."
        return ToolError(f"{said}\nGo on without it, or try again later.")

    # ── the task ────────────────────────────────────────────────────────────────────────────

    async def _live(self) -> None:
        if (kept := await self._files.get(self.server)) is not None:
            self.listing = kept
            self._known.set()
        while not self._stopping.is_set():
            begun = self._clock.monotonic()
            await self._attempt()
            lasted = self._clock.monotonic() - begun
            self._failures = 0 if lasted > STEADY_SECONDS else self._failures + 1
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(self._failures - 1, 20))
            self._next_try = self._clock.monotonic() + pause
            self._settle("failing")
            await self._rest(pause)

    async def _attempt(self) -> None:
        self._settle("connecting")
        try:
            # Half a second and more of imports must not hold up anybody's stream.
            hold, complaints = await asyncio.to_thread(_sdk, self.server.name)
            try:
                await hold(self.server, self._up, self._stopping, complaints)
                self._note("it went away", complaints.last)
            except Exception as error:  # noqa: BLE001 -- servers of others fail in any way
                self._note(_words(error), complaints.last)
        finally:
            self._link = None

    async def _up(self, link: "Link") -> None:
        listing = await link.listing()
        await self._files.put(self.server, listing)
        self.listing = listing
        self._link = link
        self.detail = ""
        self._settle("connected")

    def _settle(self, health: McpHealth) -> None:
        self.health = health
        if health != "connecting":
            self._known.set()
        self._moved.set()

    def _note(self, reason: str, complaints: str) -> None:
        if self._stopping.is_set():
            return
        whole = self._redact(f"{reason}\n{complaints}".strip())
        detail = excerpt(whole, _LONGEST_REASON, "more in the log at debug").text
        # The same trouble again and again is one piece of news.
        level = logging.WARNING if detail != self.detail else logging.DEBUG
        _log.log(level, "MCP server %s: %s", self.server.name, detail)
        self.detail = detail

    async def _rest(self, seconds: float) -> None:
        stopped = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait((stopped,), timeout=seconds)
        finally:
            stopped.cancel()


Hold = Callable[
    [McpSettings, "Callable[[Link], Awaitable[None]]", asyncio.Event, "Complaints"], Awaitable[None]
]


def _sdk(name: str) -> "tuple[Hold, Complaints]":
    from angelia.adapters.mcp.link import hold
    from angelia.adapters.mcp.process import Complaints

    return hold, Complaints(name)


def _words(error: BaseException) -> str:
    """Scopes wrap what went wrong; what is inside is what people want to know."""
    inner = error
    while isinstance(inner, BaseExceptionGroup):
        inner = cast("BaseExceptionGroup[BaseException]", inner).exceptions[0]
    return str(inner) or type(inner).__name__
