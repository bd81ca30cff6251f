"""What the document says in words: about itself, its headers, its tags, its keys."""

from collections.abc import Mapping

from angelia.surfaces.http.openapi.shapes import Header, Schema, SecurityScheme, Tag

ABOUT = """\
An agent runtime. A run is a log of events, and every surface is a view of it: any run can be
followed, stopped and steered under `/v1/runs/{run_id}`, whatever route started it.

Every error is `{"error": {"message", "type", "param", "code"}}`. What belongs to another key does
not exist: 404, never 403. Unknown fields of a body and unknown parameters are ignored. `HEAD` works
wherever `GET` does. Streams are server-sent events; the schema of `text/event-stream` is that of
each event. Every answer carries `X-Content-Type-Options`, `Referrer-Policy`, `X-Frame-Options`,
`Content-Security-Policy` and `Cross-Origin-Resource-Policy`, and `Cache-Control: no-store` where it
does not say otherwise.\
"""

TAGS = (
    Tag("discovery", "Where a client is: health, models, tools, limits."),
    Tag("chat", "Chat completions, as OpenAI clients know them."),
    Tag("responses", "Responses, as the Open Responses specification and OpenAI have them."),
    Tag("conversations", "Conversations and their items, for responses."),
    Tag("runs", "Runs: start, follow, stop, steer, approve."),
    Tag("sessions", "Conversations: list, read, title, fork, search, export, delete."),
    Tag("memory", "Notes that outlast conversations: list, add, edit, forget."),
    Tag("jobs", "Work for later: made, listed, changed, paused, resumed, run now, removed."),
    Tag("tools", "The server's tools and MCP servers: switched, added, removed."),
    Tag("keys", "Keys, their limits, and what they used."),
    Tag("signin", "Signing in with a browser."),
)

PHRASES: Mapping[int, str] = {
    400: "A field is wrong",
    401: "No key, or a wrong one",
    403: "Not with this key",
    404: "No such thing, or not yours",
    409: "At odds with what already happened",
    413: "Too large",
    416: "Outside of what there is",
    429: "Too much for now",
    500: "A defect",
    502: "The provider failed",
    503: "Not at the moment",
    507: "No space left",
}

_TEXT = Schema(type="string")

HEADERS: Mapping[str, Header] = {
    "Accept-Ranges": Header(description="Parts can be asked for.", schema=Schema(const="bytes")),
    "Content-Disposition": Header(description="A name for the file.", schema=_TEXT),
    "Content-Range": Header(description="Which part this is, and of how much.", schema=_TEXT),
    "ETag": Header(description="The version of the document.", schema=_TEXT),
    "Idempotency-Replayed": Header(
        description="An earlier request with this `Idempotency-Key` started the run.",
        schema=Schema(const="true"),
    ),
    "Retry-After": Header(
        description="Seconds to wait.", schema=Schema(type="integer", minimum=0), required=True
    ),
    "X-Angelia-Run-Id": Header(description="The run behind this answer.", schema=_TEXT),
    "X-Hermes-Session-Id": Header(description="The session it belongs to.", schema=_TEXT),
    "X-Hermes-Session-Key": Header(description="What the request said.", schema=_TEXT),
}

WEBHOOK = (
    "A run that names a `webhook` tells it how it has ended, or that it waits. Messages are signed "
    "as Standard Webhooks asks for; an answer other than 2xx is followed by another try."
)
WEBHOOK_HEADERS: Mapping[str, str] = {
    "webhook-id": "The same for every try of one message.",
    "webhook-timestamp": "When this try was sent, in seconds since the epoch.",
    "webhook-signature": "`v1,` and the HMAC-SHA256 of id, time and body, in base64.",
}

SECURITY: Mapping[str, SecurityScheme] = {
    "bearer": SecurityScheme("http", "`Authorization: Bearer <key>`", scheme="bearer"),
    "apiKey": SecurityScheme("apiKey", "`x-api-key: <key>`", name="x-api-key", place="header"),
}
