"""Whatever can go wrong with a provider: how the scripted server does it, and what it calls for.

What a trouble calls for is what the wire contract says of it, not what the code happens to do.
"""

from typing import Any, Literal

from msgspec import Struct, field

# How far an answer comes before it fails.
Place = Literal["start", "reasoning", "text", "arguments"]

# What is to be done about it: ask again; ask with another key; ask somebody else; give up;
# make the conversation shorter, of which there is nothing to leave out here; ask without
# streaming; nothing, since it is no trouble at all.
Remedy = Literal["again", "rotate", "next", "give_up", "shorten", "whole", "fine"]


class Trouble(Struct, frozen=True):
    """`fault` is for the scripted server, `code` is what a run fails with.

    `late` shows all of the answer before it fails. `stalls` takes patience to notice. What
    `lingers` is remembered of a provider, so nobody else may use that one.
    """

    name: str
    fault: dict[str, Any]
    remedy: Remedy = "again"
    code: str = "upstream_refused"
    place: Place = "start"
    late: bool = False
    stalls: bool = False
    lingers: bool = False
    more: str = field(default="")


REFUSED = "upstream_refused"
GARBLED = "upstream_garbled"
STALLED = "upstream_stalled"
UNREACHABLE = "upstream_unreachable"
# The keys of all providers begin with it; nobody may ever see one.
SECRET = "sk-test-0123456789abcdef"
POLICY = {"message": "This was flagged by the content policy.", "type": "content_policy_violation"}

BEFORE_ANYTHING = (
    *(Trouble(f"status-{status}", {"status": status}) for status in (408, 409, 500, 503, 529)),
    Trouble("status-429", {"status": 429, "retry_after": 0.05}, lingers=True),
    Trouble("limited", {"status": 429, "headers": {"retry-after-ms": "50"}}, lingers=True),
    *(
        Trouble(f"status-{status}", {"status": status}, "rotate", lingers=True)
        for status in (401, 402, 403)
    ),
    Trouble("status-404", {"status": 404}, "next"),
    *(Trouble(f"status-{status}", {"status": status}, "give_up") for status in (400, 422)),
    Trouble("policy", {"error_event": POLICY}, "give_up"),
    Trouble("echo", {"status": 400, "body": {"error": {"message": f"No: {SECRET}0"}}}, "give_up"),
    Trouble("overflow", {"overflow": 1}, "shorten", code="context_length_exceeded"),
    Trouble("reset", {"reset": True}, code=UNREACHABLE),
    Trouble("garbage", {"garbage": True}, code=GARBLED),
    Trouble("nonsense", {"status": 200, "body": "<html>"}, code=GARBLED),
    Trouble("cut", {"cut": "start"}, code=UNREACHABLE),
    Trouble("cut-open", {"cut": "open"}, code=UNREACHABLE),
    Trouble("hang", {"hang": True}, code=STALLED, stalls=True),
    Trouble("stall", {"stall": "start"}, code=STALLED, stalls=True),
    Trouble("stall-open", {"stall": "open"}, code=STALLED, stalls=True),
    Trouble("comments", {"comments": "start"}, code=STALLED, stalls=True),
    Trouble("slow", {"delay_first": 60}, code=STALLED, stalls=True),
    Trouble("empty", {"empty": True}, code=GARBLED),
    Trouble("no-finish", {"no_finish": "open"}, code=GARBLED),
    Trouble("malformed", {"malformed": "start"}, code=GARBLED),
    Trouble("error", {"error_event": "overloaded_error"}),
    Trouble("error-open", {"error_event": "overloaded_error", "after": "open"}),
    Trouble("failed", {"error_event": "server_error", "after": "open"}),
    Trouble("lost", {"error_event": "lost"}),
)


def inside(place: Place) -> tuple[Trouble, ...]:
    """What can go wrong in the middle of an answer."""
    return (
        Trouble("cut", {"cut": place}, code=UNREACHABLE, place=place),
        Trouble("stall", {"stall": place}, code=STALLED, place=place, stalls=True),
        Trouble("comments", {"comments": place}, code=STALLED, place=place, stalls=True),
        Trouble("malformed", {"malformed": place}, code=GARBLED, place=place),
        Trouble("broken-off", {"no_finish": place}, code=GARBLED, place=place),
        Trouble("no-finish", {"no_finish": True}, code=GARBLED, place=place, late=True),
        Trouble("error", {"error_event": "overloaded_error", "after": place}, place=place),
        Trouble("failed", {"error_event": "server_error", "after": place}, place=place),
        Trouble("lost", {"error_event": "lost", "after": place}, place=place),
        Trouble("policy", {"error_event": POLICY, "after": place}, "give_up", place=place),
    )


IN_THOUGHT = tuple(trouble for trouble in inside("reasoning") if not trouble.late)
IN_TEXT = inside("text")
IN_ARGUMENTS = inside("arguments")

HARMLESS = (
    Trouble("no-usage", {"no_usage": True}, "fine"),
    Trouble("trickle", {"trickle": 7}, "fine"),
    Trouble("crlf", {"crlf": True}, "fine"),
    Trouble("bom", {"bom": True}, "fine"),
    Trouble("late", {"delay_first": 0.2}, "fine"),
    Trouble("giant", {"giant": 250_000}, "fine", more="x" * 250_000),
    Trouble("one-body", {"no_stream": "ignore"}, "fine"),
)
NO_STREAM = tuple(
    Trouble(f"no-stream-{how}", {"no_stream": how}, "whole", lingers=True)
    for how in ("refuse", "error", "event")
)
