"""What every client is asked, and the shape in which each says what it saw."""

from typing import Literal

from msgspec import Struct

from tests.support.server import AngeliaServer

Way = Literal["chunks", "gathered", "whole"]
WAYS: tuple[Way, ...] = ("chunks", "gathered", "whole")
DIALECTS = ("named", "carrier", "openwebui", "off")

RICH = "think, `echo one`, `sleep 0.3; echo two` and fail"
WEATHER = 'call weather {"city":"Athens"} and `echo hello`'
SHORT = "`echo hi` and fail"
SILENT = "sleep 1.5"
# Many lines, and one line longer than any client's read buffer: over 200 KiB each.
FLOOD = r"`seq 1 40000` and `head -c 204800 /dev/zero | tr '\0' x`"
# A first word that comes late finds the stream open, so the failure is one in mid-stream.
CUT = "long 20 [[fault delay_first=1 cut=text]]"


class Case(Struct, frozen=True):
    """`chunks` and `gathered` stream: read by hand, or assembled by the package itself."""

    url: str
    key: str
    prompt: str
    way: Way = "chunks"
    weather: bool = False
    usage: bool = False
    events: str | None = None


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
    """`calls` is what the client was asked to execute, `runs` which run gave each answer."""

    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    calls: list[Called] = []
    usages: list[Tokens] = []
    runs: list[str | None] = []
    progress: list[Progress] = []
    error: Trouble | None = None


def cases(demo: AngeliaServer, faulty: AngeliaServer) -> dict[str, Case]:
    """Every case by its name."""

    def ask(prompt: str, way: Way = "chunks", server: AngeliaServer = demo, **more) -> Case:
        return Case(server.url, server.key, prompt, way, **more)

    return {
        **{f"rich {way}": ask(RICH, way, usage=True) for way in WAYS},
        **{f"weather {way}": ask(WEATHER, way, weather=True, usage=True) for way in WAYS},
        **{f"flood {way}": ask(FLOOD, way) for way in WAYS},
        **{f"{word} {way}": ask(SHORT, way, events=word) for word in DIALECTS for way in WAYS[:2]},
        **{f"silent {word}": ask(SILENT, server=faulty, events=word) for word in DIALECTS},
        **{f"cut {way}": ask(CUT, way, faulty, usage=True) for way in WAYS},
    }
