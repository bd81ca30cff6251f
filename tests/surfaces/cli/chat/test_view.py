import itertools
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.cli.chat.blocks import (
    Block,
    Prose,
    Question,
    Remark,
    Spoken,
    SubagentEnded,
    Thought,
    ToolEnded,
)
from angelia.surfaces.cli.chat.events import read
from angelia.surfaces.cli.chat.view import View

TEXT = "One **bold** line.\n\n```py\nx = 1\n\ny = 2\n```\n\n- a\n- b\n\nThe end."
USAGE = dict.fromkeys(
    ("input_tokens", "output_tokens", "total_tokens", "cached_tokens"), 1
) | dict.fromkeys(("cache_write_tokens", "reasoning_tokens"), 0)


def told(view: View, name: str, at: float = 1.0, **fields: Any) -> list[Block]:
    event = {"event": name, "run_id": "run_1", "seq": 1, "timestamp": at, **fields}
    known = read(msgspec.json.encode(event))
    assert known is not None
    return view.feed(known)


def completed(view: View, text: str) -> list[Block]:
    return told(view, "message.completed", text=text, finish_reason="stop", model=None)


def ended(view: View) -> list[Block]:
    return told(view, "run.completed", output="", usage=USAGE, finish_reason="stop", cost=0.0)


def streamed(view: View, *pieces: str) -> list[Block]:
    return [block for piece in pieces for block in told(view, "message.delta", delta=piece)]


def started(view: View, call: str, label: str, at: float = 1.0) -> None:
    fields = {"tool": "terminal", "preview": label, "emoji": "💻", "args": {}, "effect": "pure"}
    told(view, "tool.started", at, tool_call_id=call, **fields)


def finished(view: View, call: str, outcome: str = "ok", output: str = "") -> list[Block]:
    fields = {"tool": "terminal", "duration": 0.5, "error": outcome != "ok", "truncated": False}
    return told(view, "tool.completed", tool_call_id=call, outcome=outcome, output=output, **fields)


def asked(view: View, number: str) -> list[Block]:
    fields = {"tool": "terminal", "preview": "rm x", "reason": "why", "choices": []}
    return told(
        view,
        "approval.requested",
        approval_id=number,
        tool_call_id=number,
        expires_at=None,
        code="7F3",
        **fields,
    )


@given(st.lists(st.integers(0, len(TEXT)), max_size=12))
def test_any_split_of_the_deltas_gives_the_same_blocks(cuts: list[int]) -> None:
    view, bounds = View(), [0, *sorted(cuts), len(TEXT)]
    pieces = [TEXT[a:b] for a, b in itertools.pairwise(bounds)]
    seen = [*streamed(view, *pieces), *completed(view, TEXT), *ended(view)]
    assert seen == [
        Prose(block)
        for block in ("One **bold** line.", "```py\nx = 1\n\ny = 2\n```", "- a\n- b", "The end.")
    ]
    assert view.live().prose == ""


def test_an_answer_that_was_not_seen_to_come_is_shown_from_its_end() -> None:
    assert completed(View(), "a\n\nb") == [Prose("a"), Prose("b")]


def test_what_is_asked_again_and_comes_out_the_same_is_not_shown_twice() -> None:
    view = View()
    assert streamed(view, "a\n\nb\n\nc\n") == [Prose("a"), Prose("b")]
    assert told(view, "step.reset", reason="crash", dropped_tools=[]) == []
    assert view.live().prose == ""
    assert "asking again (crash)" in view.live().note
    assert streamed(view, "a\n\nb\n\nc and more") == []
    assert completed(view, "") == [Prose("c and more")]


def test_what_is_asked_again_and_comes_out_otherwise_stands_behind_a_line_that_says_so() -> None:
    view = View()
    streamed(view, "a\n\nb\n\nc\n")
    told(view, "step.reset", reason="crash", dropped_tools=[])
    shown = streamed(view, "a\n\nB\n\nc\n\nd\n")
    assert isinstance(shown[0], Remark)
    assert "cut off (crash) and begins again" in shown[0].text
    assert [*shown[1:], *completed(view, "")] == [Prose("a"), Prose("B"), Prose("c"), Prose("d")]


def test_a_reset_of_what_only_lived_says_nothing_in_the_scrollback() -> None:
    view = View()
    assert streamed(view, "half a line") == []
    assert told(view, "step.reset", reason="stall", dropped_tools=[]) == []
    assert [*streamed(view, "whole"), *completed(view, "whole")] == [Prose("whole")]


def test_parallel_calls_each_have_a_line_when_they_end() -> None:
    view = View()
    started(view, "1", "one")
    started(view, "2", "two")
    told(view, "tool.output", tool_call_id="1", offset=0, stream="stdout", delta="a\nb\rc\n" * 9)
    assert [call.label for call in view.live().tools] == ["one", "two"]
    assert view.live().tools[0].tail == ("c", "a", "c", "a", "c")
    assert finished(view, "2", "denied", "no") == [
        ToolEnded("terminal", "two", "💻", "denied", 0.5, "no")
    ]
    assert [call.label for call in view.live().tools] == ["one"]


def test_thoughts_end_with_their_length() -> None:
    view = View()
    told(view, "reasoning.delta", 1.0, delta="hm")
    assert view.live().thought == "hm"
    assert told(view, "reasoning.available", 4.0, text="hm") == [Thought("hm", 3.0)]
    assert view.live().thought == ""


def test_subagents_are_known_by_their_goal() -> None:
    view = View()
    started(view, "1", "delegate")
    told(view, "subagent.started", child_run_id="run_2", tool_call_id="1", goal="find it")
    assert [child.goal for child in view.live().tools[0].subagents] == ["find it"]
    fields = {"status": "completed", "summary": "found", "duration": 2.0}
    seen = told(view, "subagent.completed", child_run_id="run_2", tool_call_id="1", **fields)
    assert seen == [SubagentEnded("find it", "completed", "found", 2.0)]
    assert view.live().tools[0].subagents == ()


def test_questions_are_asked_one_after_another_and_go_away_when_answered_elsewhere() -> None:
    view = View()
    assert asked(view, "a") == [Question("terminal", "rm x", "why", "7F3")]
    asked(view, "b")
    live = view.live()
    assert live.asked is not None
    assert (live.asked.approval_id, live.more) == ("a", 1)
    (line,) = told(view, "approval.resolved", approval_id="a", choice="once", by="user", reason="")
    assert line == Remark("✓ terminal: allowed elsewhere", "good")
    view.answering("b")
    (line,) = told(view, "approval.resolved", approval_id="b", choice="deny", by="user", reason="x")
    assert line == Remark("✗ terminal: denied (x)", "bad")
    assert view.live().asked is None


def test_a_message_is_queued_until_a_new_step_reads_it() -> None:
    view = View()
    streamed(view, "working")
    view.queue("faster")
    told(view, "run.steered", text="faster")
    assert streamed(view, " on") == []
    assert view.live().queued == ("faster",)
    completed(view, "working on")
    assert told(view, "message.delta", delta="ok") == [Spoken("faster")]
    assert view.live().queued == ()


def test_what_never_came_to_the_run_is_left_over() -> None:
    view = View()
    view.queue("too late")
    ended(view)
    assert view.leftover() == ("too late",)
    assert view.leftover() == ()


def test_a_run_that_fails_says_why() -> None:
    view = View()
    error = {"message": "no \x1b[2J model", "code": "x"}
    assert told(view, "run.failed", error=error, output="", usage=USAGE) == [
        Remark("failed: no ␛[2J model", "bad")
    ]
