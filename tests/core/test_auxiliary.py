"""Which requests a frontend makes for itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.auxiliary import is_auxiliary
from angelia.core.messages import Assistant, Image, Message, System, Text, User, user

TASK = "### Task:\nSuggest three tags."
ANSWER = Assistant((Text("Sure."),))
PICTURE = Image("https://example.org/a.png")


@pytest.mark.parametrize(
    "messages",
    [
        (user(TASK),),
        (user(f"\n  {TASK}"),),
        (System("Be brief."), user(TASK)),
        (User((PICTURE, Text(TASK))),),
        (user(TASK), ANSWER),
    ],
)
def test_a_single_question_that_is_a_task_is_auxiliary(messages: tuple[Message, ...]) -> None:
    assert is_auxiliary(messages, None)
    assert not is_auxiliary(messages, None, brings_tools=True)


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (user(""),),
        (User((PICTURE,)),),
        (user("Task:"),),
        (user(f"Explain this: {TASK}"),),
        (user("hello"), ANSWER, user(TASK)),
        (user(TASK), ANSWER, user("thanks")),
        (Assistant((Text(TASK),)), user("hello")),
        (System(TASK), user("hello")),
        (User((Text("hello"), Text(TASK))),),
    ],
)
def test_a_conversation_is_not(messages: tuple[Message, ...]) -> None:
    assert not is_auxiliary(messages, None)


@pytest.mark.parametrize("task", ["title_generation", " tags_generation ", "x"])
def test_what_a_header_names_is_auxiliary_whatever_was_said(task: str) -> None:
    said = (user("hello"), ANSWER, user("bye"))
    assert is_auxiliary(said, task)
    assert is_auxiliary(said, task, brings_tools=True)


@pytest.mark.parametrize("task", [None, "", "  ", "{{TASK}}", "none", "None", "NULL"])
def test_a_header_that_was_not_filled_in_says_nothing(task: str | None) -> None:
    assert not is_auxiliary((user("hello"),), task)
    assert is_auxiliary((user(TASK),), task)


@given(st.text(), st.booleans())
def test_only_the_beginning_of_a_question_makes_it_a_task(text: str, brings_tools: bool) -> None:
    expected = text.lstrip().startswith("### Task:") and not brings_tools
    assert is_auxiliary((user(text),), None, brings_tools=brings_tools) == expected
