"""Every code in the source is in the table, and every code in the table is in the source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import angelia
from angelia.surfaces.http.openapi.errors import CODES, by_status

SRC = Path(angelia.__file__).parent
PAGE = SRC.parent.parent / "docs" / "http-api.md"
# Where no error of the HTTP API is made.
ELSEWHERE = ("surfaces/cli/", "surfaces/upstream/", "surfaces/http/openapi/", "config/")
# They carry a code that is news, not an error.
NEWS = {"Notice", "NoticeOut", "ToolResumedOut"}


def sources() -> Iterator[ast.Module]:
    for path in sorted(SRC.rglob("*.py")):
        if not path.relative_to(SRC).as_posix().startswith(ELSEWHERE):
            yield ast.parse(path.read_text())


def texts(node: ast.expr) -> set[str]:
    """The words that an expression may come to, if they stand in it."""
    match node:
        case ast.Constant(value=str() as word):
            return {word}
        case ast.IfExp(body=one, orelse=other):
            return texts(one) | texts(other)
        case ast.BoolOp(values=values):
            return {word for value in values for word in texts(value)}
        case _:
            return set()


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def codes_in(node: ast.AST) -> set[str]:
    match node:
        case ast.Call() if called(node) in NEWS:
            return set()
        case ast.Call():
            named = {w for k in node.keywords if k.arg == "code" for w in texts(k.value)}
            place = {"ErrorBody": 3, "Failed": 1}.get(called(node))
            given = node.args[place : place + 1] if place is not None else []
            return named | {word for value in given for word in texts(value)}
        case ast.Assign(targets=[ast.Name(id="code" | "CODE")], value=value):
            return texts(value)
        case _:
            return set()


def test_the_table_has_every_code_and_no_other() -> None:
    found = {code for tree in sources() for node in ast.walk(tree) for code in codes_in(node)}
    assert found == set(CODES)


def test_every_code_is_documented_as_it_is() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d, ]+) \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    told = {
        name: (", ".join(str(s) for s in (code.status, code.also) if s), code.meaning)
        for name, code in CODES.items()
    }
    assert {name: (statuses, meaning) for name, statuses, meaning in rows} == told


def test_what_the_page_about_errors_says_exists() -> None:
    text = (PAGE.parent / "errors.md").read_text()
    assert set(re.findall(r"code `(\w+)`", text)) - set(CODES) == set()


def test_codes_are_grouped_by_status_and_told_once() -> None:
    grouped = by_status(("run_not_found", "invalid_json", "model_not_found", "run_not_found"))
    assert list(grouped) == [
        (400, ("invalid_json",)),
        (404, ("run_not_found", "model_not_found")),
    ]


def test_a_code_of_two_statuses_is_told_with_both() -> None:
    assert dict(by_status(("item_not_found",))) == {
        400: ("item_not_found",),
        404: ("item_not_found",),
    }
