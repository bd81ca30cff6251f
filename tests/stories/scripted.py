"""A server with the scripted model behind it, what that was asked, and a frontend that asks."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.support.http import Client
from tests.support.server import AngeliaServer, UpstreamProcess

CHAT = "/v1/chat/completions"
Message = dict[str, Any]
T = TypeVar("T")

# Far more than it takes; only a defect makes anybody wait so long.
PATIENCE = 20.0


class Pair:
    def __init__(self, server: AngeliaServer, upstream: UpstreamProcess) -> None:
        self.server = server
        self.upstream = upstream

    def client(self, key: str | None = None) -> Client:
        """A client with connections of its own; a restart of the server breaks those it has."""
        return Client(self.server.url, key or self.server.key)

    async def asked(self, words: str) -> list[dict[str, Any]]:
        """The requests whose last user message holds these words, in order."""
        async with Client(self.upstream.url) as model:
            seen = (await model.get("/requests")).json["requests"]
        return [request["body"] for request in seen if words in last_words(request["body"])]

    async def script(self, *steps: dict[str, Any]) -> None:
        """What the model answers to messages that hold a step's `when`."""
        async with Client(self.upstream.url) as model:
            answer = await model.post("/script", list(steps))
        assert answer.status == 200, answer.body


@contextmanager
def paired(folder: Path, settings: str = "", **env: str) -> Iterator[Pair]:
    """`settings` are those of the server's angelia.toml."""
    (folder / "upstream").mkdir(parents=True)
    upstream = UpstreamProcess(folder / "upstream")
    upstream.start()
    given = {"ANGELIA_BASE_URL": upstream.url, "ANGELIA_MODEL": "scripted", **env}
    pair = Pair(AngeliaServer(folder / "server", given), upstream)
    (pair.server.home / "angelia.toml").write_text(settings)
    try:
        pair.server.start()
        yield pair
    finally:
        pair.server.kill()
        upstream.kill()


def last_words(body: dict[str, Any]) -> str:
    """What the user said last, in whatever protocol."""
    said = [item for item in body.get("messages") or body["input"] if item.get("role") == "user"]
    texts = [text for text in map(text_of, said) if text]
    return texts[-1] if texts else ""


def text_of(message: Message) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


class Frontend:
    """Keeps and resends only what its reader sees: who said which text."""

    def __init__(self, client: Client, *, headers: dict[str, str] | None = None, **body: Any):
        self._client = client
        self._headers = headers or {}
        self._body = {"model": "angelia", **body}
        self.said: list[Message] = []
        self.run_id = self.session_id = ""

    async def say(self, text: str, *, stream: bool = True, **body: Any) -> str:
        """The answer as it was shown. One that ends with an error is kept as far as it went."""
        self.said.append(user(text))
        content = {**self._body, **body, "messages": self.said, "stream": stream}
        shown = await (self._streamed(content) if stream else self._whole(content))
        self.said.append(assistant(shown))
        return shown

    async def again(self) -> str:
        """Another answer in place of the last."""
        self.said.pop()
        return await self.say(self.said.pop()["content"])

    async def _whole(self, content: dict[str, Any]) -> str:
        answer = await self._client.send("POST", CHAT, content, self._headers)
        assert answer.status == 200, answer.body
        self._note(answer.headers)
        return answer.json["choices"][0]["message"]["content"]

    async def _streamed(self, content: dict[str, Any]) -> str:
        async with self._client.open("POST", CHAT, content, self._headers) as reader:
            assert reader.status == 200, await reader.read()
            self._note(reader.headers)
            return "".join([text async for text in visible(reader.frames())])

    def _note(self, headers: Any) -> None:
        self.run_id = headers["X-Angelia-Run-Id"]
        self.session_id = headers.get("X-Hermes-Session-Id", "")


async def visible(frames: Any) -> Any:
    """The text of a streamed completion, piece by piece."""
    async for frame in frames:
        if frame.comment is None and frame.event is None and frame.data != "[DONE]":
            for choice in frame.json.get("choices", ()):
                if text := choice["delta"].get("content"):
                    yield text


async def started(client: Client, body: dict[str, Any], **headers: str) -> str:
    """The id of a run that was started by POST /v1/runs."""
    answer = await client.post("/v1/runs", body, **headers)
    assert answer.status == 202, answer.body
    return answer.json["run_id"]


async def run_of(client: Client, run_id: str) -> dict[str, Any]:
    answer = await client.get(f"/v1/runs/{run_id}")
    assert answer.status == 200, answer.body
    return answer.json


async def ended(client: Client, run_id: str) -> dict[str, Any]:
    """The run once it has ended."""
    async for _ in client.stream(f"/v1/runs/{run_id}/events"):
        pass
    return await run_of(client, run_id)


async def reached(client: Client, run_id: str, event: str) -> dict[str, Any]:
    """The first event of that name of a run."""
    async for frame in client.stream(f"/v1/runs/{run_id}/events"):
        if frame.comment is None and frame.json["event"] == event:
            return frame.json
    raise AssertionError(f"{run_id} has ended without {event}")


async def eventually(find: Callable[[], Awaitable[T]]) -> T:
    """What `find` finds, as soon as it finds anything."""
    deadline = time.monotonic() + PATIENCE
    while not (found := await find()):
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.01)
    return found
