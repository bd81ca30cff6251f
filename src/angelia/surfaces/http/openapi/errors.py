"""Every code that an error may carry, with the statuses it comes with and what it means."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from msgspec import Struct

ErrorType = Literal[
    "invalid_request_error",
    "permission_error",
    "not_found_error",
    "conflict_error",
    "rate_limit_error",
    "upstream_error",
    "server_error",
]


class Code(Struct, frozen=True):
    """`also` is another status that the same thing comes with, depending on where it was named."""

    status: int
    meaning: str
    also: int | None = None


CODES: Mapping[str, Code] = {
    "invalid_json": Code(400, "the body is not JSON, not UTF-8 or nested too deeply"),
    "invalid_type": Code(400, "a field has a value of another type"),
    "invalid_value": Code(400, "a field has a value that it cannot have"),
    "missing_required_parameter": Code(400, "a field is missing"),
    "unsupported_parameter": Code(400, "known elsewhere, not supported here"),
    "invalid_image_url": Code(400, "not an http(s) URL or a data:image/… URL"),
    "invalid_request": Code(400, "the run cannot be put to this provider"),
    "mutually_exclusive_parameters": Code(400, "two fields that exclude each other"),
    "invalid_encrypted_content": Code(400, "not as this server handed it out"),
    "item_not_found": Code(400, "no such item, or not yours", also=404),
    "context_length_exceeded": Code(400, "more than the model can read"),
    "search_too_broad": Code(400, "too much was said with these words; add one"),
    "approval_request_not_found": Code(400, "no such approval request, or not yours"),
    "missing_tool_results": Code(400, "only some of the results that the run waits for"),
    "websocket_connection_limit_reached": Code(400, "a WebSocket lasts 60 minutes"),
    "cors_refused": Code(400, "a browser's question that is answered with no"),
    "invalid_api_key": Code(401, "no key, or not one of this server's"),
    "invalid_user_token": Code(401, "the token of the end user does not hold"),
    "missing_scope": Code(403, "the key lacks the scope"),
    "not_found": Code(404, "no such route"),
    "model_not_found": Code(404, "no such model, or not one that the key may use"),
    "run_not_found": Code(404, "no such run, or not yours"),
    "call_not_found": Code(404, "the run has no such tool call"),
    "completion_not_found": Code(404, "no such chat completion, or not yours"),
    "response_not_found": Code(404, "no such response, or not yours"),
    "conversation_not_found": Code(404, "no such conversation, or not yours"),
    "session_not_found": Code(404, "no such session, or not yours"),
    "grant_not_found": Code(404, "no such grant, or not yours"),
    "note_not_found": Code(404, "no such note, or not yours"),
    "job_not_found": Code(404, "no such job, or not yours"),
    "firing_not_found": Code(404, "the job has no such firing"),
    "tool_not_found": Code(404, "no such tool, or none that you may see"),
    "mcp_server_not_found": Code(404, "no such MCP server"),
    "key_not_found": Code(404, "no such key, or none that you may see"),
    "previous_response_not_found": Code(
        404, "no such response, or not yours; 400 on a WebSocket", also=400
    ),
    "method_not_allowed": Code(405, "not a method of this route; `Allow` lists those it has"),
    "run_ended": Code(409, "the run has ended"),
    "run_not_finished": Code(409, "the run is under way; stop it first"),
    "run_not_started": Code(409, "the run waits for its turn and has said nothing"),
    "run_not_waiting": Code(409, "the run waits for no results"),
    "run_cancelled": Code(409, "the run was stopped before it completed"),
    "run_exists": Code(409, "there is such a run already"),
    "tool_running": Code(409, "the call is under way; follow its events"),
    "approval_not_pending": Code(409, "no such approval is pending"),
    "idempotency_key_conflict": Code(409, "the key was used with another body"),
    "claim_held": Code(409, "another request has brought the same results"),
    "session_exists": Code(409, "there is such a session already"),
    "session_busy": Code(409, "a turn of the session is under way; wait for it or stop it"),
    "items_incomplete": Code(409, "the conversation holds more than its items; none is removed"),
    "memory_full": Code(409, "as much is noted as may be; shorten or forget something"),
    "job_finished": Code(409, "the job has no time left to come"),
    "too_many_jobs": Code(409, "the key has as many jobs as it may have"),
    "mcp_server_exists": Code(
        409, "there is such an MCP server already, or one of its tools' names"
    ),
    "mcp_server_in_file": Code(409, "the MCP server stands in a file, which the message names"),
    "mcp_server_off": Code(409, "the MCP server is switched off"),
    "too_many_mcp_servers": Code(409, "as many MCP servers were added as may be; remove one"),
    "own_key": Code(409, "a key cannot do this to itself"),
    "last_admin_key": Code(409, "it is the last key with the admin scope"),
    "key_revoked": Code(409, "the key is revoked"),
    "key_exists": Code(409, "there is such a key already"),
    "body_too_large": Code(413, "the body is larger than the limit, which the message names"),
    "range_not_satisfiable": Code(416, "the range lies outside the output"),
    "rate_limit_exceeded": Code(429, "too many requests in a minute"),
    "too_many_runs": Code(429, "too many runs at once"),
    "too_many_sockets": Code(429, "too many WebSockets at once"),
    "too_many_messages": Code(429, "too much waits on the WebSocket; the message was dropped"),
    "budget_exceeded": Code(429, "the budget of the day or the month is used up"),
    "approval_expired": Code(500, "nobody answered a call that waited for a person"),
    "loop": Code(500, "the model made the same calls with the same results again and again"),
    "internal_error": Code(500, "a defect; the server's log has the details"),
    "upstream_error": Code(502, "the provider failed"),
    "upstream_unreachable": Code(502, "no connection to the provider, or it was lost"),
    "upstream_stalled": Code(502, "the provider was silent for longer than its budget"),
    "upstream_refused": Code(502, "the provider answered with an error"),
    "upstream_garbled": Code(502, "what the provider sent is not the protocol"),
    "log_unavailable": Code(503, "the log cannot be written at the moment"),
    "log_damaged": Code(503, "the database is damaged; `angelia recover` brings it back"),
    "server_stopping": Code(503, "the server stops; a run that was started goes on"),
    "disk_full": Code(507, "the server's disk is full; runs under way wait for space"),
}

EVERYWHERE = (
    "internal_error",
    "log_unavailable",
    "log_damaged",
    "server_stopping",
    "disk_full",
)
WITH_PARAMETERS = ("invalid_value",)
WITH_KEY = ("invalid_api_key", "missing_scope")
WITH_BODY = (
    "invalid_json",
    "invalid_type",
    "invalid_value",
    "missing_required_parameter",
    "body_too_large",
)
# Of all that writes as much as its client likes.
ADMITTED = ("rate_limit_exceeded", "too_many_runs", "budget_exceeded")
STARTING = (
    "context_length_exceeded",
    "invalid_user_token",
    "model_not_found",
    "idempotency_key_conflict",
    "session_busy",
    *ADMITTED,
)
# What is wrong with the results of a client's tools.
RETURNING = ("missing_tool_results", "run_not_waiting", "claim_held")
# How a run may fail before anything of it was sent.
FAILING = (
    "invalid_request",
    "run_cancelled",
    "approval_expired",
    "context_length_exceeded",
    "loop",
    "upstream_unreachable",
    "upstream_stalled",
    "upstream_refused",
    "upstream_garbled",
)


def by_status(codes: Iterable[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The codes of each status, in order."""
    grouped: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        for status in (CODES[code].status, CODES[code].also):
            if status is not None:
                grouped.setdefault(status, []).append(code)
    for status in sorted(grouped):
        yield status, tuple(grouped[status])
