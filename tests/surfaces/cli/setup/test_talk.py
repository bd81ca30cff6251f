import io
import sys

import pytest
from rich.console import Console

from angelia.errors import RequestError
from angelia.surfaces.cli.setup.talk import Talk


@pytest.fixture
def heard() -> io.StringIO:
    return io.StringIO()


def talk(heard: io.StringIO, monkeypatch: pytest.MonkeyPatch, *lines: str) -> Talk:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return Talk(Console(file=heard, width=80), quiet=False)


NAMES = ("a", "b", "7")


@pytest.mark.parametrize(
    ("answer", "name"), [("", "b"), ("1", "a"), ("b", "b"), ("7", "7"), ("new", "new"), ("9", "9")]
)
def test_a_name_is_given_by_number_or_by_name(heard, monkeypatch, answer, name) -> None:
    asked = talk(heard, monkeypatch, answer).name("Model", NAMES, "b", "--model")
    assert asked == name


def test_a_question_without_a_usual_answer_is_asked_until_there_is_one(heard, monkeypatch) -> None:
    assert talk(heard, monkeypatch, "", " ", "x").ask("Address", None, "--base-url") == "x"
    assert heard.getvalue().count("Address: ") == 3


@pytest.mark.parametrize(("answer", "agreed"), [("", True), ("Y", True), ("no", False)])
def test_silence_is_agreement_at_the_last_question(heard, monkeypatch, answer, agreed) -> None:
    assert talk(heard, monkeypatch, answer).confirm("Write?") is agreed


def test_a_long_list_is_cut(heard, monkeypatch) -> None:
    names = [f"m{number}" for number in range(30)]
    talk(heard, monkeypatch, "").name("Model", names, "m0", "--model")
    assert "… and 10 more; type its name" in heard.getvalue()


def test_nothing_of_a_server_moves_the_cursor(heard, monkeypatch) -> None:
    talk(heard, monkeypatch, "1").choose("Which?", ["\x1b[2Jclear"])
    assert "\x1b[2J" not in heard.getvalue()


def test_with_nobody_to_ask_the_usual_is_taken_and_the_rest_is_missing(heard) -> None:
    quiet = Talk(Console(file=heard), quiet=True)
    assert quiet.choose("Which?", ["first", "second"]) == 0
    assert quiet.ask("Model", "usual", "--model") == "usual"
    assert quiet.confirm("Write?")
    with pytest.raises(RequestError, match="give --model"):
        quiet.ask("Model", None, "--model")
