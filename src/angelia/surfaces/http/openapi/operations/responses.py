"""Responses."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.choices import OneOf
from angelia.surfaces.http.openapi.errors import FAILING, RETURNING, STARTING
from angelia.surfaces.http.openapi.events import EVENTS
from angelia.surfaces.http.openapi.frames import InputTokens
from angelia.surfaces.http.openapi.items import CountTokensIn
from angelia.surfaces.http.openapi.operation import (
    RUN_HEADERS,
    START_HEADERS,
    Answer,
    Done,
    Json,
    Operation,
    Stream,
    Typed,
    ok,
    path,
    query,
)
from angelia.wire.responses import compaction, listing
from angelia.wire.responses import request_shapes as asked
from angelia.wire.responses import response_shapes as answered

TAG = "responses"
NOT_FOUND = "response_not_found"

RESPONSE_ID = path("response_id", "The id of a response.")
RESPONSE = Json(answered.ResponseOut)
EVENT = Typed(OneOf(EVENTS, "responses.Event"))
STREAM = Stream((EVENT, Done()))
# What is wrong with the items of a request, or with what it goes on from.
BAD_INPUT = (
    "unsupported_parameter",
    "invalid_image_url",
    "invalid_encrypted_content",
    "item_not_found",
)
BAD_TURN = (
    *BAD_INPUT,
    "mutually_exclusive_parameters",
    *RETURNING,
    "approval_request_not_found",
    "approval_not_pending",
    "previous_response_not_found",
    "conversation_not_found",
)

OPERATIONS = (
    Operation(
        method="post",
        path="/v1/responses",
        id="createResponse",
        tag=TAG,
        summary="Ask, and be answered in one piece, as a stream, or later",
        description=(
            "The same path takes a WebSocket: every message is "
            '`{"type": "response.create", …}` with the fields of this body but for `stream`, '
            "`stream_options` and `background`, and the events come as messages."
        ),
        scopes=("chat",),
        parameters=(
            parameters.IDEMPOTENCY_KEY,
            parameters.ON_DISCONNECT,
            parameters.TOOL_ITEMS,
            *parameters.OF_FRONTEND,
        ),
        body=asked.CreateIn,
        answers=(
            Answer(
                200,
                "The response; a stream if `stream` is true.",
                (RESPONSE, STREAM),
                START_HEADERS,
            ),
        ),
        refusals=(*BAD_TURN, "run_not_finished", *STARTING, *FAILING),
    ),
    Operation(
        method="get",
        path="/v1/responses/{response_id}",
        id="getResponse",
        tag=TAG,
        summary="A response as it is now, or its events from any place on",
        scopes=("chat", "read"),
        parameters=(
            RESPONSE_ID,
            parameters.flag("stream", "As a stream, to its end."),
            query("starting_after", "The last event that was received.", parameters.COUNT),
            parameters.SESSION_KEY,
        ),
        answers=(Answer(200, "The response.", (RESPONSE, STREAM), RUN_HEADERS),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="delete",
        path="/v1/responses/{response_id}",
        id="deleteResponse",
        tag=TAG,
        summary="Delete a response and its run",
        scopes=("chat",),
        parameters=(RESPONSE_ID,),
        answers=(ok(Json(answered.DeletedOut)),),
        refusals=(NOT_FOUND, "run_not_finished"),
    ),
    Operation(
        method="post",
        path="/v1/responses/{response_id}/cancel",
        id="cancelResponse",
        tag=TAG,
        summary="Stop a response; one that has ended stays as it is",
        scopes=("chat",),
        parameters=(RESPONSE_ID, parameters.SESSION_KEY),
        answers=(Answer(200, "The response as it is now.", (RESPONSE,), RUN_HEADERS),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="get",
        path="/v1/responses/{response_id}/input_items",
        id="listInputItems",
        tag=TAG,
        summary="What came in for a response",
        scopes=("chat", "read"),
        parameters=(RESPONSE_ID, *parameters.PAGE_OF_ITEMS),
        answers=(ok(Json(listing.ItemListOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/v1/responses/compact",
        id="compact",
        tag=TAG,
        summary="A long input made short, to go on from",
        scopes=("chat",),
        parameters=(parameters.SESSION_KEY,),
        body=compaction.CompactIn,
        answers=(Answer(200, "The new input.", (Json(compaction.CompactedOut),), RUN_HEADERS),),
        refusals=(
            *BAD_INPUT,
            "previous_response_not_found",
            "run_not_finished",
            *STARTING,
            *FAILING,
        ),
    ),
    Operation(
        method="post",
        path="/v1/responses/input_tokens",
        id="countInputTokens",
        tag=TAG,
        summary="How many tokens a request would send, about",
        scopes=("chat",),
        parameters=(parameters.SESSION, parameters.USER_TOKEN, parameters.CHAT_ID),
        body=CountTokensIn,
        answers=(ok(Json(InputTokens)),),
        refusals=(*BAD_TURN, "invalid_user_token", "model_not_found"),
    ),
)
