"""What every client is asked, and the shape in which each says what it saw."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

# Clients run in environments of their own, which have nothing but the client.
if TYPE_CHECKING:
    from tests.support.server import AngeliaServer

Api = Literal["chat", "responses"]
Way = Literal["chunks", "gathered", "whole"]
APIS: tuple[Api, ...] = ("chat", "responses")
WAYS: tuple[Way, ...] = ("chunks", "gathered", "whole")
STREAMED = WAYS[:2]
# How a server's tools may be shown, per API.
DIALECTS: dict[Api, tuple[str, ...]] = {
    "chat": ("named", "carrier", "openwebui", "off"),
    "responses": ("pair", "mcp", "off"),
}
HEADERS: dict[Api, str] = {"chat": "X-Angelia-Tool-Events", "responses": "X-Angelia-Tool-Items"}

RICH = "think, `echo one`, `sleep 0.3; echo two` and fail"
WEATHER = 'call weather {"city":"Athens"} and `echo hello`'
SHORT = "`echo hi` and fail"
# 20 s of silence with a comment every 15 s, made shorter: several comments fall into this one.
SILENT = "sleep 1.5"
KEEP_ALIVE = 0.2
# Many lines, and one line longer than any client's read buffer: over 200 KiB each.
FLOOD = r"`seq 1 40000` and `head -c 204800 /dev/zero | tr '\0' x`"
# A first word that comes late finds the stream open, so the failure is one in mid-stream.
# A fault that passes would be asked again: this one is the provider's last word.
CUT = "long 20 [[fault delay_first=1 error_event=invalid_request_error after=text]]"
CUT_MESSAGE = "The server is overloaded."
STRANGER = "sk-wrong-wrong-wrong-wrong"


class Case(Struct, frozen=True):
    """`chunks` and `gathered` stream: read by hand, or assembled by the package itself."""

    story: str
    prompt: str
    way: Way = "chunks"
    api: Api = "chat"
    weather: bool = False
    usage: bool = False
    dialect: str | None = None
    faulty: bool = False
    url: str = ""
    key: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {HEADERS[self.api]: self.dialect} if self.dialect else {}

    def at(self, demo: "AngeliaServer", faulty: "AngeliaServer") -> "Case":
        server = faulty if self.faulty else demo
        return structs.replace(self, url=server.url, key=self.key or server.key)


class Called(Struct, frozen=True):
    name: str
    arguments: str


class Tokens(Struct, frozen=True):
    input: int
    output: int


class Progress(Struct, frozen=True):
    dialect: str
    tool: str
    id: str
    status: str


class Trouble(Struct, frozen=True):
    name: str
    message: str
    status: int | None
    code: str | None


class Seen(Struct):
    """`calls` is what the client was asked to execute, `runs` which run gave each answer.

    `progress` and `comments` are what came over the socket; `shown` is the progress that the
    package hands on to its user.
    """

    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    calls: list[Called] = []
    usages: list[Tokens] = []
    runs: list[str | None] = []
    progress: list[Progress] = []
    shown: list[Progress] = []
    comments: int = 0
    error: Trouble | None = None


def of_api(api: Api) -> Iterator[Case]:
    for way in WAYS:
        yield Case("rich", RICH, way, api, usage=True)
        yield Case("weather", WEATHER, way, api, weather=True, usage=True)
        yield Case("flood", FLOOD, way, api)
        yield Case("cut", CUT, way, api, usage=True, faulty=True)
        yield Case("stranger", SHORT, way, api, key=STRANGER)
    for word in DIALECTS[api]:
        yield Case("silent", SILENT, "chunks", api, dialect=word, faulty=True)
        for way in STREAMED:
            yield Case("short", SHORT, way, api, dialect=word)


def name_of(case: Case) -> str:
    return " ".join(filter(None, (case.api, case.story, case.dialect, case.way)))


CASES = {name_of(case): case for api in APIS for case in of_api(api)}
