import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.cli.events import Ending, Event
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.render import Piece, Renderer, exit_code
from angelia.wire.runs.shapes import (
    ApprovalRequestedOut,
    ErrorOut,
    MessageCompletedOut,
    MessageDeltaOut,
    NoticeOut,
    ReasoningAvailableOut,
    ReasoningDeltaOut,
    RunCancelledOut,
    RunCompletedOut,
    RunFailedOut,
    StepResetOut,
    ToolCompletedOut,
    ToolStartedOut,
    UsageOut,
)

AT = ("run_1", 1, 1.0)
USAGE = UsageOut(0, 0, 0, 0, 0, 0)


def says(text: str) -> Event:
    return MessageDeltaOut(*AT, text)


def thinks(text: str) -> Event:
    return ReasoningDeltaOut(*AT, text)


def begins(call: str, preview: str) -> Event:
    return ToolStartedOut(*AT, call, "terminal", preview, "💻", {}, "irreversible")


def ends(call: str, outcome: str = "ok", output: str = "") -> Event:
    failed = outcome != "ok"
    return ToolCompletedOut(*AT, call, "terminal", 0.041, failed, outcome, output, False)


def completed(finish: str = "stop") -> RunCompletedOut:
    return RunCompletedOut(*AT, "", USAGE, finish, 0.0)


def failed(code: str) -> RunFailedOut:
    return RunFailedOut(*AT, ErrorOut("It did not work.", code), "", USAGE)


def cancelled() -> RunCancelledOut:
    return RunCancelledOut(*AT, "user", USAGE)


def shown(*events: Event) -> list[Piece]:
    renderer = Renderer()
    return [piece for event in events for piece in renderer.show(event)]


def out(*events: Event) -> str:
    return "".join(piece.text for piece in shown(*events) if piece.stream == "out")


def err(*events: Event) -> str:
    return "".join(piece.text for piece in shown(*events) if piece.stream == "err")


def test_the_answer_alone_is_on_stdout_and_ends_with_a_line() -> None:
    events = (thinks("Hm."), says("Hel"), says("lo"), begins("1", "ls"), ends("1"), completed())
    assert out(*events) == "Hello\n"


def test_an_answer_that_ends_its_line_itself_gets_no_second_end() -> None:
    assert out(says("Hello\n"), MessageCompletedOut(*AT, "Hello\n", "stop", None), completed()) == (
        "Hello\n"
    )


def test_texts_before_and_after_a_tool_stand_on_lines_of_their_own() -> None:
    assert out(says("Look:"), begins("1", "ls"), ends("1"), says("Done."), completed()) == (
        "Look:\nDone.\n"
    )


def test_a_tool_is_a_line_when_it_starts_and_one_when_it_ends() -> None:
    assert err(begins("1", "ls -la"), ends("1")) == "💻 ls -la …\n💻 ls -la → ok, 0.04 s\n"


def test_tools_side_by_side_are_told_apart_by_their_labels() -> None:
    lines = err(begins("1", "one"), begins("2", "two"), ends("2"), ends("1")).splitlines()
    assert lines[2:] == ["💻 two → ok, 0.04 s", "💻 one → ok, 0.04 s"]


def test_a_failed_tool_says_why() -> None:
    lines = err(begins("1", "x"), ends("1", "error", "a\nno such file\n[exit code 2]")).splitlines()
    assert lines[1:] == ["💻 x → error, 0.04 s", "   no such file [exit code 2]"]


def test_a_label_of_many_lines_becomes_one_line_that_fits() -> None:
    line = err(begins("1", "echo one\necho two\n" + "x" * 300)).rstrip("\n")
    assert line.startswith("💻 echo one echo two xxx")
    assert len(line) < 120


def test_reasoning_is_dim_and_ends_before_the_answer_begins() -> None:
    pieces = shown(thinks("Let me see"), ReasoningAvailableOut(*AT, "Let me see"), says("Yes"))
    assert pieces == [Piece("Let me see", "err", "dim"), Piece("\n", "err"), Piece("Yes")]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (StepResetOut(*AT, "crash", ()), "asking again"),
        (NoticeOut(*AT, "retry", "Trying again."), "note: Trying again."),
        (ApprovalRequestedOut(*AT, "a", "1", "terminal", "rm x", "", (), None), "rm x"),
        (failed("upstream_refused"), "failed: It did not work."),
        (cancelled(), "cancelled"),
        (completed("length"), "cut off"),
    ],
)
def test_news_about_the_run_is_a_line_on_stderr(event: Event, words: str) -> None:
    assert words in err(says("so far"), event)
    assert out(says("so far"), event) == "so far\n"


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        (completed(), Exit.COMPLETED),
        (completed("content_filter"), Exit.COMPLETED),
        (completed("length"), Exit.LIMIT),
        (failed("upstream_refused"), Exit.FAILED),
        (failed("max_steps"), Exit.LIMIT),
        (failed("max_tokens"), Exit.LIMIT),
        (failed("max_seconds"), Exit.LIMIT),
        (cancelled(), Exit.CANCELLED),
    ],
)
def test_the_exit_code_says_how_it_ended(ending: Ending, code: Exit) -> None:
    assert exit_code(ending) == code


TEXT = st.text("ab \n", min_size=1, max_size=5)
EVENTS = st.one_of(
    TEXT.map(says), TEXT.map(thinks), TEXT.map(lambda text: begins("1", text)), st.just(ends("1"))
)


@given(st.lists(EVENTS, max_size=12))
def test_a_stream_is_never_left_in_the_middle_of_a_line(events: list[Event]) -> None:
    for text in (out(*events, completed()), err(*events, completed())):
        assert not text or text.endswith("\n")


@given(st.lists(EVENTS, max_size=12))
def test_no_word_of_the_answer_is_lost(events: list[Event]) -> None:
    said = "".join(event.delta for event in events if isinstance(event, MessageDeltaOut))
    assert out(*events).replace("\n", "") == said.replace("\n", "")
