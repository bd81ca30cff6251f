"""Chat completions."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.errors import FAILING, RETURNING, STARTING
from angelia.surfaces.http.openapi.frames import (
    ChatChunk,
    CompletionDeleted,
    Error,
    ToolProgressChunk,
)
from angelia.surfaces.http.openapi.operation import (
    RUN_HEADERS,
    START_HEADERS,
    Answer,
    Done,
    Event,
    Json,
    Operation,
    Stream,
    ok,
    path,
)
from angelia.wire.chat import shapes as wire

TAG = "chat"
NOT_FOUND = "completion_not_found"

COMPLETION_ID = path("completion_id", "The id of a chat completion.")

STREAM = Stream(
    (
        Event(ChatChunk),
        Event(ToolProgressChunk, "hermes.tool.progress"),
        Event(Error),
        Done(),
    )
)

OPERATIONS = (
    Operation(
        method="post",
        path="/v1/chat/completions",
        id="createChatCompletion",
        tag=TAG,
        summary="Ask, and be answered in one piece or as a stream",
        scopes=("chat",),
        parameters=(
            parameters.IDEMPOTENCY_KEY,
            parameters.ON_DISCONNECT,
            parameters.TOOL_EVENTS,
            *parameters.OF_FRONTEND,
            parameters.TASK,
        ),
        body=wire.RequestIn,
        answers=(
            Answer(
                200,
                "The answer; a stream if `stream` is true.",
                (Json(wire.CompletionOut), STREAM),
                START_HEADERS,
            ),
        ),
        refusals=(
            "unsupported_parameter",
            "invalid_image_url",
            *RETURNING,
            *STARTING,
            *FAILING,
        ),
    ),
    Operation(
        method="get",
        path="/v1/chat/completions/{completion_id}",
        id="getChatCompletion",
        tag=TAG,
        summary="A completion again, in one piece or as a stream from its start",
        scopes=("chat", "read"),
        parameters=(
            COMPLETION_ID,
            parameters.flag("stream", "As a stream, also while it is under way."),
            parameters.flag("include_usage", "The stream tells the usage before it ends."),
            parameters.TOOL_EVENTS,
            parameters.SESSION_KEY,
        ),
        answers=(Answer(200, "The answer.", (Json(wire.CompletionOut), STREAM), RUN_HEADERS),),
        refusals=(NOT_FOUND, "run_not_finished", *FAILING),
    ),
    Operation(
        method="delete",
        path="/v1/chat/completions/{completion_id}",
        id="deleteChatCompletion",
        tag=TAG,
        summary="Delete a completion and its run",
        scopes=("chat",),
        parameters=(COMPLETION_ID,),
        answers=(ok(Json(CompletionDeleted)),),
        refusals=(NOT_FOUND, "run_not_finished"),
    ),
)
