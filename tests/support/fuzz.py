"""Arguments for any tool, made from its own schema: right, nearly right, and hostile.

@given(data=st.data())
async def test_…(tool, data):
    arguments = data.draw(arguments_of(tool))
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from angelia.ports import Tool

Schema = Mapping[str, Any]

HOSTILE_PATHS = (
    *(
        "..",
        "../secret",
        "../../etc/passwd",
        "a/../../secret",
        "/etc/passwd",
        "/",
        "//",
        "/proc/self/environ",
    ),
    *(
        "~",
        "~/x",
        "a\0b",
        "\0",
        ".",
        "./.",
        "",
        " ",
        "a/",
        "a//b",
        "-rf",
        "--help",
        "*",
        "a\nb",
        "\u202e",
    ),
    *(
        "x/" * 3000,
        "y" * 5000,
        "caf\u00e9",
        "cafe\u0301",
        "\U0001f600",
        "a\\..\\b",
        "file:///etc/passwd",
    ),
    *(
        "door/secret",
        "link",
        "round/round/a",
        "a/b/c",
        "a.txt",
        ".git/config",
        "CON",
        "nul",
        "%2e%2e/x",
    ),
)
HOSTILE_WORDS = (
    *("$(touch pwned)", "`touch pwned`", "'; touch pwned; '", "(", "[", "*", "(a+)+$", "\\", "\0"),
    *("{a", "[z-a]", "**", "<script>", "%s%n", "\ufeff", "\r\n", "a" * 5000, "(?P<x>a)(?P=x)"),
)
EDGES = (0, 1, -1, 2**31, 2**63, 10**30, -(10**30))

HOSTILE = HOSTILE_PATHS + HOSTILE_WORDS


def _hostile(number: int) -> str:
    """By its number: a strategy names all that it chooses from, and these are long."""
    return HOSTILE[number]


texts = st.integers(0, len(HOSTILE) - 1).map(_hostile) | st.text(max_size=20)
anything = st.recursive(
    st.none() | st.booleans() | st.sampled_from(EDGES) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def arguments_of(tool: Tool, words: Sequence[str] = ()) -> st.SearchStrategy[str]:
    """JSON as a model might write it; `words` are texts that mean something to this tool."""
    schema = json.loads(bytes(tool.spec.parameters))
    right = fitting(schema, st.sampled_from(words) | texts if words else texts)
    wrong = right.flatmap(_spoiled)
    return right.map(json.dumps) | wrong.map(json.dumps) | right.flatmap(_garbled)


def fitting(schema: Schema, strings: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    """Values that the schema allows."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    if "anyOf" in schema:
        return st.one_of([fitting(each, strings) for each in schema["anyOf"]])
    match schema.get("type"):
        case "object":
            return _objects(schema, strings)
        case "array":
            least, most = schema.get("minItems", 0), schema.get("maxItems")
            most = min(least + 3, most) if most is not None else least + 3
            items = fitting(schema.get("items", {}), strings)
            return st.lists(items, min_size=least, max_size=most)
        case "string":
            least, most = schema.get("minLength", 0), schema.get("maxLength", 10**6)
            return strings.filter(lambda text: least <= len(text) <= most)
        case "integer":
            return st.integers(schema.get("minimum", -10), schema.get("maximum", 10**6))
        case "number":
            low, high = schema.get("minimum", 0.001), schema.get("maximum", 10**6)
            return st.floats(low, high, allow_nan=False)
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case _:
            return anything


def _objects(schema: Schema, strings: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: fitting(each, strings) for name, each in schema.get("properties", {}).items()}
    needed = {name: fields[name] for name in schema.get("required", ())}
    others = {name: each for name, each in fields.items() if name not in needed}
    return st.fixed_dictionaries(needed, optional=others)


def _spoiled(good: dict[str, Any]) -> st.SearchStrategy[Any]:
    """One field missing, of another type, at its edge, or not known."""
    names = st.sampled_from(sorted(good)) if good else st.just("path")
    return st.one_of(
        names.map(lambda name: {key: each for key, each in good.items() if key != name}),
        st.tuples(names, anything).map(lambda pair: {**good, pair[0]: pair[1]}),
        st.tuples(names, st.sampled_from(EDGES)).map(lambda pair: {**good, pair[0]: pair[1]}),
        st.tuples(st.text(max_size=8), anything).map(lambda pair: {**good, pair[0]: pair[1]}),
        anything,
    )


def _garbled(good: dict[str, Any]) -> st.SearchStrategy[str]:
    """JSON that is cut off or has a character too many, and texts that are none."""
    text = json.dumps(good)
    cut = st.integers(0, len(text)).map(lambda end: text[:end])
    torn = st.tuples(st.integers(0, len(text)), st.text(max_size=2)).map(
        lambda pair: text[: pair[0]] + pair[1] + text[pair[0] :]
    )
    return cut | torn | st.text(max_size=20)
