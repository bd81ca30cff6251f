"""Runs: started, listed, followed, stopped, steered."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.errors import STARTING
from angelia.surfaces.http.openapi.frames import RunAccepted, RunDeleted, RunPage, RunStatus
from angelia.surfaces.http.openapi.operation import (
    RUN_HEADERS,
    START_HEADERS,
    Answer,
    Event,
    Json,
    Operation,
    Stream,
    Text,
    ok,
    query,
)
from angelia.surfaces.http.openapi.operations import chat, responses
from angelia.surfaces.http.openapi.precise import RUN_EVENT
from angelia.surfaces.http.openapi.shapes import Schema
from angelia.wire.chat import dialects as events
from angelia.wire.responses import dialects as items
from angelia.wire.runs import shapes as wire

TAG = "runs"
NOT_FOUND = "run_not_found"

STOPPING = Event(wire.ServerStoppingOut, "server.stopping")
STREAM = Stream((Event(RUN_EVENT), STOPPING, *chat.STREAM.events, responses.EVENT))

OPERATIONS = (
    Operation(
        method="post",
        path="/v1/runs",
        id="createRun",
        tag=TAG,
        summary="Start a run",
        scopes=("runs",),
        parameters=(parameters.IDEMPOTENCY_KEY, *parameters.OF_SESSION),
        body=wire.CreateRunIn,
        answers=(Answer(202, "It is under way.", (Json(RunAccepted),), START_HEADERS),),
        refusals=(
            "unsupported_parameter",
            "invalid_image_url",
            "previous_response_not_found",
            NOT_FOUND,
            "run_not_finished",
            "run_not_started",
            *STARTING,
        ),
    ),
    Operation(
        method="get",
        path="/v1/runs",
        id="listRuns",
        tag=TAG,
        summary="Runs, newest first",
        scopes=("runs", "read"),
        parameters=(
            query("session_id", "Only runs of this session.", parameters.TEXT),
            parameters.STATUS,
            query("model", "Only runs of this model.", parameters.TEXT),
            query("surface", "Only runs that came in this way.", parameters.TEXT),
            query("q", "A part of what was asked, in any case.", parameters.TEXT),
            query("since", "Created then or later, in seconds since 1970.", parameters.SECONDS),
            query("until", "Created before then, in seconds since 1970.", parameters.SECONDS),
            parameters.flag("delegated", "Whether to list runs of subagents.", usual=True),
            parameters.limit(),
            parameters.after("run"),
        ),
        answers=(ok(Json(RunPage)),),
        refusals=("invalid_value", NOT_FOUND),
    ),
    Operation(
        method="get",
        path="/v1/runs/{run_id}",
        id="getRun",
        tag=TAG,
        summary="A run as it is now",
        scopes=("runs", "read"),
        parameters=(parameters.RUN_ID,),
        answers=(ok(Json(wire.RunOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="delete",
        path="/v1/runs/{run_id}",
        id="deleteRun",
        tag=TAG,
        summary="Delete a finished run and all that belongs to it",
        scopes=("runs",),
        parameters=(parameters.RUN_ID,),
        answers=(ok(Json(RunDeleted)),),
        refusals=(NOT_FOUND, "run_not_finished"),
    ),
    Operation(
        method="get",
        path="/v1/runs/{run_id}/events",
        id="followRun",
        tag=TAG,
        summary="The events of a run, from any place in it, as they happen",
        scopes=("runs", "read"),
        parameters=(
            parameters.RUN_ID,
            parameters.AFTER_SEQ,
            parameters.LAST_EVENT_ID,
            parameters.flag(
                "deltas",
                "Without them: what is shown in pieces comes whole, when it is whole.",
                usual=True,
            ),
            query("as", "The same run in another protocol.", Schema(enum=("chat", "responses"))),
            parameters.TOOL_EVENTS,
            parameters.TOOL_ITEMS,
            parameters.SESSION_KEY,
        ),
        answers=(
            Answer(200, "Events up to the end.", (STREAM,), RUN_HEADERS),
            Answer(204, "The run has ended and nothing follows."),
        ),
        refusals=("invalid_value", NOT_FOUND),
    ),
    Operation(
        method="get",
        path="/v1/runs/{run_id}/views",
        id="listRunViews",
        tag=TAG,
        summary="What the followers of each protocol got for each event of a run",
        scopes=("runs", "read"),
        parameters=(
            parameters.RUN_ID,
            query("after", "The number of the last event of the page before.", parameters.COUNT),
            parameters.limit(most=1000, usual=500, least=1),
            query(
                "tool_events",
                "The form of tool calls between the chunks of a chat completion.",
                Schema(enum=events.DIALECTS),
            ),
            query(
                "tool_items",
                "The form of tool calls among the items of a response.",
                Schema(enum=items.DIALECTS),
            ),
        ),
        answers=(ok(Json(wire.ViewsOut)),),
        refusals=("invalid_value", NOT_FOUND),
    ),
    Operation(
        method="post",
        path="/v1/runs/{run_id}/stop",
        id="stopRun",
        tag=TAG,
        summary="Ask a run to end",
        scopes=("runs",),
        parameters=(parameters.RUN_ID,),
        answers=(ok(Json(RunStatus)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/v1/runs/{run_id}/approval",
        id="approve",
        tag=TAG,
        summary="Answer a call that waits for a person",
        scopes=("runs",),
        parameters=(parameters.RUN_ID,),
        body=wire.ApprovalIn,
        answers=(ok(Json(RunStatus)),),
        refusals=(NOT_FOUND, "approval_not_pending"),
    ),
    Operation(
        method="post",
        path="/v1/runs/{run_id}/steer",
        id="steerRun",
        tag=TAG,
        summary="Give a run under way a message",
        scopes=("runs",),
        parameters=(parameters.RUN_ID,),
        body=wire.SteerIn,
        answers=(ok(Json(RunStatus)),),
        refusals=(NOT_FOUND, "run_ended", "invalid_image_url"),
    ),
    Operation(
        method="get",
        path="/v1/runs/{run_id}/tools/{call_id}/output",
        id="getToolOutput",
        tag=TAG,
        summary="The whole output of a tool call, or a part of it",
        scopes=("runs", "read"),
        parameters=(parameters.RUN_ID, parameters.CALL_ID, parameters.RANGE),
        answers=(
            Answer(200, "All of it.", (Text("text/plain"),), ("Accept-Ranges",)),
            Answer(206, "The part.", (Text("text/plain"),), ("Accept-Ranges", "Content-Range")),
        ),
        refusals=(NOT_FOUND, "call_not_found", "tool_running", "range_not_satisfiable"),
    ),
    Operation(
        method="get",
        path="/api/feed",
        id="followRuns",
        tag=TAG,
        summary="A hint whenever a run begins, changes its status or ends",
        description=(
            "Hints only, the latest of each run: who connects anew asks for the list again. "
            "The stream has no end of its own."
        ),
        scopes=("runs", "read"),
        answers=(
            Answer(200, "Hints as they come.", (Stream((Event(wire.RunChangedOut), STOPPING)),)),
        ),
    ),
    Operation(
        method="get",
        path="/v1/runs/{run_id}/changes",
        id="getRunChanges",
        tag=TAG,
        summary="What a run has changed in the workspace, with diffs",
        scopes=("runs", "read"),
        parameters=(parameters.RUN_ID,),
        answers=(ok(Json(wire.ChangesOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/v1/runs/{run_id}/undo",
        id="undoRun",
        tag=TAG,
        summary="Bring back what was there before a run",
        scopes=("runs",),
        parameters=(parameters.RUN_ID,),
        body=wire.UndoIn,
        body_required=False,
        answers=(ok(Json(wire.UndoneOut)),),
        refusals=(NOT_FOUND, "run_not_finished"),
    ),
)
