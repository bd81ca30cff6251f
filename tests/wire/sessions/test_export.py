"""Conversations as files: nothing said in them can break out of its place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec import Raw, json

from angelia.core.history import closed
from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Reasoning,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from angelia.wire.sessions.export import jsonl, markdown
from angelia.wire.sessions.request import parse_create
from angelia.wire.sessions.server import shown
from angelia.wire.sessions.shapes import SessionOut
from tests.core.transcripts import transcripts

SESSION = SessionOut("s", "T", 1.0, 2.0, None, None, 1, "run_1", None, Raw(b"{}"), "idle")
CALL = ToolCall("c", "terminal", '{"command": "ls"}')
TALK = (
    user("List it."),
    Assistant((Reasoning("A list."), Text("I look."), CALL)),
    ToolResult("c", "a.txt\n```\nb.txt"),
    Assistant((Text("Two files."),)),
)


def test_json_lines_begin_with_the_session_and_can_be_brought_back() -> None:
    first, *rest = jsonl(SESSION, TALK).splitlines()
    assert json.decode(first)["object"] == "hermes.session"
    assert json.decode(first)["id"] == "s"
    body = b'{"messages":[' + b",".join(rest) + b"]}"
    assert parse_create(body).messages == TALK


@given(transcripts.map(closed))
def test_every_message_is_one_line(messages: tuple) -> None:
    lines = jsonl(SESSION, messages).split(b"\n")
    assert lines.pop() == b""
    assert lines[1:] == [json.encode(shown(message)) for message in messages]


def test_markdown_for_people() -> None:
    assert (
        markdown("Files & <co>", [("Session", "s")], TALK)
        == """\
# Files &amp; &lt;co>

- Session: `s`

## User

> List it.

## Assistant

<details>
<summary>💭 Reasoning</summary>

> A list.

</details>

I look.

<details>
<summary>🔧 terminal</summary>

```json
{"command": "ls"}
```

</details>

<details>
<summary>✅ terminal</summary>

````text
a.txt
```
b.txt
````

</details>

Two files.
"""
    )


def test_images_are_links_and_embedded_ones_stand_at_the_end() -> None:
    png = "data:image/png;base64,AA=="
    asked = User((Image("https://a/b c>.png"), Image(png), Text("what?")))
    text = markdown("T", [], (asked, asked))
    assert text.count("[image](<https://a/b%20c%3E.png>)") == 2
    assert "[image 1][image-1]" in text
    assert text.endswith(f"\n\n[image-1]: <{png}>\n[image-2]: <{png}>\n")


def test_a_failed_call_and_a_name_are_told() -> None:
    messages = (
        User((Text("x"),), "ann <b>"),
        Assistant((CALL,)),
        ToolResult("c", "no", failed=True),
        System("s"),
    )
    text = markdown("", [], messages)
    assert text.startswith("# Session\n\n## User (ann &lt;b>)\n")
    assert "<summary>❌ terminal</summary>" in text
    assert text.endswith("## System\n\n> s\n")


def test_an_answer_with_a_whole_fence_is_not_quoted() -> None:
    code = "Look:\n\n```python\nprint(1)\n```\n\nDone."
    assert f"\n\n{code}\n" in markdown("T", [], (Assistant((Text(code),)),))


@pytest.mark.parametrize("code", ["print(1)", "print(1)\x0b```", "print(1)\u2028```"])
def test_an_answer_cut_off_in_a_fence_is_quoted(code: str) -> None:
    text = markdown("T", [], (Assistant((Text(f"```python\n{code}"),)), user("and?")))
    assert f"> ```python\n> {code}\n\n## User" in text


NASTY = st.lists(
    st.sampled_from(
        [
            *("```", "~~~", "````", "`", "<!--", "-->", "<script>", "<details>", "</details>"),
            *("<pre>", "<?", "<![CDATA[", "- ", "1. ", "> ", "    ", "  ", "\t", "x", " ", "|"),
            *("\n", "\n", "\n\n", "\r", "\x0b", "\u2028", "[a]: ", "\\", "\x00"),
        ]
    ),
    max_size=12,
).map("".join)
SAID = st.one_of(
    st.builds(user, NASTY),
    st.builds(System, NASTY),
    st.builds(Assistant, st.tuples(st.builds(Text, NASTY))),
    st.builds(Assistant, st.tuples(st.builds(Reasoning, NASTY))),
    st.builds(Assistant, st.tuples(st.builds(ToolCall, st.just("c"), NASTY, NASTY))),
    st.builds(ToolResult, st.just("c"), NASTY),
)


def headings(text: str) -> list[str]:
    """The headings that a reader of Markdown finds at the top of the document."""
    tokens = MarkdownIt("commonmark").parse(text)
    places = [n for n, t in enumerate(tokens) if t.type == "heading_open" and t.level == 0]
    return [tokens[n + 1].content for n in places]


def turns(messages: list[Message]) -> list[str]:
    found: list[str] = []
    for message in messages:
        who = type(message).__name__ if isinstance(message, User | System) else "Assistant"
        if who != "Assistant" or found[-1:] != [who]:
            found.append(who)
    return found


@given(st.lists(SAID, max_size=4))
def test_nothing_said_hides_what_follows_it(messages: list) -> None:
    text = markdown("T", [("Session", "s")], [*messages, user("end")])
    assert headings(text) == ["T", *turns([*messages, user("end")])]


@given(NASTY, NASTY)
def test_outputs_of_tools_are_shown_as_they_are(arguments: str, output: str) -> None:
    text = markdown("T", [], (Assistant((ToolCall("c", "f", arguments),)), ToolResult("c", output)))
    fences = [t for t in MarkdownIt("commonmark").parse(text) if t.type == "fence"]
    assert [fence.info for fence in fences] == ["json", "text"]
    assert [fence.content for fence in fences] == [as_markdown(arguments), as_markdown(output)]


def as_markdown(text: str) -> str:
    """What a reader of Markdown makes of a text in a fence."""
    return re.sub(r"\r\n?", "\n", f"{text}\n").replace("\0", "\N{REPLACEMENT CHARACTER}")
