import pytest

from angelia.core.messages import Prompt, user
from angelia.errors import BadRequest
from angelia.surfaces.upstream.asked import Asked
from angelia.surfaces.upstream.playbook import Playbook
from angelia.surfaces.upstream.script import NO_FAULT, Fault, Script, Step


def said(book: Playbook, text: str = "hello", body: bytes = b"", header: str | None = None) -> str:
    """The text of the answer, or what goes wrong with it."""
    asked = Asked(Prompt("m", "", (user(text),)))
    step, reply = book.choose(asked, header, body)
    return reply.message.text if step.fault == NO_FAULT else "fault"


def test_steps_answer_in_order_and_then_the_demo_does():
    book = Playbook(Script((Step("a"), Step("b"))))
    assert [said(book), said(book)] == ["a", "b"]
    assert "demo model" in said(book)


def test_a_script_may_start_over():
    book = Playbook(Script((Step("a"), Step("b")), default="repeat"))
    assert [said(book) for _ in range(5)] == ["a", "b", "a", "b", "a"]


def test_the_same_step_twice_answers_twice():
    step = Step("a")
    book = Playbook(Script((step, step, Step("b"))))
    assert [said(book) for _ in range(3)] == ["a", "a", "b"]


def test_a_repeating_step_is_never_used_up():
    book = Playbook(Script((Step("a", repeat=True), Step("b"))))
    assert [said(book) for _ in range(3)] == ["a", "a", "a"]


def test_a_step_with_a_condition_waits_for_its_words():
    book = Playbook(Script((Step("yes", when="please"), Step("no"))))
    assert [said(book, "now"), said(book, "now, please")] == ["no", "yes"]


def test_a_fault_takes_up_its_step():
    book = Playbook(Script((Step("a", fault=Fault(status=500)), Step("b"))))
    assert [said(book), said(book)] == ["fault", "b"]


def test_a_fault_with_a_count_leaves_its_step_to_be_answered():
    book = Playbook(Script((Step("a", fault=Fault(status=500, times=2)), Step("b"))))
    assert [said(book) for _ in range(4)] == ["fault", "fault", "a", "b"]


def test_a_counted_fault_strikes_again_when_the_script_starts_over():
    script = Script((Step("a", fault=Fault(status=500, times=1)),), default="repeat")
    book = Playbook(script)
    assert [said(book) for _ in range(4)] == ["fault", "a", "fault", "a"]


def test_a_fault_in_the_message_strikes_the_same_request_so_many_times():
    book = Playbook(Script((Step("a"), Step("b"))))
    text = "go [[fault cut=text times=1]]"
    assert said(book, text, b"1") == "fault"
    assert said(book, text, b"1") == "a"
    assert said(book, text, b"2") == "fault"
    assert said(book, text, b"2") == "b"


def test_a_fault_in_the_header_goes_before_that_of_the_script():
    book = Playbook(Script((Step("a", fault=Fault(status=500, times=9)),)))
    asked = Asked(Prompt("m", "", (user("x"),)))
    step, _ = book.choose(asked, "stall=text", b"")
    assert step.fault == Fault(stall="text")


def test_a_fault_that_cannot_be_read_is_refused():
    with pytest.raises(BadRequest):
        said(Playbook(Script()), header="explode")


def test_the_demo_answers_under_the_name_it_was_asked_by():
    _, reply = Playbook(Script()).choose(Asked(Prompt("gpt", "", (user("x"),))), None, b"")
    assert reply.model == "gpt"
