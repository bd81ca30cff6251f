import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.cli.render import Piece
from angelia.surfaces.cli.screen import Screen, colourful, harmless, paint


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def show(piece: Piece, stream: io.StringIO, **env: str) -> str:
    Screen(env, stream, stream).show([piece])
    return stream.getvalue()


def test_a_terminal_gets_colours() -> None:
    assert show(Piece("bad news\n", "err", "bad"), Terminal()) == "\x1b[31mbad news\x1b[0m\n"


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_wants_no_colours_gets_none(env: dict[str, str]) -> None:
    assert show(Piece("bad news\n", "err", "bad"), Terminal(), **env) == "bad news\n"


def test_a_pipe_gets_no_colours() -> None:
    assert show(Piece("bad news\n", "err", "bad"), io.StringIO()) == "bad news\n"


def test_an_empty_no_color_means_nothing() -> None:
    assert colourful(Terminal(), {"NO_COLOR": ""})


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("bell\x07 back\x08 return\r", "bell back return"),
        ("\x9b31mred", "31mred"),
        ("tabs\tand\nlines", "tabs\tand\nlines"),
        ("Ἀγγελία 💻 \u00a0", "Ἀγγελία 💻 \u00a0"),
    ],
)
def test_a_terminal_is_never_sent_what_it_would_obey(text: str, left: str) -> None:
    assert harmless(text) == left
    assert show(Piece(text), Terminal()) == left


def test_a_pipe_gets_the_text_as_it_is() -> None:
    assert show(Piece("\x1b[31mred"), io.StringIO()) == "\x1b[31mred"


@given(st.text())
def test_nothing_harmful_is_left_of_any_text(text: str) -> None:
    controls = {chr(code) for code in (*range(32), *range(127, 160))} - {"\n", "\t"}
    assert not controls & set(harmless(text))


def test_nothing_is_painted_where_there_are_no_words() -> None:
    assert paint("\n", "dim") == "\n"


def test_an_event_as_json_is_one_line() -> None:
    stream = io.StringIO()
    Screen({}, stream, io.StringIO()).line('{"event":"é"}'.encode())
    assert stream.getvalue() == '{"event":"é"}\n'
