"""One call of a tool: what watchers see of it while it goes on holds no secret."""

from collections.abc import Sequence

import pytest

from angelia.adapters.memory.clock import ManualClock
from angelia.adapters.memory.outputs import MemoryOutputs
from angelia.core.events import Delta, OutputDelta, ToolFinished
from angelia.core.messages import ToolCall, ToolSpec
from angelia.core.policy import NOTHING, Touched
from angelia.core.redact import MASK, Redactor
from angelia.errors import StorageError, ToolError
from angelia.ports import Caller, Stream, ToolContext, ToolOutput
from angelia.runtime.toolbox import NOT_KEPT, OUTPUT_LIMIT, CallContext, Toolbox

SECRET = "Tr0mb|one of the~9th"
CALL = ToolCall("c1", "prints", f'{{"word": "{SECRET}"}}')


class Prints:
    """A tool that shows pieces and comes to their sum, or to an error."""

    spec = ToolSpec("prints")
    emoji = "🖨"
    toolset = "printers"

    def __init__(self, *pieces: str | tuple[str, Stream], error: Exception | None = None) -> None:
        self._pieces = pieces
        self._error = error

    def label(self, arguments: str) -> str:
        return arguments

    def touched(self, arguments: str) -> Touched:
        return NOTHING

    def lane(self, arguments: str) -> str | None:
        return None

    async def call(self, arguments: str, context: ToolContext) -> ToolOutput:
        said = ""
        for piece in self._pieces:
            text, stream = (piece, "stdout") if isinstance(piece, str) else piece
            await context.show(text, stream)
            said += text
        if self._error:
            raise self._error
        return ToolOutput(said)


async def watched(tool: Prints) -> tuple[list[OutputDelta], ToolFinished]:
    seen: list[Delta] = []

    async def offer(deltas: Sequence[Delta]) -> None:
        seen.extend(deltas)

    box = Toolbox([tool], MemoryOutputs(), ManualClock(), Redactor(SECRET))
    finished = await box.work(CALL, CallContext("run_1", "c1", Caller("key_1"), offer))
    return [delta for delta in seen if isinstance(delta, OutputDelta)], finished


def joined(deltas: list[OutputDelta]) -> str:
    return "".join(delta.text for delta in deltas)


@pytest.mark.parametrize(
    "pieces",
    [
        ("sk-ab", "cdefghijklmnop1234"),
        ("key sk-", "abcdefghijklmnop", "1234 is secret\n"),
        ("Bearer ", "abcdefghijklmnop", "1234\n"),
        (f"{SECRET[:4]}", f"{SECRET[4:]}\n"),
        (f"x {SECRET[:12]}", f"{SECRET[12:]}"),
        tuple(f"é {SECRET} and sk-abcdefghijklmnop1234"),
    ],
)
async def test_a_secret_that_comes_in_pieces_is_shown_in_none(pieces: tuple[str, ...]) -> None:
    deltas, finished = await watched(Prints(*pieces))
    text = joined(deltas)
    assert text == finished.output
    assert MASK in text
    assert not any(part in text for part in ("sk-", "mnop", "1234", "Tr0mb", "9th"))


async def test_offsets_count_the_bytes_that_were_shown() -> None:
    deltas, _ = await watched(Prints("é sk-abcdefghijklmnop1234 ", "ünd ", "so", " on"))
    for place, delta in enumerate(deltas):
        assert delta.offset == len(joined(deltas[:place]).encode())
    assert joined(deltas) == f"é {MASK} ünd so on"


async def test_whole_words_are_shown_at_once_and_the_rest_at_the_end() -> None:
    deltas, _ = await watched(Prints("one two\n", "name? "))
    assert [delta.text for delta in deltas] == ["one two\n", "name? "]
    deltas, _ = await watched(Prints("one tw", error=ToolError("no")))
    assert [delta.text for delta in deltas] == ["one ", "tw"]


async def test_the_two_streams_of_a_call_do_not_mix() -> None:
    out, err = ("sk-abcdefgh", "stdout"), ("warn", "stderr")
    deltas, _ = await watched(Prints(out, err, ("ijkl1234", "stdout"), ("ing", "stderr")))
    assert [(delta.text, delta.stream) for delta in deltas] == [
        (MASK, "stdout"),
        ("warning", "stderr"),
    ]
    assert deltas[1].offset == len(MASK)


def test_the_start_of_a_call_holds_no_secret_of_the_server() -> None:
    box = Toolbox([Prints()], MemoryOutputs(), ManualClock(), Redactor(SECRET))
    assert SECRET not in repr(box.started(CALL))
    assert SECRET not in box.label(CALL)


class Coming:
    """A source whose tools come and go."""

    def __init__(self) -> None:
        self.now: list[Prints] = []

    async def tools(self) -> list[Prints]:
        return self.now


async def test_what_is_gone_is_offered_to_nobody_and_stays_known() -> None:
    source = Coming()
    box = Toolbox((), MemoryOutputs(), ManualClock(), sources=(source,))
    source.now = [Prints("hello")]
    await box.refresh()
    assert [tool.spec.name for tool in box] == ["prints"]
    source.now = []
    await box.refresh()
    assert list(box) == []
    assert box.started(CALL).emoji == "🖨"


class FullDisk(MemoryOutputs):
    async def put(self, run_id: str, call_id: str, data: bytes) -> None:
        raise StorageError("no space left")


async def test_a_result_whose_rest_cannot_be_kept_is_a_result_all_the_same() -> None:
    async def offer(events: Sequence[Delta]) -> None:
        pass

    toolbox = Toolbox([Prints("x" * OUTPUT_LIMIT, "end")], FullDisk(), ManualClock())
    finished = await toolbox.work(CALL, CallContext("run_1", "c1", Caller("key_1"), offer))
    assert (finished.outcome, finished.truncated) == ("ok", True)
    assert NOT_KEPT in finished.output
    assert finished.output.endswith("end")
