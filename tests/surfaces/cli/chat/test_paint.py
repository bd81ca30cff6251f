import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.surfaces.cli.chat.blocks import (
    Block,
    Live,
    Prose,
    Question,
    Remark,
    Running,
    Spoken,
    SubagentEnded,
    Thought,
    ToolEnded,
)
from angelia.surfaces.cli.chat.paint import Painter

LOOKS = re.compile(r"\x1b\[[0-9;]*m")
DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new"


def plain(*blocks: Block, width: int = 60) -> str:
    return Painter(colour=False).paint(blocks, width)


def test_lines_stand_together_and_everything_else_apart() -> None:
    one = ToolEnded("terminal", "ls", "💻", "ok", 1.21)
    two = ToolEnded("terminal", "make", "", "timeout", 75.0, "a\nb\nc\nd")
    assert LOOKS.sub("", plain(Spoken("go\non"), one, two, Prose("done"))) == (
        "› go\n  on\n\n✓ 💻 ls  1.2 s\n✗ · make  1 min 15 s  timeout\n    b\n    c\n    d\n\ndone\n"
    )


def test_a_diff_has_its_colours() -> None:
    painted = Painter().paint([ToolEnded("patch", "x", "🩹", "ok", 0.1, DIFF)], 60)
    assert "\x1b[31m-old" in painted
    assert "\x1b[32m+new" in painted


def test_without_colours_there_are_none() -> None:
    painted = plain(
        ToolEnded("patch", "x", "🩹", "ok", 0.1, DIFF), Prose("# h\n\n`c`"), Remark("x", "bad")
    )
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|9[0-7]|4[0-7])m", painted)


def test_thoughts_are_folded_until_they_are_wanted() -> None:
    painter = Painter(colour=False)
    assert "Ctrl-T shows it" in painter.paint([Thought("because", 3.0)], 60)
    painter.unfold = True
    assert "because" in painter.paint([Thought("because", 3.0)], 60)


def test_a_question_hides_nothing() -> None:
    assert "rm \\x1b[2K\\u202e x" in plain(Question("terminal", "rm \x1b[2K\u202e x", "", "7F3"))


def test_a_subagent_stands_below_its_call() -> None:
    shown = LOOKS.sub("", plain(SubagentEnded("find it", "failed", "nothing", 2.0)))
    assert shown == "  ↳ ✗ find it  2.0 s  failed\n      nothing\n"


@pytest.mark.parametrize("width", [40, 120])
@given(text=st.text(alphabet=st.sampled_from("ab \n#*`-|>[]()&;27xX\x1b\x07\r\u202e漢")))
def test_whatever_a_model_writes_the_terminal_obeys_nothing_of_it(width: int, text: str) -> None:
    painted = LOOKS.sub("", Painter().paint([Prose(text), Spoken(text), Remark(text)], width))
    assert not set(painted) & set("\x1b\x07\r\x9b\u202e")


def test_a_control_character_that_markdown_spells_is_none() -> None:
    assert "\x1b[2J" not in plain(Prose("a &#27;[2J &#x9b;2J b"))
    assert "\x9b" not in plain(Prose("a &#x9b;2J b"))


def test_what_looks_like_html_is_shown_as_it_is() -> None:
    answer = (
        "A List<String> in a <div>.\n\n<details>\nmore\n</details>\n\n"
        "| h |\n|---|\n| one<br>two |\n\n<!-- aside -->"
    )
    lines = [line.strip() for line in plain(Prose(answer)).split("\n")]
    for line in ("A List<String> in a <div>.", "<details>", "more", "one", "two", "<!-- aside -->"):
        assert line in lines


def test_a_table_loses_nothing_where_there_is_little_room() -> None:
    cells = ("averyveryverylongwordwithoutspaces", "漢字漢字漢字漢字", "some more words", "last")
    rows = [" | ".join(row) for row in ("abcd", "----", cells)]
    painted = plain(Prose("\n".join(f"| {row} |" for row in rows)), width=40)
    left = "".join(painted.split())
    assert "…" not in left
    for letter in "".join(cells).replace(" ", ""):
        assert letter in left
        left = left.replace(letter, "", 1)


def test_what_is_unfinished_is_cut_to_its_rows() -> None:
    live = Live(prose="\n".join(f"- {number}" for number in range(50)))
    lines = Painter().live(live, 60, 10, 0.0).split("\n")
    assert len(lines) == 10
    assert "49" in lines[-1]
    assert Painter().live(Live(), 60, 10, 0.0) == ""


def test_a_running_call_shows_how_long_and_what_it_printed() -> None:
    running = Running("terminal", "make", "💻", 1.0, ("x" * 100,))
    shown = LOOKS.sub("", Painter().live(Live(tools=(running,)), 40, 10, 3.5))
    assert "💻 make  2.5 s" in shown
    assert "│ xxx" in shown
    assert max(map(len, shown.split("\n"))) <= 40
