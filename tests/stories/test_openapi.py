"""The document is true: requests made from it are answered as it says, and by nothing else."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from schemathesis import Case
from schemathesis.checks import CheckContext, CheckFunction
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.transport import Response

from angelia.surfaces.http.openapi.document import build
from tests.stories.belongings import SECONDS, Tenant, belongings, slots
from tests.support.scripted import scripted
from tests.support.server import AngeliaServer

CONFIG = {
    "seed": 8642,
    "generation": {
        "max-examples": 6,
        "deterministic": True,
        "no-shrink": True,
        "with-security-parameters": False,
        "allow-extra-parameters": False,
    },
    "phases": {"stateful": {"enabled": False}},
    # What they take is a part of what POST /v1/responses takes, or all of it.
    "operations": [
        {"include-path": path, "phases": {"coverage": {"enabled": False}}}
        for path in (
            "/v1/responses/compact",
            "/v1/responses/input_tokens",
            "/v1/conversations",
            "/v1/conversations/{conversation_id}/items",
        )
    ],
}
# A large body is wrong in very many ways; so many of them are tried, and then every nth.
ALL_OF, ONE_IN = 40, 11
# Whatever the fuzz has the model say, no tool touches anything.
SETTINGS = """
[agent]
max_seconds = 5
[approvals]
deny = ["terminal", "write_file"]
ask = ["read_file"]
[schedule]
max_jobs = 100000
"""

DOCUMENT = json.loads(build())
schema = schemathesis.openapi.from_dict(DOCUMENT, config=schemathesis.Config.from_dict(CONFIG))
# It has no end that anybody could wait for; `test_feed.py` holds it against the document.
schema = schema.exclude(path="/api/feed")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AngeliaServer]:
    folder = tmp_path_factory.mktemp("openapi")
    with scripted(folder, SETTINGS, ANGELIA_APPROVALS="ask") as stage:
        yield stage.server


class Real:
    """Lets every second request that asks for any id ask for one that exists."""

    def __init__(self, tenant: Tenant) -> None:
        self._tenant = tenant
        self._shared = self._things()
        self._turn = 0

    def lend(self, case: Case) -> None:
        self._turn += 1
        wanted = slots(case.path)
        if not wanted or self._turn % 2 or not _is_free_to_choose(case):
            return
        # What is deleted, and what is changed for good, is nobody else's.
        fresh = case.method in ("DELETE", "PATCH")
        owned = self._things() if fresh else self._shared
        case.path_parameters = {slot: owned[slot] for slot in wanted}

    def _things(self) -> dict[str, str]:
        key = self._tenant.made("POST", "/api/keys", {"name": "spare"})
        of_all = {"model": "angelia", "tool_name": "process", "server_name": "spare"}
        if not any(each["name"] == "spare" for each in self._servers()):
            spare = {"name": "spare", "command": "true", "disabled": True}
            self._tenant.made("POST", "/api/mcp", spare)
        return {**belongings(self._tenant), "key_id": key["id"], **of_all}

    def _servers(self) -> list[dict[str, Any]]:
        return self._tenant.made("GET", "/v1/mcp")["data"]


def _is_free_to_choose(case: Case) -> bool:
    path = case.meta.components.get(ParameterLocation.PATH) if case.meta else None
    return path is None or path.mode.is_positive


@pytest.fixture(scope="module")
def real(fuzzed: AngeliaServer) -> Iterator[Real]:
    tenant = Tenant(fuzzed.url, fuzzed.key, "long 1")
    yield Real(tenant)
    tenant.close()


def call_nobody(case: Case) -> None:
    """A webhook that is a good one would be sent something."""
    if isinstance(case.body, dict) and case.meta and case.meta.generation.mode.is_positive:
        case.body.pop("webhook", None)
        # Nor does any program start that the fuzz has thought of.
        if case.path == "/api/mcp":
            case.body["disabled"] = True


# ── checks ──────────────────────────────────────────────────────────────────────────────────

# What a request that follows the document can never be told.
NOT_SAID = {"invalid_json", "invalid_type", "missing_required_parameter"}
# To a schema, 1.0 is an integer.
A_FRACTION = "expected an integer or null, got a number"
# They are read only where something else in the request makes use of them.
READ_LATE = {
    "followRun": {"X-Angelia-Tool-Events", "X-Angelia-Tool-Items"},
}
SOMETIMES_READ = {"X-Hermes-Session-Id", "X-Hermes-Session-Key", "X-Angelia-Tool-Items"}


def what_follows_the_document_is_understood(
    _: CheckContext, response: Response, case: Case
) -> None:
    if case.meta and case.meta.generation.mode.is_positive and response.status_code == 400:
        error = response.json()["error"]
        assert error["code"] not in NOT_SAID or A_FRACTION in error["message"], error


def check(name: str) -> CheckFunction:
    return schemathesis.checks.CHECKS.get_one(name)


def does_not_apply(case: Case) -> list[CheckFunction]:
    """A body may be well formed and still ask for what cannot be, such as an unknown id in it."""
    checks = [check("positive_data_acceptance")]
    data = case.meta.phase.data if case.meta else None
    if data is not None:
        wrong = {data.parameter, *(mutation.parameter for mutation in data.mutations)}
        late = SOMETIMES_READ | READ_LATE.get(case.operation.definition.raw["operationId"], set())
        checks += [check("negative_data_rejection")] if wrong & late else []
    # The id of a session may hold slashes, so the path of another method is an id.
    if case.path.startswith(("/api/sessions/{session_id}/", "/api/mcp/{server_name}/")):
        checks.append(check("unsupported_method"))
    return checks


@pytest.fixture(scope="module")
def seen() -> Counter[str]:
    return Counter()


@schema.parametrize()
def test_answers_are_what_the_document_says(
    case: Case, fuzzed: AngeliaServer, real: Real, seen: Counter[str]
) -> None:
    seen[case.operation.label] += 1
    if seen[case.operation.label] > ALL_OF and seen[case.operation.label] % ONE_IN:
        return
    real.lend(case)
    call_nobody(case)
    case.call_and_validate(
        base_url=fuzzed.url,
        headers={"Authorization": f"Bearer {fuzzed.key}"},
        additional_checks=[what_follows_the_document_is_understood],
        excluded_checks=does_not_apply(case),
        timeout=SECONDS,
    )
