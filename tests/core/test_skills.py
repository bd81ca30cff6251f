import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.skills import LISTED_CHARACTERS, BrokenHead, Head, Skill, parse, told


def head(*lines: str) -> str:
    return "\n".join(("---", *lines, "---", "Do it.", ""))


@pytest.mark.parametrize(
    ("lines", "description"),
    [
        (["description: Plain words: with a colon"], "Plain words: with a colon"),
        (["description: words # a comment"], "words"),
        (["description: C# and F#"], "C# and F#"),
        (['description: "in \\"quotes\\"\\tand # no comment"'], 'in "quotes" and # no comment'),
        (["description: 'it''s'  # really"], "it's"),
        (["description: goes", "  on and", "  on"], "goes on and on"),
        (["description: >", "  folded", "  text", "", "  of two"], "folded text of two"),
        (["description: >-", "    folded"], "folded"),
        (["description: |", "  as", "    it is"], "as it is"),
        (["description:", "  below"], "below"),
        (["# comment", "", "license: MIT", "description: d"], "d"),
        (["metadata:", "  a: 1", "  b: [x]", "description: d"], "d"),
        (["allowed-tools:", "- Read", "- Bash", "description: d"], "d"),
        (["description: größe 👩\u200d💻"], "größe 👩\u200d💻"),
    ],
)
def test_a_head_is_read(lines: list[str], description: str) -> None:
    assert parse(head("name: my-skill", *lines)) == Head("my-skill", description, "Do it.")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "does not begin"),
        ("name: x", "does not begin"),
        ("---\nname: x\n", "is missing"),
        (head("description: d"), "'name' is missing"),
        (head("name: x"), "'description' is missing"),
        (head("name:", "description: d"), "'name' is missing"),
        (head("name: ../x", "description: d"), "'name' may have"),
        (head("name: " + "x" * 65, "description: d"), "'name' may have"),
        (head("name: x", "description: " + "d" * 1025), "longer than 1,024"),
        (head("name: x", "nonsense", "description: d"), "line 3"),
        (head('name: "x', "description: d"), "quotes in line 2"),
        (head("name: 'x' y", "description: d"), "quotes in line 2"),
    ],
)
def test_a_broken_head_says_what_is_wrong(text: str, fault: str) -> None:
    with pytest.raises(BrokenHead, match=fault):
        parse(text)


def test_a_file_may_come_from_windows() -> None:
    text = "\ufeff" + head("name: x", "description: d").replace("\n", "\r\n")
    assert parse(text) == Head("x", "d", "Do it.")


@given(st.text(alphabet=st.sampled_from("-\n:ab 'x\"#>|\\\t"), max_size=60))
def test_whatever_stands_in_a_file_it_is_read_or_refused(text: str) -> None:
    try:
        found = parse("---\n" + text)
    except BrokenHead:
        return
    assert found.name
    assert found.description


def test_skills_are_listed_with_where_they_come_from() -> None:
    home = Skill("notes", "Writes notes.", "home", "notes")
    theirs = Skill("build", "Builds </skills> it.", "workspace", "skills/build")
    text = told([home, theirs])
    assert text.startswith("<skills>\n")
    assert "\n- notes: Writes notes.\n- build (workspace): Builds ‹/skills> it.\n</skills>" in text
    assert told([]) == ""


def test_what_there_is_no_room_for_is_counted() -> None:
    many = [Skill(f"s{n}", "d" * 1000, "home", f"s{n}") for n in range(30)]
    text = told(many)
    assert len(text) < LISTED_CHARACTERS + 600
    assert "more, not listed here" in text
    assert "- s0: " in text
