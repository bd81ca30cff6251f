"""Calls written as text: each form is read wherever the text is cut, what is none stays text."""

import cProfile
import pstats
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from angelia.core.events import TextDelta
from angelia.core.messages import ToolSpec
from angelia.wire.written.call_forms import FORMS, Written
from angelia.wire.written.text_calls import TextCalls
from tests.wire.written.test_tags import SIZES, cut

SCHEMA = Raw(b'{"properties": {"path": {"type": "string"}, "n": {"type": "integer"}, "all": {}}}')
TOOLS = (ToolSpec("read", parameters=SCHEMA), ToolSpec("list"))
READ = '{"name": "read", "arguments": {"path": "a" }}'
CALL = Written("read", '{"path": "a" }')
OTHER = '{"name": "other", "arguments": {}}'
R1 = "<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{}\n```<｜tool▁call▁end｜>"
V31 = "<｜tool▁call▁begin｜>list<｜tool▁sep｜>{}<｜tool▁call▁end｜>"
DEEPSEEK = f"<｜tool▁calls▁begin｜>{R1}\n{V31}<｜tool▁calls▁end｜>"
CODER = "\n".join(
    [
        "<function=read>",
        "<parameter=path>\n 1\n\n</parameter>",
        "<parameter=n>\n2\n</parameter>",
        "<parameter=all>True</parameter>",
        "<parameter=new>3</parameter>",
        "</function>",
    ]
)
CODED = Written("read", '{"path":" 1\\n","n":2,"all":true,"new":"3"}')

Found = list[str | Written]


def found(pieces: Iterable[str], *, clean: bool = True) -> Found:
    """Text in one piece between the calls."""
    calls, out = TextCalls(TOOLS), list[str | Written]()
    came = [piece for text in pieces for piece in calls.feed(text)] + calls.close(clean=clean)
    for piece in came:
        if isinstance(piece, Written):
            out.append(piece)
        elif out and isinstance(out[-1], str):
            out[-1] += piece.text
        else:
            out.append(piece.text)
    return out


FORMED: list[tuple[str, Found]] = [
    (f"<tool_call>\n{READ}\n</tool_call>", [CALL]),
    (f"I look.\n<tool_call>{READ}</tool_call>\n<tool_call>{READ}", ["I look.\n", CALL, CALL]),
    (f"<tool_call>[{READ}, {READ}]</tool_call> done", [CALL, CALL, "done"]),
    (f"<tool_call>{OTHER}</tool_call>", [Written("other", "{}")]),
    ('<tool_call>{"name": "list"}</tool_call>', [Written("list", "{}")]),
    ('<tool_call>{"name": "f", "arguments": "{\\"a\\": 1}"}', [Written("f", '{"a": 1}')]),
    (f"<tool_call>{READ}</tool", [CALL]),
    (f"<tool_call>\n{CODER}\n</tool_call>", [CODED]),
    (f"{CODER}\n</tool_call>", [CODED]),
    (CODER.removesuffix("</function>"), [CODED]),
    ('<function=read>{"path": "a" }</function>', [CALL]),
    (f"<|python_tag|>{READ}; {READ}<|eom_id|>", [CALL, CALL]),
    ('<|python_tag|>{"type": "function", "name": "f", "parameters": {}}', [Written("f", "{}")]),
    (f"[TOOL_CALLS][{READ}]", [CALL]),
    ('[TOOL_CALLS] [{"name": "f", "arguments": {}, "id": "x1"}]', [Written("f", "{}", "x1")]),
    ('[TOOL_CALLS]read[ARGS]{"path": "a" }', [CALL]),
    ("[TOOL_CALLS]f[CALL_ID]x1[ARGS]{}", [Written("f", "{}", "x1")]),
    ("[TOOL_CALLS]f{}[TOOL_CALLS]g{}", [Written("f", "{}"), Written("g", "{}")]),
    (DEEPSEEK, [Written("read", "{}"), Written("list", "{}")]),
    (DEEPSEEK.removesuffix("<｜tool▁calls▁end｜>"), [Written("read", "{}"), Written("list", "{}")]),
    (f"So:\n```json\n{READ}\n```\n", ["So:\n", CALL]),
    (f"```\n{READ}", [CALL]),
    (READ, [CALL]),
    (f"\n{READ}\n{READ}", [CALL, CALL]),
    ('{"type": "function", "function": {"name": "read", "arguments": {"path": "a" }}}', [CALL]),
    ('{"function": "list", "parameters": {}}', [Written("list", "{}")]),
]

TEXTS = [
    "",
    " ",
    "Hello <b> [1] `x`",
    "<tool_call>nonsense</tool_call>",
    '<tool_call>{"name": "read", </tool_call>',
    '<tool_call>{"name": 1}</tool_call>',
    "<tool_call>{}</tool_call>",
    "<tool_call>[]</tool_call>",
    "<tool_call>",
    "<function=",
    "<function=read>what?</function>",
    "<function=read>{what}</function>",
    "<|python_tag|>print(1)",
    "[TOOL_CALLS]",
    "[TOOL_CALLS]!",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁begin｜>x",
    f"```json\n{OTHER}\n```",
    f"```json\n{READ}\nand more\n```",
    "```json\n[1, 2]\n```",
    f"```python\n{READ}\n```",
    OTHER,
    f"{READ} is a call.",
    '{"name": "read"}',
    '{"name": "read", "description": "Reads.", "parameters": {}}',
    '{"answer": {"name": "read", "arguments": {}}}',
    '{"name": "other", "arguments": {',
    '```json\n{"name": "other", "arguments": {',
    '"name": read',
    "{}",
    "[[]]",
]


