"""Types become the schemas of what they read and write."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from angelia.surfaces.http.openapi.choices import ListOf, OneOf
from angelia.surfaces.http.openapi.schemas import Catalogue
from angelia.wire.chat import shapes as chat
from angelia.wire.runs import shapes as runs
from angelia.wire.sessions import shapes as sessions


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize(
    ("wanted", "schema"),
    [
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (None, {"type": "null"}),
        (object, {}),
        (Raw, {}),
        (Literal["b", "a"], {"enum": ["a", "b"]}),
        (str | None, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
        (tuple[()], {"type": "array", "maxItems": 0}),
        (OneOf((int, None)), {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (
            ListOf(OneOf((int, str)), least=1, most=2),
            {
                "type": "array",
                "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                "minItems": 1,
                "maxItems": 2,
            },
        ),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (
            dict[Annotated[str, Meta(max_length=64)], str],
            {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "propertyNames": {"type": "string", "maxLength": 64},
            },
        ),
        (
            Annotated[int, Meta(ge=1, lt=9)],
            {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
        ),
        (
            Annotated[float, Meta(gt=0, le=2)],
            {"type": "number", "exclusiveMinimum": 0, "maximum": 2},
        ),
        (
            Annotated[str, Meta(min_length=1, max_length=3, pattern="^x")],
            {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^x"},
        ),
        (
            Annotated[list[int], Meta(min_length=1, max_length=2)],
            {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
        ),
        (
            Annotated[str, Meta(description="A word.")],
            {"type": "string", "description": "A word."},
        ),
    ],
)
def test_a_type_says_what_it_allows(wanted: object, schema: dict[str, Any]) -> None:
    assert plain(Catalogue().of(wanted)) == schema


def test_what_has_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="no JSON schema"):
        Catalogue().of(complex)


class Given(Struct):
    """What somebody sends."""

    name: str
    size: int = 3
    note: str | UnsetType = UNSET


class Brief(Struct, omit_defaults=True):
    name: str
    size: int = 3


class Cat(Struct, tag_field="kind", tag="cat"):
    kittens: "list[Cat]"


class Dog(Struct, tag_field="kind", tag="dog"):
    pass


def described(wanted: type[Struct], *, answer: bool = False) -> dict[str, Any]:
    catalogue = Catalogue()
    assert plain(catalogue.of(wanted, answer=answer)) == {
        "$ref": f"#/components/schemas/{wanted.__name__}"
    }
    return plain(catalogue.schemas[wanted.__name__])


def test_a_request_may_leave_out_what_has_a_default() -> None:
    schema = described(Given)
    assert schema["required"] == ["name"]
    assert schema["description"] == "What somebody sends."
    assert schema["properties"]["size"] == {"type": "integer"}


def test_an_answer_has_every_field_but_those_that_may_be_unset() -> None:
    assert described(Given, answer=True)["required"] == ["name", "size"]


def test_an_answer_that_omits_defaults_need_not_have_them() -> None:
    assert described(Brief, answer=True)["required"] == ["name"]


def test_a_struct_may_hold_its_own_kind_and_carries_its_tag() -> None:
    schema = described(Cat, answer=True)
    assert schema["required"] == ["kind", "kittens"]
    assert schema["properties"]["kind"] == {"const": "cat"}
    assert schema["properties"]["kittens"]["items"] == {"$ref": "#/components/schemas/Cat"}


def test_a_tag_may_be_left_out_of_a_request_where_there_is_no_alternative() -> None:
    assert described(Cat)["required"] == ["kittens"]
    decoded = msgspec.json.decode(b'{"kittens": []}', type=Cat)
    assert decoded == Cat([])


@pytest.mark.parametrize("wanted", [Cat | Dog, OneOf((Cat, Dog))])
def test_alternatives_need_their_tag(wanted: object) -> None:
    options = plain(Catalogue().of(wanted))["anyOf"]
    assert [option["required"] for option in options] == [["kind"], ["kind"]]


def test_alternatives_are_told_apart_by_their_tag() -> None:
    schema = plain(Catalogue().of(Cat | Dog))
    assert schema["discriminator"] == {
        "propertyName": "kind",
        "mapping": {"cat": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog"},
    }


def test_what_is_not_tagged_throughout_has_no_discriminator() -> None:
    assert "discriminator" not in plain(Catalogue().of(Cat | Dog | None))


def test_structs_of_two_protocols_have_two_names() -> None:
    catalogue = Catalogue()
    catalogue.of(sessions.CallOut)
    catalogue.of(runs.CallOut)
    assert set(catalogue.schemas) == {"sessions.CallOut", "runs.CallOut"}


def test_a_struct_that_protocols_share_is_described_once() -> None:
    catalogue = Catalogue()
    catalogue.of(sessions.SystemIn)
    catalogue.of(runs.MessageIn)
    assert [name for name in catalogue.schemas if name.endswith(".TextIn")] == []
    assert "TextIn" in catalogue.schemas


def test_two_structs_of_one_name_are_a_mistake() -> None:
    catalogue = Catalogue()
    catalogue.of(Dog)
    other = msgspec.defstruct("Dog", [("x", int)], module=__name__)
    with pytest.raises(TypeError, match="both called Dog"):
        catalogue.of(other)


def test_a_choice_of_types_can_have_a_name() -> None:
    catalogue = Catalogue()
    pets = OneOf((Cat, Dog), "Pet")
    assert plain(catalogue.of(pets)) == {"$ref": "#/components/schemas/Pet"}
    assert [option["$ref"] for option in plain(catalogue.schemas["Pet"])["anyOf"]] == [
        "#/components/schemas/Cat",
        "#/components/schemas/Dog",
    ]


def test_what_is_told_of_a_field_holds_for_whatever_inherits_it() -> None:
    class Narrower(chat.FunctionIn):
        pass

    catalogue = Catalogue()
    catalogue.of(Narrower)
    told = plain(catalogue.schemas["Narrower"])["properties"]["parameters"]
    assert told["anyOf"] == [{"type": "object", "additionalProperties": {}}, {"type": "null"}]


def test_parts_that_are_refused_are_not_offered() -> None:
    catalogue = Catalogue()
    catalogue.of(chat.UserIn)
    assert "TextIn" in catalogue.schemas
    assert "chat.AudioIn" not in catalogue.schemas
