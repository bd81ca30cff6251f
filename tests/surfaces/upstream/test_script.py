import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.messages import Reasoning, Text, ToolCall, Usage
from angelia.errors import BadRequest
from angelia.surfaces.upstream.script import (
    Call,
    ErrorEvent,
    Fault,
    Script,
    Step,
    load,
    marked_fault,
    parse,
    parse_fault,
)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("stall=arguments", Fault(stall="arguments")),
        ("status=503", Fault(status=503)),
        ("status=429 retry_after=1 times=2", Fault(status=429, retry_after="1", times=2)),
        ("cut=text,times=1", Fault(cut="text", times=1)),
        ("malformed", Fault(malformed=True)),
        ("  empty , times=1 ", Fault(empty=True, times=1)),
        ("no_finish=true", Fault(no_finish=True)),
        ("delay_first=0.5", Fault(delay_first=0.5)),
        ("error_event=api_error after=text", Fault(error_event="api_error", after="text")),
        ("trickle=3", Fault(trickle=3)),
        ("no_stream=refuse", Fault(no_stream="refuse")),
        ("malformed=arguments", Fault(malformed="arguments")),
        ("no_finish=text", Fault(no_finish="text")),
        ("comments=open", Fault(comments="open")),
        ("overflow=100 times=1", Fault(overflow=100, times=1)),
        ("hang", Fault(hang=True)),
        ("crlf bom giant=9", Fault(crlf=True, bom=True, giant=9)),
    ],
)
def test_words_name_a_fault(words: str, fault: Fault):
    assert parse_fault(words) == fault


@pytest.mark.parametrize("words", ["explode", "status=teapot", "stall=nowhere", "=", "cut"])
def test_words_that_name_no_fault_are_refused(words: str):
    with pytest.raises(BadRequest, match="cannot be read"):
        parse_fault(words)


@given(st.text(max_size=30))
def test_any_words_are_a_fault_or_a_bad_request(words: str):
    with contextlib.suppress(BadRequest):
        assert isinstance(parse_fault(words), Fault)


def test_a_message_carries_a_fault_in_double_brackets():
    assert marked_fault("list [[fault cut=text]] please") == Fault(cut="text")
    assert marked_fault("nothing of the kind") is None


def test_an_error_event_may_be_a_word_or_written_out():
    assert Fault(error_event="api_error").error == ErrorEvent(type="api_error")
    written = ErrorEvent("no", "x", "y")
    assert Fault(error_event=written).error == written


def test_a_lost_connection_is_told_in_words_alone():
    lost = Fault(error_event="lost").error
    assert "connection lost" in lost.message
    assert (lost.type, lost.code) == (None, None)


JSON = b"""{"default": "repeat", "steps": [
  {"text": "hi", "reasoning": "hm", "usage": {"input": 3}, "chunk": 2, "pace": 0.1,
   "fault": {"error_event": {"message": "no"}, "after": "text"}},
  {"calls": [{"name": "a", "arguments": {"x": 1}}, {"id": "c", "name": "b", "arguments": "{bad"}],
   "usage": null, "when": "please"}]}"""
TOML = b"""
default = "repeat"
[[steps]]
text = "hi"
reasoning = "hm"
usage = {input = 3}
chunk = 2
pace = 0.1
fault = {error_event = {message = "no"}, after = "text"}
[[steps]]
calls = [{name = "a", arguments = {x = 1}}, {id = "c", name = "b", arguments = "{bad"}]
when = "please"
"""


def test_a_script_reads_the_same_from_json_and_toml(tmp_path: Path):
    (tmp_path / "a.json").write_bytes(JSON)
    (tmp_path / "a.toml").write_bytes(TOML)
    written, drawn = load(tmp_path / "a.json"), load(tmp_path / "a.toml")
    assert written.default == "repeat"
    assert written.steps[0] == drawn.steps[0]
    assert written.steps[1].calls == drawn.steps[1].calls
    assert written.steps[0].fault.error == ErrorEvent("no")


def test_a_list_of_steps_is_a_script():
    assert parse(b' [{"text": "a"}]') == Script((Step("a"),))


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (b'{"steps": [{"txt": "a"}]}', r"txt.*\$\.steps"),
        (b'[{"fault": {"stall": "here"}}]', r"fault\.stall"),
        (b'{"chaos": {"rate": 2}}', r"chaos\.rate"),
        (b"{", "truncated"),
        (b"\xff", "script"),
    ],
)
def test_a_bad_script_is_refused_with_the_place(data: bytes, path: str):
    with pytest.raises(BadRequest, match=path):
        parse(data)


def test_a_bad_toml_script_is_refused():
    with pytest.raises(BadRequest):
        parse(b"steps = [", toml=True)


def test_a_step_makes_a_reply():
    calls = (Call("a", {"x": 1}), Call("b", "{bad", "mine"))
    reply = Step(text="hi you", reasoning="hm", calls=calls).reply("m", 7)
    assert reply.message.parts == (
        Reasoning("hm"),
        Text("hi you"),
        ToolCall("call_7_1", "a", '{"x":1}'),
        ToolCall("mine", "b", "{bad"),
    )
    assert (reply.finish, reply.model) == ("tool_calls", "m")
    assert reply.usage == Usage(input=10, output=3, reasoning=1)


def test_what_a_step_says_of_finish_and_usage_holds():
    assert Step("a", finish="length").reply("m", 1).finish == "length"
    assert Step("a", usage=None).reply("m", 1).usage is None
    assert Step("a", usage=Usage(5, 6)).reply("m", 1).usage == Usage(5, 6)
