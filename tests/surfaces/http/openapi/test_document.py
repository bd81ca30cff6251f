"""The document describes every route and nothing else, and is what OpenAPI 3.1 asks for."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR
from starlette.routing import Route

import angelia
from angelia.core.messages import Usage
from angelia.surfaces.http.app import ROUTES
from angelia.surfaces.http.openapi.document import build, describe
from angelia.surfaces.http.openapi.errors import CODES
from angelia.surfaces.http.openapi.operations import OPERATIONS
from angelia.wire.runs import webhooks
from angelia.wire.runs.server import Facing, run_json
from tests.surfaces.http.openapi.reading import document, faults, operations, references

PAGE = Path(angelia.__file__).parent.parent.parent / "docs" / "http-api.md"
_SLOT = re.compile(r"{(\w+)(?::\w+)?}")


def routed() -> set[tuple[str, str]]:
    return {
        (method, _SLOT.sub(r"{\1}", route.path))
        for route in ROUTES
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD"
    }


def test_every_route_is_described() -> None:
    assert routed() - set(operations()) == set()


def test_nothing_is_described_that_is_no_route() -> None:
    assert set(operations()) - routed() == set()


def test_the_page_lists_every_operation_as_it_is() -> None:
    rows = re.findall(
        r"^\| `([A-Z]+) (/\S+)` \| (.*?) \| (.*?) \|$", PAGE.read_text(), re.MULTILINE
    )
    listed = {(method, path): (summary, scopes) for method, path, summary, scopes in rows}
    assert listed == {
        (each.method.upper(), each.path): (
            each.summary,
            ", ".join(f"`{scope}`" for scope in each.scopes) or "—",
        )
        for each in OPERATIONS
    }


def test_the_page_names_every_header_of_a_request() -> None:
    headers = {
        parameter.name
        for operation in OPERATIONS
        for parameter in operation.parameters
        if parameter.place == "header"
    }
    assert {name for name in headers if f"`{name}`" not in PAGE.read_text()} == set()


def test_it_is_openapi() -> None:
    assert [error.message for error in OPENAPI_31_VALIDATOR.iter_errors(document())] == []


def test_it_is_the_same_every_time() -> None:
    assert build() == build()


def test_every_reference_leads_somewhere() -> None:
    assert references(document())
    for reference in set(references(document())):
        part = document()
        for name in reference.removeprefix("#/").split("/"):
            part = part[name]


def test_every_schema_is_referred_to() -> None:
    used = {reference.rpartition("/")[2] for reference in references(document())}
    assert set(document()["components"]["schemas"]) - used == set()


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [operation["operationId"] for operation in operations().values()]
    assert len(set(names)) == len(names)


def test_every_tag_is_explained() -> None:
    explained = {tag["name"] for tag in document()["tags"]}
    used = {tag for operation in operations().values() for tag in operation["tags"]}
    assert used == explained


@pytest.mark.parametrize(("method", "path"), sorted(operations()))
def test_every_slot_of_a_path_is_a_parameter_and_no_other(method: str, path: str) -> None:
    parameters = operations()[method, path].get("parameters", [])
    named = {parameter["name"] for parameter in parameters if parameter["in"] == "path"}
    assert named == set(_SLOT.findall(path))


@pytest.mark.parametrize(("method", "path"), sorted(operations()))
def test_only_health_the_document_and_signing_in_need_no_key(method: str, path: str) -> None:
    operation = operations()[method, path]
    is_open = path.startswith("/health") or path in ("/openapi.json", "/api/signin")
    assert (operation.get("security") == []) is is_open
    # Whoever signs in may name a key that is none.
    may_refuse = not is_open or (method, path) == ("POST", "/api/signin")
    assert ("401" in operation["responses"]) is may_refuse


def codes(schemas: Iterable[dict]) -> set[str]:
    return {
        code
        for schema in schemas
        for part in schema.get("allOf", ())
        for code in part.get("properties", {})
        .get("error", {})
        .get("properties", {})
        .get("code", {})
        .get("enum", ())
        if code is not None
    }


@pytest.mark.parametrize(("method", "path"), sorted(operations()))
def test_every_error_says_which_codes_it_may_carry(method: str, path: str) -> None:
    for status, response in operations()[method, path]["responses"].items():
        schemas = [form["schema"] for form in response.get("content", {}).values()]
        if int(status) >= 400 and path != "/health/ready":
            assert codes(schemas), status
            for code in codes(schemas):
                assert int(status) in (CODES[code].status, CODES[code].also)


def test_a_part_of_the_operations_makes_a_document_too() -> None:
    alone = describe(OPERATIONS[:1])
    assert set(alone.paths) == {OPERATIONS[0].path}
    assert {"Error", "ErrorDetails", "Health"} <= set(alone.components.schemas)
    assert "Readiness" not in alone.components.schemas


def test_what_a_webhook_is_sent_is_described() -> None:
    run = run_json(
        Facing(
            run_id="run_1",
            status="completed",
            created_at=1.0,
            updated_at=2.0,
            session_id="",
            model="angelia",
            last_seq=3,
            output="Done.",
            usage=Usage(),
            cost=0.0,
            error=None,
        )
    )
    message = msgspec.json.decode(webhooks.body("run.completed", 1.5, run))
    assert faults("WebhookMessage", message) == []
    sent = document()["webhooks"]["run"]["post"]["parameters"]
    given = webhooks.headers("msg_1", 1, b"{}", "digest")
    assert {parameter["name"] for parameter in sent} <= set(given)
