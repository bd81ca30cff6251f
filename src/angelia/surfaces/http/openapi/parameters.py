"""Parameters that several routes take."""

from typing import get_args

from angelia.core.state import Status
from angelia.surfaces.http.openapi.operation import header, path, query
from angelia.surfaces.http.openapi.shapes import Parameter, Schema
from angelia.wire.chat import dialects as events
from angelia.wire.responses import dialects as items

TEXT = Schema(type="string")
# An empty header is as good as none.
HEADER_PATTERN = "^[!-~]{0,256}$"
COUNT = Schema(type="integer", minimum=0, maximum=10**18 - 1)

RUN_ID = path("run_id", "The id of a run.")
CALL_ID = path("call_id", "The id of a tool call of the run.")

IDEMPOTENCY_KEY = header(
    "Idempotency-Key",
    "The same key with the same body within 24 hours leads to the same run.",
    Schema(type="string", max_length=255),
)
ON_DISCONNECT = header(
    "X-Angelia-On-Disconnect",
    "What happens to the run when the client leaves.",
    Schema(enum=("cancel", "continue")),
)
TOOL_EVENTS = header(
    "X-Angelia-Tool-Events",
    "The form in which tool calls are shown between the chunks of a stream.",
    Schema(enum=events.DIALECTS),
)
TOOL_ITEMS = header(
    "X-Angelia-Tool-Items",
    "The form in which tool calls of the server are items of a response.",
    Schema(enum=items.DIALECTS),
)
TOOLSETS = header(
    "X-Angelia-Toolsets",
    "The tools that the request wants of those it could use: names of tools or of toolsets, with "
    "commas between them; `none` for none.",
    TEXT,
)
SESSION = header(
    "X-Hermes-Session-Id",
    "The session that the request belongs to; one that does not exist is made.",
    Schema(type="string", pattern=HEADER_PATTERN),
)
SESSION_KEY = header(
    "X-Hermes-Session-Key",
    "The scope of memory that the client names; the answer repeats it.",
    Schema(type="string", pattern=HEADER_PATTERN),
)
USER_TOKEN = header(
    "X-OpenWebUI-User-Jwt",
    "Who the end user is, signed with the configured secret; ignored where there is none.",
    TEXT,
)
CHAT_ID = header("X-OpenWebUI-Chat-Id", "The chat of a frontend, which is a session here.", TEXT)
MESSAGE_ID = header(
    "X-OpenWebUI-Message-Id",
    "With the chat's id: the same message again joins its run while it lives.",
    TEXT,
)
TASK = header(
    "X-OpenWebUI-Task",
    "What a frontend asks for itself, such as a title; answered by the bare model.",
    TEXT,
)
LAST_EVENT_ID = header(
    "Last-Event-ID", "The id of the last event that was received; stronger than `after`.", COUNT
)
RANGE = header("Range", "The part that is wanted, such as `bytes=0-1023`.", TEXT)
AFTER_SEQ = query("after", "The number of the last event that was received.", COUNT)


def flag(name: str, description: str, *, usual: bool = False) -> Parameter:
    return query(name, description, Schema(type="boolean", default=usual))


def limit(most: int = 100, usual: int = 20, least: int = 0) -> Parameter:
    schema = Schema(type="integer", minimum=least, maximum=most, default=usual)
    return query("limit", "How many to list.", schema)


def after(what: str) -> Parameter:
    return query("after", f"The id of the last {what} of the page before.", TEXT)


_ANY_STATUS = f"({'|'.join(get_args(Status))})"
STATUS = query(
    "status",
    "Only runs with this status, or with one of several with commas between them.",
    Schema(type="string", pattern=f"^{_ANY_STATUS}(,{_ANY_STATUS})*$"),
)
SECONDS = Schema(type="number", minimum=0, maximum=10**12)
ORDER = query(
    "order", "Newest first, or as they came.", Schema(enum=("desc", "asc"), default="desc")
)

# Groups that stand together.
OF_SESSION = (SESSION, SESSION_KEY, USER_TOKEN, TOOLSETS)
OF_FRONTEND = (*OF_SESSION, CHAT_ID, MESSAGE_ID)
PAGE_OF_ITEMS = (limit(least=1), ORDER, after("item"))
