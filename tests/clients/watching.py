"""What comes over the socket to a client, noted on its way: runs, comments, progress of tools."""

from collections.abc import AsyncIterator, Mapping
from types import ModuleType
from typing import Any

import msgspec

from tests.clients.cases import Progress, Seen

OWN_TOOL = "weather"
SECONDS = 60


def watched(seen: Seen, http: ModuleType) -> Any:
    """A client of httpx or of httpx2; nothing of what it carries is changed."""

    class Watched(http.AsyncHTTPTransport):
        async def handle_async_request(self, request: Any) -> Any:
            answer = await super().handle_async_request(request)
            seen.runs.append(answer.headers.get("x-angelia-run-id"))
            if answer.headers["content-type"].startswith("text/event-stream"):
                answer.stream = Tapped(answer.stream)
            return answer

    class Tapped(http.AsyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            rest = b""
            async for piece in self._stream:
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    note(line, seen)
                yield piece

        async def aclose(self) -> None:
            await self._stream.aclose()

    return http.AsyncClient(transport=Watched(), timeout=SECONDS)


def note(line: bytes, seen: Seen) -> None:
    """One line of a stream; each event of ours has its data on one line."""
    if line.startswith(b":"):
        seen.comments += 1
    elif line.startswith(b"data: {"):
        seen.progress += progress(msgspec.json.decode(line.removeprefix(b"data: ")))


def progress(event: Mapping[str, Any] | None) -> list[Progress]:
    """The progress of a server's tool in an event of either API, in whichever dialect."""
    event = event or {}
    if event.get("type") in ("response.output_item.added", "response.output_item.done"):
        return of_item(event["item"], event["type"].rpartition(".")[2])
    carried = event.get("hermes.tool.progress")
    payload = carried or event
    if "toolCallId" not in payload:
        return []
    dialect = "openwebui" if "event" in event else "carrier" if carried else "named"
    return [Progress(dialect, payload["tool"], payload["toolCallId"], payload["status"])]


def of_item(item: Mapping[str, Any], moment: str) -> list[Progress]:
    match item["type"], moment:
        case "mcp_call", "added":
            return [Progress("mcp", item["name"], item["id"], "running")]
        case "mcp_call", "done":
            return [Progress("mcp", item["name"], item["id"], "completed")]
        case "function_call", "added" if item["name"] != OWN_TOOL:
            return [Progress("pair", item["name"], item["call_id"], "running")]
        # A frontend closes a card when its output begins.
        case "function_call_output", "added":
            return [Progress("pair", "", item["call_id"], "completed")]
        case _:
            return []
