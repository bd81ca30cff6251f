import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.demo.plan import LONGEST, Plan, Wanted, plan

FAIL = ("terminal", {"command": "echo 'failing on purpose' >&2; exit 1"})


def _calls(text: str) -> list[tuple[str, dict[str, str]]]:
    return [(call.tool, json.loads(call.arguments)) for call in plan(text).calls]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("hello", []),
        ("`ls -la`", [("terminal", {"command": "ls -la"})]),
        (
            "Run `ls` and `pwd`, please.",
            [("terminal", {"command": "ls"}), ("terminal", {"command": "pwd"})],
        ),
        ("```sh\necho a\necho b\n```", [("terminal", {"command": "echo a\necho b"})]),
        ("an `unclosed command", []),
        ("` `", []),
        ("read notes.txt", [("read_file", {"path": "notes.txt"})]),
        ("Please read the file 'a b", []),
        ("Read file src/a.py!", [("read_file", {"path": "src/a.py"})]),
        ("have you read it", []),
        ("read the whole story", []),
        (
            "write a.txt: hello, you and me",
            [("write_file", {"path": "a.txt", "content": "hello, you and me"})],
        ),
        (
            "write to b.txt:one\nread b.txt",
            [
                ("write_file", {"path": "b.txt", "content": "one"}),
                ("read_file", {"path": "b.txt"}),
            ],
        ),
        ("list", [("list_files", {"path": "."})]),
        ("list .", [("list_files", {"path": "."})]),
        ("List the files in src.", [("list_files", {"path": "src"})]),
        ("list src", [("list_files", {"path": "src"})]),
        ("list of things to do", []),
        ("sleep 2", [("terminal", {"command": "sleep 2"})]),
        ("sleep for 0.5 seconds", [("terminal", {"command": "sleep 0.5"})]),
        ("fail", [FAIL]),
        ("I fail to see it", []),
        (
            "read a.txt, list and then fail",
            [("read_file", {"path": "a.txt"}), ("list_files", {"path": "."}), FAIL],
        ),
        ("call weather", [("weather", {})]),
        ('call weather {"city": "Bern, CH"}', [("weather", {"city": "Bern, CH"})]),
        (
            'call a {"x": {"y": "}"}} and call b.',
            [("a", {"x": {"y": "}"}}), ("b", {})],
        ),
        ("call weather {broken", [("weather", {})]),
        ("call me when you are there", []),
    ],
)
def test_a_message_asks_for_these_calls(text: str, calls: list[tuple[str, dict[str, str]]]):
    assert _calls(text) == calls


def test_json_arguments_are_kept_as_they_were_written():
    assert plan('call a {"x":  1.0}').calls == (Wanted("a", '{"x":  1.0}'),)


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("think", Plan(think=True)),
        ("Please think about it", Plan(think=True)),
        ("I think so", Plan()),
        ("long 20", Plan(words=20)),
        (f"long {LONGEST + 1}", Plan(words=LONGEST)),
        ("as long as 20", Plan()),
        ("What is in this image?", Plan(images=True)),
        ("imagine", Plan()),
        ("think, then long 3", Plan(think=True, words=3)),
    ],
)
def test_a_message_asks_for_these_manners(text: str, wishes: Plan):
    assert plan(text) == wishes


@given(st.text(alphabet="readlistcall `'{}\":.,\n x1", max_size=60))
def test_every_text_has_a_plan_with_json_arguments(text: str):
    for call in plan(text).calls:
        assert isinstance(json.loads(call.arguments), dict)
