"""What the Open Responses specification and the openai package think of our JSON.

Some things go by OpenAI's names, which the specification lacks: `mcp_call` items with their events,
`mcp_approval_request` items, and `response.reasoning_text.*`, for `response.reasoning.*` there.
"""

from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator
from msgspec import json
from openai.types.responses import ResponseStreamEvent
from openai.types.responses.response_output_item import McpApprovalRequest, McpCall
from pydantic import TypeAdapter

SPEC = Path(__file__).parents[2] / "golden" / "open-responses-2026-04-24.openapi.json"

_events = TypeAdapter(ResponseStreamEvent)


@cache
def components() -> dict:
    found = json.decode(SPEC.read_bytes())["components"]
    effort = found["schemas"]["ReasoningEffortEnum"]
    # Two of the efforts that it describes are missing in its list.
    effort["enum"] = sorted({*effort["enum"], *effort["x-enumDescriptions"], "max"})
    return found


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": components()}
    )


@cache
def events() -> dict[str, str]:
    """The name of the schema of every type of event."""
    return {
        schema["properties"]["type"]["enum"][0]: name
        for name, schema in components()["schemas"].items()
        if name.endswith("StreamingEvent")
    }


def check(name: str, value: object) -> None:
    validator(name).validate(value)


ITEMS = {
    "message": "Message",
    "function_call": "FunctionCall",
    "function_call_output": "FunctionCallOutput",
    "reasoning": "ReasoningBody",
    "compaction": "CompactionBody",
}


OF_OPENAI = {"mcp_call": McpCall, "mcp_approval_request": McpApprovalRequest}


def check_item(item: dict) -> None:
    if item["type"] in OF_OPENAI:
        OF_OPENAI[item["type"]].model_validate(item, strict=True)
    else:
        check(ITEMS[item["type"]], item)


def check_response(response: dict) -> None:
    for item in response["output"]:
        check_item(item)
    check("ResponseResource", response | {"output": []})


def check_event(event: dict) -> None:
    """Valid by the specification, and known to the openai package."""
    kind = event["type"].replace("response.reasoning_text.", "response.reasoning.")
    if "response" in event:
        for item in event["response"]["output"]:
            check_item(item)
        check(events()[kind], event | {"response": event["response"] | {"output": []}})
        return
    _events.validate_python(event)
    if "item" in event:
        check_item(event["item"])
    elif "mcp_call" not in kind:
        check(events()[kind], event | {"type": kind})
