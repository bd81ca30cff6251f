"""What a model is asked to condense, and what stands in for it."""

from hypothesis import given
from hypothesis import strategies as st

from angelia.core.condense import LAST_WORDS, outline, question, with_task
from angelia.core.messages import (
    Assistant,
    Image,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    User,
    user,
)
from angelia.core.tokens import of_text
from tests.core.transcripts import transcripts

TRANSCRIPT = (
    System("Be brief."),
    User((Text("What is in a.txt?"), Image("https://example.org/a.png"))),
    Assistant((Reasoning("hm"), Text("Let me look."), ToolCall("c", "read", '{"path":"a.txt"}'))),
    ToolResult("c", "nothing there", failed=True),
    Assistant((Refusal("I cannot say."), Text(""))),
)


def test_the_model_reads_all_that_was_said_and_done_as_text() -> None:
    (part,) = question(TRANSCRIPT, "Help with files.").parts
    for words in (
        *("Be brief.", "What is in a.txt?", "(an image)", "Let me look.", "I cannot say."),
        *('read with {"path":"a.txt"}', "Tool failed: nothing there", "Help with files."),
    ):
        assert words in part.text
    assert "hm" not in part.text
    assert "instructions" not in question(TRANSCRIPT, None).parts[0].text


def test_long_lines_are_cut_first_and_the_whole_is_no_longer_than_may_be() -> None:
    said = (user("short and sweet"), ToolResult("c", "x" * 40_000), user("also short"))
    text = question(said, most=500).parts[0].text
    assert "short and sweet" in text
    assert "also short" in text
    assert of_text(text) < 600


@given(transcripts, st.integers(1, 300))
def test_an_outline_is_short_whatever_it_is_of(messages, tokens) -> None:
    assert of_text(outline(messages, tokens)) <= 3 * tokens + 80


def test_an_outline_tells_what_people_said_and_which_tools_were_used() -> None:
    text = outline(TRANSCRIPT, 500)
    for words in ("What is in a.txt?", "Let me look.", 'Called read {"path":"a.txt"}'):
        assert words in text
    assert "nothing there" not in text


def test_the_task_is_told_word_for_word() -> None:
    assert with_task("Summary.", user("do it"), 50) == f"Summary.\n\n{LAST_WORDS} do it"
    assert with_task("Summary.", user(" "), 50) == "Summary."
    assert len(with_task("Summary.", user("do it " * 900), 50)) < 500
