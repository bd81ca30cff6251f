"""The server that works in the home folder, asked over HTTP."""

import aiohttp
import msgspec
from msgspec import Struct

from angelia.config import Settings
from angelia.config.running import KEY_FILE, address_of
from angelia.errors import AngeliaError, RequestError
from angelia.surfaces.cli.doctor.clients.known import View
from angelia.surfaces.cli.doctor.recording import Rendered, chat_dialect, items_dialect
from angelia.wire import sse
from angelia.wire.chat import dialects as chat_dialects
from angelia.wire.responses import dialects as items_dialects

PATIENCE = 10.0
ENDED = ("completed", "failed", "cancelled")


class Answer(Struct, frozen=True):
    status: int
    body: bytes


class Listed(Struct, frozen=True):
    run_id: str
    status: str


class Page(Struct, frozen=True):
    data: tuple[Listed, ...]


class Server:
    """Its address may be asked for whether or not anybody answers there."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.url = address_of(settings)

    async def get(self, path: str, headers: dict[str, str] | None = None) -> Answer | None:
        """None if nobody answers."""
        timeout = aiohttp.ClientTimeout(total=PATIENCE)
        sent = {**self._authorization(), **(headers or {})}
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, headers=sent) as session,
                session.get(self.url + path) as answer,
            ):
                return Answer(answer.status, await answer.read())
        except (TimeoutError, aiohttp.ClientError):
            return None

    async def newest(self) -> str | None:
        """The newest run that has ended, if a server is there and has one."""
        answer = await self.get("/v1/runs?limit=100")
        if answer is None or answer.status != 200:
            return None
        page = msgspec.json.decode(answer.body, type=Page)
        return next((run.run_id for run in page.data if run.status in ENDED), None)

    async def ended(self, run_id: str) -> bool:
        """Raises RequestError if there is no such run."""
        answer = await self.get(f"/v1/runs/{run_id}")
        if answer is None or answer.status != 200:
            raise RequestError(f"The server at {self.url} has no run {run_id!r} for this key.")
        return msgspec.json.decode(answer.body, type=Listed).status in ENDED

    def _authorization(self) -> dict[str, str]:
        try:
            key = (self.settings.home / KEY_FILE).read_text().strip()
        except OSError:
            return {}
        return {"Authorization": f"Bearer {key}"}


class Served:
    """A run of that server, rendered by it for whoever asks."""

    def __init__(self, server: Server, run_id: str) -> None:
        self.title = run_id
        self._server = server
        self._path = f"/v1/runs/{run_id}/events"

    async def events(self) -> list[bytes]:
        return [event.data for event in sse.Decoder().feed(await self._read(self._path, {}))]

    async def rendered(self, view: View) -> Rendered:
        settings = self._server.settings
        if view.surface == "chat":
            header, dialect = chat_dialects.HEADER, chat_dialect(view, settings)
        else:
            header, dialect = items_dialects.HEADER, items_dialect(view, settings)
        data = await self._read(f"{self._path}?as={view.surface}", {header: dialect})
        return Rendered(data, dialect)

    async def _read(self, path: str, headers: dict[str, str]) -> bytes:
        answer = await self._server.get(path, headers)
        if answer is None or answer.status != 200:
            said = "nothing" if answer is None else f"{answer.status}"
            raise AngeliaError(f"{self._server.url}{path} answers {said}.")
        return answer.body
