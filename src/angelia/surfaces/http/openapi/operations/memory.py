"""Notes that outlast conversations."""

from angelia.surfaces.http.openapi import parameters
from angelia.surfaces.http.openapi.errors import ADMITTED
from angelia.surfaces.http.openapi.operation import Answer, Json, Operation, ok, path, query
from angelia.surfaces.http.openapi.shapes import Parameter
from angelia.wire.memory import shapes as wire

TAG = "memory"
PATH = "/api/memory"
WRITE = ("chat", "runs")
READ = (*WRITE, "read")
NOT_FOUND = "note_not_found"
FULL = "memory_full"

NOTE_ID = path("note_id", "The id of a note.")
USER = "Only those of this end user; empty for those without one."
SCOPE = query(
    "session_key",
    "Only those with this `X-Hermes-Session-Key`; empty for those without one.",
    parameters.TEXT,
)

OPERATIONS = (
    Operation(
        method="get",
        path=PATH,
        id="listNotes",
        tag=TAG,
        summary="Notes, as they came",
        scopes=READ,
        parameters=(
            parameters.limit(),
            parameters.after("note"),
            query("user", USER, parameters.TEXT),
            SCOPE,
        ),
        answers=(ok(Json(wire.NotesOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="post",
        path=PATH,
        id="addNote",
        tag=TAG,
        summary="Note something; one that says the same already is not written twice",
        scopes=WRITE,
        parameters=(parameters.SESSION_KEY, parameters.USER_TOKEN),
        body=wire.AddNoteIn,
        answers=(Answer(201, "It is noted.", (Json(wire.NoteOut),)),),
        refusals=("invalid_user_token", FULL, *ADMITTED),
    ),
    Operation(
        method="delete",
        path=PATH,
        id="forgetNotes",
        tag=TAG,
        summary="Forget all notes of a user",
        scopes=WRITE,
        parameters=(Parameter("user", "query", USER, parameters.TEXT, required=True), SCOPE),
        answers=(ok(Json(wire.NotesDeletedOut)),),
        refusals=("missing_required_parameter",),
    ),
    Operation(
        method="get",
        path=f"{PATH}/{{note_id}}",
        id="getNote",
        tag=TAG,
        summary="One note",
        scopes=READ,
        parameters=(NOTE_ID,),
        answers=(ok(Json(wire.NoteOut)),),
        refusals=(NOT_FOUND,),
    ),
    Operation(
        method="patch",
        path=f"{PATH}/{{note_id}}",
        id="changeNote",
        tag=TAG,
        summary="Edit a note",
        scopes=WRITE,
        parameters=(NOTE_ID,),
        body=wire.ChangeNoteIn,
        answers=(ok(Json(wire.NoteOut)),),
        refusals=(NOT_FOUND, FULL),
    ),
    Operation(
        method="delete",
        path=f"{PATH}/{{note_id}}",
        id="forgetNote",
        tag=TAG,
        summary="Forget a note",
        scopes=WRITE,
        parameters=(NOTE_ID,),
        answers=(ok(Json(wire.NoteDeletedOut)),),
        refusals=(NOT_FOUND,),
    ),
)
