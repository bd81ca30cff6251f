import contextlib
import json
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from angelia.errors import ToolError
from angelia.ports import ToolContext, ToolOutput
from angelia.tools.define import Arguments, near_name, one_line, tool
from tests.tools.watching import Watcher


class Spot(Struct, frozen=True, forbid_unknown_fields=True):
    x: int
    title: str = ""


class Paint(Arguments, frozen=True):
    """Not for the model."""

    colour: Annotated[str, Meta(description="The colour.")]
    coats: Annotated[int, Meta(ge=1, le=9)] = 1
    spots: tuple[Spot, ...] = ()


@tool(
    Paint,
    effect="idempotent",
    emoji="🎨",
    label=lambda arguments: f"in {arguments.colour}",
    lane=lambda arguments: arguments.colour,
)
async def paint(arguments: Paint, context: ToolContext) -> str:
    """Paint the wall."""
    await context.show("painting")
    return f"{arguments.coats} coats of {arguments.colour}"


def test_name_and_description_come_from_the_function():
    assert paint.spec.name == "paint"
    assert paint.spec.description == "Paint the wall."
    assert paint.spec.effect == "idempotent"
    assert paint.spec.owner == "server"
    assert paint.emoji == "🎨"


def test_the_schema_is_one_object_without_references():
    assert json.loads(bytes(paint.spec.parameters)) == {
        "type": "object",
        "properties": {
            "colour": {"description": "The colour.", "type": "string"},
            "coats": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
            "spots": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "x": {"type": "integer"},
                        "title": {"type": "string", "default": ""},
                    },
                    "required": ["x"],
                    "additionalProperties": False,
                },
                "default": [],
            },
        },
        "required": ["colour"],
        "additionalProperties": False,
    }


async def test_a_call_gets_checked_arguments_and_may_show_what_it_does():
    watcher = Watcher()
    output = await paint.call('{"colour": "red", "coats": 2}', watcher)
    assert output == ToolOutput("2 coats of red", "ok")
    assert watcher.shown == [("painting", "stdout")]


class Nothing(Arguments, frozen=True):
    pass


@pytest.mark.parametrize("arguments", ["", "  \n", "{}"])
async def test_empty_arguments_are_an_empty_object(arguments: str):
    @tool(Nothing, effect="pure", emoji="")
    async def rest(arguments: Nothing, context: ToolContext) -> ToolOutput:
        return ToolOutput("rested", "error")

    assert await rest.call(arguments, Watcher()) == ToolOutput("rested", "error")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ('{"colour": "red", "coats": "2"}', "expected int for 'coats', got string"),
        ('{"colour": "red", "coats": 0}', "expected int >= 1 for 'coats'"),
        ('{"colour": null}', "expected string for 'colour', got null"),
        ("{}", "'colour' is missing"),
        ("[]", "expected object, got array"),
        ('"red"', "expected object, got string"),
        (
            '{"color": "red"}',
            "'color' is not an argument (arguments: colour, coats, spots); did you mean 'colour'?",
        ),
        (
            '{"colour": "red", "zzz": 1}',
            "'zzz' is not an argument (arguments: colour, coats, spots)",
        ),
        ('{"colour": "red", "spots": [{"x": ""}]}', "expected int for 'spots[0].x', got string"),
        ('{"colour": "red", "spots": [{}]}', "'spots[0].x' is missing"),
        ('{"colour": "red", "spots": [{"x": 1, "y": 2}]}', "'spots[0].y' is not an argument"),
        ('{"colour": "red"', "not valid JSON: Input data was truncated"),
    ],
)
async def test_a_fault_names_the_field_and_what_was_expected(arguments: str, fault: str):
    with pytest.raises(ToolError) as caught:
        await paint.call(arguments, Watcher())
    assert str(caught.value) == f"Invalid arguments for paint: {fault}"


ODD = [
    "\ud800",
    "\0",
    "\ufeff{}",
    '{"colour": "\\ud800"}',
    '{"colour": ' + "[" * 100_000,
    '{"colour": "red", "coats": 1e999}',
    '{"colour": "red", "coats": ' + "9" * 5000 + "}",
]


@pytest.mark.parametrize("arguments", ODD)
async def test_odd_text_is_a_tool_error(arguments: str):
    with pytest.raises(ToolError, match="Invalid arguments for paint: "):
        await paint.call(arguments, Watcher())
    assert paint.lane(arguments) is None
    assert "\n" not in paint.label(arguments)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.sampled_from(["colour", "coats", "spots", "x"]) | st.text(), inner)
    ),
)


@given(st.text() | json_values.map(json.dumps))
async def test_whatever_a_model_writes_ends_in_output_or_a_tool_error(arguments: str):
    label = paint.label(arguments)
    assert len(label) <= 80
    assert label.isprintable()
    with contextlib.suppress(ToolError):
        assert isinstance(await paint.call(arguments, Watcher()), ToolOutput)


def test_label_and_lane_are_made_of_the_arguments():
    assert paint.label('{"colour": "red"}') == "in red"
    assert paint.lane('{"colour": "red"}') == "red"
    assert paint.label("no json\nat all") == "no json"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ls -la", "ls -la"),
        ("\n\n  ls\t-la\nrm", "ls -la"),
        ("a\x1b[31mb\0", "a [31mb"),
        ("x" * 100, "x" * 79 + "…"),
        ("", ""),
    ],
)
def test_one_line_is_the_first_that_says_something(text: str, line: str):
    assert one_line(text) == line


def test_case_does_not_hide_a_near_name():
    assert near_name("READ_FILE", ["read_file"]) == "read_file"
