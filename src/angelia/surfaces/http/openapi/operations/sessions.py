"""Sessions: conversations as chains of runs."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.errors import ADMITTED
from angelia.surfaces.http.openapi.operation import Answer, Json, Operation, Text, ok, path, query
from angelia.surfaces.http.openapi.shapes import Parameter, Schema
from angelia.wire.sessions import shapes as wire

TAG = "sessions"
WRITE = ("chat", "runs")
READ = (*WRITE, "read")
NOT_FOUND = "session_not_found"

SESSION_ID = path("session_id", "The id of a session.")
USER = query("user", "Only those of this end user.", parameters.TEXT)
WORDS = Schema(type="string", min_length=1, max_length=400, pattern=r"\S")
FORMAT = query("format", "For machines or for people.", Schema(enum=("jsonl", "markdown")))
MADE = Answer(201, "It is made.", (Json(wire.SessionOut),))

OPERATIONS = (
    Operation(
        method="get",
        path="/api/sessions",
        id="listSessions",
        tag=TAG,
        summary="Sessions, latest change first",
        scopes=READ,
        parameters=(
            parameters.limit(),
            parameters.after("session"),
            USER,
            query("key", "Only those with this `X-Hermes-Session-Key`.", parameters.TEXT),
        ),
        answers=(ok(Json(wire.SessionsOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/api/sessions",
        id="createSession",
        tag=TAG,
        summary="Make a session, empty or with what was said before",
        scopes=WRITE,
        parameters=(parameters.SESSION_KEY, parameters.USER_TOKEN),
        body=wire.CreateIn,
        body_required=False,
        answers=(MADE,),
        refusals=("invalid_image_url", "invalid_user_token", "session_exists", *ADMITTED),
    ),
    Operation(
        method="get",
        path="/api/sessions/search",
        id="searchSessions",
        tag=TAG,
        summary="What was said, by its words",
        description="Every word must occur; the last may be cut off behind its third letter.",
        scopes=READ,
        parameters=(
            Parameter("q", "query", "The words to look for.", WORDS, required=True),
            USER,
            parameters.limit(),
        ),
        answers=(ok(Json(wire.HitsOut)),),
        refusals=("missing_required_parameter", "search_too_broad"),
    ),
    Operation(
        method="get",
        path="/api/sessions/{session_id}",
        id="getSession",
        tag=TAG,
        summary="One session",
        scopes=READ,
        parameters=(SESSION_ID,),
        answers=(ok(Json(wire.SessionOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="patch",
        path="/api/sessions/{session_id}",
        id="changeSession",
        tag=TAG,
        summary="Give a session a title or other metadata",
        scopes=WRITE,
        parameters=(SESSION_ID,),
        body=wire.ChangeIn,
        answers=(ok(Json(wire.SessionOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="delete",
        path="/api/sessions/{session_id}",
        id="deleteSession",
        tag=TAG,
        summary="Delete a session, its runs and all that belongs to them",
        scopes=WRITE,
        parameters=(SESSION_ID,),
        answers=(ok(Json(wire.DeletedOut)),),
        refusals=(NOT_FOUND, "session_busy"),
    ),
    Operation(
        method="get",
        path="/api/sessions/{session_id}/messages",
        id="listMessages",
        tag=TAG,
        summary="All that was said, tool calls and results included",
        scopes=READ,
        parameters=(
            SESSION_ID,
            parameters.limit(most=1_000, usual=100),
            query("after", "The index of the last message of the page before.", parameters.COUNT),
        ),
        answers=(ok(Json(wire.MessagesOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="get",
        path="/api/sessions/{session_id}/turns",
        id="listTurns",
        tag=TAG,
        summary="Its runs with what was asked and what happened, whatever branch they are of",
        scopes=READ,
        parameters=(
            SESSION_ID,
            parameters.limit(),
            query("before", "The first run of the page with newer ones.", parameters.TEXT),
        ),
        answers=(ok(Json(wire.TurnsOut)),),
        refusals=(NOT_FOUND, "run_not_found"),
    ),
    Operation(
        method="post",
        path="/api/sessions/{session_id}/fork",
        id="forkSession",
        tag=TAG,
        summary="A new session that begins with what was said in this one",
        scopes=WRITE,
        parameters=(SESSION_ID,),
        body=wire.ForkIn,
        body_required=False,
        answers=(MADE,),
        refusals=(NOT_FOUND, "run_not_found", "run_not_started", "session_exists", *ADMITTED),
    ),
    Operation(
        method="get",
        path="/api/sessions/{session_id}/export",
        id="exportSession",
        tag=TAG,
        summary="The session as a file",
        scopes=READ,
        parameters=(SESSION_ID, FORMAT),
        answers=(
            Answer(
                200,
                "One line for the session and one for each message, or a text.",
                (Text("application/jsonl"), Text("text/markdown")),
                ("Content-Disposition",),
            ),
        ),
        refusals=(NOT_FOUND,),
    ),
)
