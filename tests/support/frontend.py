"""A frontend on chat completions: it keeps and resends what its reader sees."""

from typing import Any

from tests.support.http import Client
from tests.support.scripted import Message

CHAT = "/v1/chat/completions"


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
