"""Conversations and their items."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.errors import ADMITTED
from angelia.surfaces.http.openapi.operation import Json, Operation, ok, path
from angelia.surfaces.http.openapi.operations.responses import BAD_INPUT
from angelia.surfaces.http.openapi.precise import ITEM_OUT
from angelia.wire.responses import conversations as wire
from angelia.wire.responses import listing
from angelia.wire.responses.response_shapes import DeletedOut

TAG = "conversations"
NOT_FOUND = "conversation_not_found"

CONVERSATION_ID = path("conversation_id", "The id of a conversation, which is a session.")
ITEM_ID = path("item_id", "The id of an item of the conversation.")
CONVERSATION = Json(wire.ConversationOut)

OPERATIONS = (
    Operation(
        method="post",
        path="/v1/conversations",
        id="createConversation",
        tag=TAG,
        summary="Make a conversation, empty or with items",
        scopes=("chat",),
        body=wire.CreateConversationIn,
        body_required=False,
        answers=(ok(CONVERSATION),),
        refusals=(*ADMITTED, *BAD_INPUT),
    ),
    Operation(
        method="get",
        path="/v1/conversations/{conversation_id}",
        id="getConversation",
        tag=TAG,
        summary="One conversation",
        scopes=("chat", "read"),
        parameters=(CONVERSATION_ID,),
        answers=(ok(CONVERSATION),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/v1/conversations/{conversation_id}",
        id="changeConversation",
        tag=TAG,
        summary="Give a conversation other metadata",
        scopes=("chat",),
        parameters=(CONVERSATION_ID,),
        body=wire.UpdateConversationIn,
        answers=(ok(CONVERSATION),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="delete",
        path="/v1/conversations/{conversation_id}",
        id="deleteConversation",
        tag=TAG,
        summary="Delete a conversation and all that belongs to it",
        scopes=("chat",),
        parameters=(CONVERSATION_ID,),
        answers=(ok(Json(DeletedOut)),),
        refusals=(NOT_FOUND, "session_busy"),
    ),
    Operation(
        method="get",
        path="/v1/conversations/{conversation_id}/items",
        id="listItems",
        tag=TAG,
        summary="The items of a conversation",
        scopes=("chat", "read"),
        parameters=(CONVERSATION_ID, *parameters.PAGE_OF_ITEMS),
        answers=(ok(Json(listing.ItemListOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path="/v1/conversations/{conversation_id}/items",
        id="createItems",
        tag=TAG,
        summary="Add items to a conversation",
        scopes=("chat",),
        parameters=(CONVERSATION_ID,),
        body=wire.CreateItemsIn,
        answers=(ok(Json(listing.ItemListOut)),),
        refusals=(NOT_FOUND, "session_busy", *ADMITTED, *BAD_INPUT),
    ),
    Operation(
        method="get",
        path="/v1/conversations/{conversation_id}/items/{item_id}",
        id="getItem",
        tag=TAG,
        summary="One item of a conversation",
        scopes=("chat", "read"),
        parameters=(CONVERSATION_ID, ITEM_ID),
        answers=(ok(Json(ITEM_OUT)),),
        refusals=(NOT_FOUND, "item_not_found"),
    ),
    Operation(
        method="delete",
        path="/v1/conversations/{conversation_id}/items/{item_id}",
        id="deleteItem",
        tag=TAG,
        summary="Take an item out of a conversation",
        scopes=("chat",),
        parameters=(CONVERSATION_ID, ITEM_ID),
        answers=(ok(CONVERSATION),),
        refusals=(NOT_FOUND, "item_not_found", "session_busy", "items_incomplete", *ADMITTED),
    ),
)
