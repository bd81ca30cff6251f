"""Where a model is, and all that differs between the protocols it may speak."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Literal, Protocol
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from angelia.core.events import Delta
from angelia.core.messages import Prompt, Reply
from angelia.core.providers.patience import Timeouts
from angelia.wire import sse
from angelia.wire.anthropic import client as anthropic
from angelia.wire.chat import client as chat
from angelia.wire.responses import client as responses
from angelia.wire.written.manner import Manner, ThinkTags

ProtocolName = Literal["chat", "responses", "anthropic"]
Quirks = chat.Quirks | responses.Quirks | anthropic.Quirks

_VERSION = re.compile(r"/v\d+\w*$")
_NEAR = (".localhost", ".local", ".lan", ".home.arpa", ".internal")
_SECRET = re.compile(r"key|token|secret|auth|cookie|pass|cred|sign|^sig$", re.IGNORECASE)


class Endpoint(Struct, frozen=True, dict=True):
    """`timeouts` are what is set; the rest is what suits the place, the model and the prompt.

    `reasoning` is a model that thinks before it speaks. `stream` is False for a server that
    cannot stream; one that says so is believed anyway.
    """

    base_url: str
    model: str
    protocol: ProtocolName = "chat"
    key: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    timeouts: Timeouts = Timeouts()
    stream: bool = True
    reasoning: bool = False
    think_tags: ThinkTags = "auto"
    text_calls: bool = False
    images: bool = True
    quirks: Quirks | None = None

    @cached_property
    def host(self) -> str:
        """What people may see of the address."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname or '?'}:{parts.port}" if parts.port else parts.hostname or "?"

    @cached_property
    def mint(self) -> str:
        """Whose seals are read here. Clients see them, and do not learn from it where that is."""
        return sha256(self.host.encode()).hexdigest()[:12]

    @cached_property
    def url(self) -> str:
        """Where requests go: the version may be left out of the base, or the whole path be in."""
        path = PROTOCOLS[self.protocol].path
        parts = urlsplit(self.base_url.strip())
        start = parts.path.rstrip("/")
        if not start.endswith(path):
            needs_version = self.protocol == "anthropic" or not start
            version = "/v1" if needs_version and not _VERSION.search(start) else ""
            start = f"{start}{version}{path}"
        return urlunsplit(parts._replace(path=start))

    @cached_property
    def uncounted(self) -> "Endpoint":
        """The same, without a wish to be told the usage of a stream."""
        if self.protocol != "chat":
            return self
        known = self.quirks if isinstance(self.quirks, chat.Quirks) else chat.Quirks()
        return replace(self, quirks=replace(known, include_usage=False))

    def manner(self, prompt: Prompt) -> Manner:
        """How the answer to this is written."""
        return Manner(self.think_tags, self.text_calls, prompt.tools)

    @cached_property
    def local(self) -> bool:
        """Whether it is on this machine or its network: what runs there is loaded when asked."""
        return _is_near((urlsplit(self.base_url).hostname or "").rstrip("."))

    @cached_property
    def all_headers(self) -> dict[str, str]:
        spoken = PROTOCOLS[self.protocol]
        return {
            "Content-Type": "application/json",
            "Accept": "text/event-stream, application/json",
            # A compressed stream is held back until a block of it is full.
            "Accept-Encoding": "identity",
            "User-Agent": "angelia",
            **spoken.headers,
            **(spoken.authorize(self.key.strip()) if self.key else {}),
            **self.headers,
        }

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be seen outside. Some repeat a token without the word before it."""
        given = (*self.headers.items(), *parse_qsl(urlsplit(self.base_url).query))
        named = [value for name, value in given if _SECRET.search(name)]
        tokens = [value.split()[-1] for value in named if value.strip()]
        return (*dict.fromkeys((*named, *tokens)), *((self.key.strip(),) if self.key else ()))


def _is_near(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_NEAR))


# ── protocols ───────────────────────────────────────────────────────────────────────────────


class Reader(Protocol):
    """A stream of one answer, as each protocol reads it."""

    done: bool

    @property
    def sifted(self) -> int: ...
    def feed(self, event: sse.Event) -> list[Delta]: ...
    def finish(self) -> Reply: ...


class Spoken(Struct, frozen=True):
    """All that the adapter must know of a protocol."""

    path: str
    authorize: Callable[[str], dict[str, str]]
    request: Callable[[Prompt, Endpoint, bool], bytes]
    quirks: type[Quirks]
    reader: Callable[[Manner], Reader]
    whole: Callable[[bytes, Manner], tuple[list[Delta], Reply]]
    headers: dict[str, str] = field(default_factory=dict)


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _api_key(key: str) -> dict[str, str]:
    return {"x-api-key": key}


def _chat_request(prompt: Prompt, to: Endpoint, stream: bool) -> bytes:
    quirks = to.quirks if isinstance(to.quirks, chat.Quirks) else chat.Quirks()
    return chat.request(prompt, model=to.model, stream=stream, quirks=quirks)


def _responses_request(prompt: Prompt, to: Endpoint, stream: bool) -> bytes:
    quirks = to.quirks if isinstance(to.quirks, responses.Quirks) else responses.Quirks()
    return responses.request(prompt, model=to.model, stream=stream, quirks=quirks)


def _anthropic_request(prompt: Prompt, to: Endpoint, stream: bool) -> bytes:
    quirks = to.quirks if isinstance(to.quirks, anthropic.Quirks) else anthropic.Quirks()
    return anthropic.request(prompt, model=to.model, stream=stream, quirks=quirks)


PROTOCOLS: dict[ProtocolName, Spoken] = {
    "chat": Spoken(
        "/chat/completions", _bearer, _chat_request, chat.Quirks, chat.Reader, chat.whole
    ),
    "responses": Spoken(
        "/responses",
        _bearer,
        _responses_request,
        responses.Quirks,
        responses.Reader,
        responses.whole,
    ),
    "anthropic": Spoken(
        "/messages",
        _api_key,
        _anthropic_request,
        anthropic.Quirks,
        anthropic.Reader,
        anthropic.whole,
        headers={"anthropic-version": "2023-06-01"},
    ),
}


def quirks(protocol: ProtocolName, given: Mapping[str, object]) -> Quirks:
    """Those of a protocol by name; what is not given is as usual."""
    return msgspec.convert(given, PROTOCOLS[protocol].quirks)