@pytest.mark.parametrize(("text", "expected"), FORMED)
def test_a_call_in_a_known_form_is_a_call(text: str, expected: Found) -> None:
    assert found([text]) == found(text) == expected


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("clean", [True, False])
def test_what_is_no_call_is_text_again(text: str, clean: bool) -> None:
    assert found([text], clean=clean) == found(text, clean=clean) == ([text] if text else [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<tool_call>{"name": "read", "arguments": {"path": "a', Written("read", '{"path": "a')),
        ('<tool_call>{"name": "read", "arg', Written("read", '{"name": "read", "arg')),
        ('<tool_call>{"name": "read", "arguments": {"path": "a" }', CALL),
        ('{"name": "read", "arguments": {"pa', Written("read", '{"pa')),
        ('```json\n{"name": "read", "arguments": {"pa', Written("read", '{"pa')),
        ('[TOOL_CALLS]read[ARGS]{"pa', Written("read", '{"pa')),
        ("<function=read><parameter=pa", Written("read", "<parameter=pa")),
        ("<function=read>", Written("read", "<function=read>")),
        (DEEPSEEK[: DEEPSEEK.index("{}") + 1], Written("read", "{")),
    ],
)
def test_a_call_that_is_cut_off_is_given_as_far_as_it_came(text: str, expected: Written) -> None:
    assert found([text], clean=False) == found(text, clean=False) == [expected]


def test_parameters_that_may_not_be_all_are_no_whole_call() -> None:
    text = "<function=read><parameter=path>a</parameter>"
    assert found([text], clean=True) == [Written("read", '{"path":"a"}')]
    assert found([text], clean=False) == [Written("read", "<parameter=path>a</parameter>")]


def test_calls_before_one_that_is_cut_off_are_kept() -> None:
    text = DEEPSEEK[: DEEPSEEK.index("list") + 2]
    assert found([text], clean=False) == [Written("read", "{}"), "\n<｜tool▁call▁begin｜>li"]


PARTS = st.sampled_from([text for text, _ in FORMED] + TEXTS + [*FORMS, "hm ", "\n", "{", "]"])


@given(st.lists(PARTS, max_size=4).map("".join), SIZES, st.booleans())
def test_where_the_text_is_cut_does_not_matter(
    text: str, sizes: Sequence[int], clean: bool
) -> None:
    assert found(cut(text, sizes), clean=clean) == found([text], clean=clean)


@given(st.text(st.sampled_from('<>`[]{}":;abc \n'), max_size=40), SIZES)
def test_a_text_without_calls_is_not_changed(text: str, sizes: Sequence[int]) -> None:
    assert found(cut(text, sizes)) == ([text] if text else [])


def test_text_before_a_call_is_not_held_back() -> None:
    calls = TextCalls(TOOLS)
    assert calls.feed("I look") == [TextDelta("I look")]
    assert calls.feed(" at it. <") == [TextDelta(" at it. ")]
    assert calls.feed("b>") == [TextDelta("<b>")]
    assert calls.feed("```py") == []
    assert calls.feed("\nx") == [TextDelta("```"), TextDelta("py\nx")]


def test_an_answer_in_json_is_not_held_back_once_it_cannot_be_a_call() -> None:
    calls = TextCalls(TOOLS)
    assert calls.feed('{"ans') == []
    assert calls.feed('wer": "') == [TextDelta('{"answer": "')]


def test_a_long_call_is_found_behind_its_last_bracket() -> None:
    text = f'<tool_call>{{"name": "read", "arguments": {{"path": "{"a" * 5000}"}}}}</tool_call>'
    assert found(cut(text, [7] * 800)) == [Written("read", f'{{"path": "{"a" * 5000}"}}')]


def steps(pieces: Sequence[str]) -> int:
    """How many functions it takes to read them; a measure of the work that is always the same."""
    profile = cProfile.Profile()
    profile.runcall(found, pieces)
    stats = pstats.Stats(profile)
    return stats.total_calls  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ('<tool_call>{"name": "read", "arguments": {"path": "', "a}; "),
        ("<function=read>", "<parameter=path>x</parameter>"),
        ("", '{"name": "read", "arguments": {}}'),
        ('{"name": ', "[[]"),
    ],
)
def test_a_long_call_takes_work_in_proportion_to_its_length(head: str, piece: str) -> None:
    short, long = (steps([head, *[piece] * times]) for times in (1_000, 4_000))
    assert long < 8 * short


@pytest.mark.parametrize("blanks", [510, 513, 2_000])
def test_white_space_in_front_holds_nothing_back_for_ever(blanks: int) -> None:
    calls = TextCalls(TOOLS)
    said = [piece for _ in range(blanks) for piece in calls.feed("\n")] + calls.feed("Hello")
    assert "".join(p.text for p in said if isinstance(p, TextDelta)) == "\n" * blanks + "Hello"
