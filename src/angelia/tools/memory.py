"""The tool `memory`: notes that a model keeps from one conversation to the next."""

from collections.abc import Sequence
from typing import Annotated, Literal, assert_never

from msgspec import Meta

from angelia.core.notes import NOTE_CHARACTERS, Note, NoteKind, Owner, cleaned, line, meant, size
from angelia.errors import RequestError, ToolError
from angelia.ports import Memories, Tool, ToolContext
from angelia.tools.define import Arguments, tool

TOOLSET = "memory"
# So many notes are named where words fit to more than one.
MOST_NAMED = 5

Action = Literal["add", "replace", "remove", "list"]
Text = Annotated[
    str, Meta(max_length=NOTE_CHARACTERS, description="What to note, for add and replace.")
]
Which = Annotated[
    str,
    Meta(
        max_length=NOTE_CHARACTERS,
        description="For replace and remove: the id of a note, or words that only it contains.",
    ),
]
Kind = Annotated[
    NoteKind,
    Meta(description="For add: `user` for facts about the user, `note` for everything else."),
]


class Remember(Arguments, frozen=True):
    action: Action
    text: Text = ""
    note: Which = ""
    kind: Kind = "note"


def memory(memories: Memories) -> Tool:
    @tool(
        Remember,
        name="memory",
        effect="idempotent",
        emoji="🧠",
        label=lambda arguments: f"{arguments.action} {arguments.text or arguments.note}".strip(),
        lane=lambda _: "memory",
        toolset=TOOLSET,
    )
    async def run(arguments: Remember, context: ToolContext) -> str:
        """Keep short notes that last longer than this conversation.

        Note what will still matter in later conversations: who the user is, what they prefer,
        corrections they made, facts about their work. Leave out what is only of use now, and
        never note passwords or keys. Notes are in your instructions from the next run on; few
        and short ones serve best, so replace a note instead of adding one that says it again.
        """
        whose = context.caller
        owner = Owner(whose.tenant, whose.user, whose.session_key)
        try:
            return await _done(memories, owner, arguments, context.run_id)
        except RequestError as error:
            raise ToolError(error.message) from error

    return run


async def _done(memories: Memories, owner: Owner, asked: Remember, run_id: str) -> str:
    match asked.action:
        case "list":
            return await _listed(memories, owner)
        case "add":
            note = await memories.add(owner, asked.text, asked.kind, run_id)
            return f"Noted as {note.id}.{_masked(note, asked)} {await _room(memories, owner)}"
        case "replace":
            old = await _meant(memories, owner, asked)
            # After a crash the call is made again: then the words are gone and the text is there.
            note = (
                old if old.text == cleaned(asked.text) else await memories.change(old, asked.text)
            )
            return f"Changed {note.id}.{_masked(note, asked)} {await _room(memories, owner)}"
        case "remove":
            old = await _meant(memories, owner, asked)
            await memories.forget(old)
            return f"Forgot {old.id}. {await _room(memories, owner)}"
        case _:
            assert_never(asked.action)


async def _listed(memories: Memories, owner: Owner) -> str:
    notes = await memories.notes(owner)
    lines = [f"{line(note)} ({note.kind})" for note in notes]
    return "\n".join((*lines, await _room(memories, owner)))


def _masked(note: Note, asked: Remember) -> str:
    hidden = "[redacted]" in note.text and "[redacted]" not in asked.text
    return " What looked like a secret was left out." if hidden else ""


async def _room(memories: Memories, owner: Owner) -> str:
    notes, bounds = await memories.notes(owner), memories.bounds
    return (
        f"{len(notes)} of {bounds.notes} notes, {size(notes):,} of {bounds.characters:,} "
        "characters are used."
    )


async def _meant(memories: Memories, owner: Owner, asked: Remember) -> Note:
    if not asked.note.strip():
        raise ToolError(f"'note' says which note to {asked.action}: its id or words of it.")
    notes = await memories.notes(owner)
    done = [one for one in notes if asked.action == "replace" and one.text == cleaned(asked.text)]
    found = meant(notes, asked.note) or tuple(done)
    if len(found) == 1:
        return found[0]
    if not found:
        raise ToolError(f"There is no note like {asked.note!r}. {_some(notes)}")
    raise ToolError(f"{len(found)} notes fit; name one by its id. {_some(found)}")


def _some(notes: Sequence[Note]) -> str:
    shown = "\n".join(line(note) for note in notes[:MOST_NAMED])
    more = f"\n… and {len(notes) - MOST_NAMED} more" if len(notes) > MOST_NAMED else ""
    return f"Notes:\n{shown}{more}" if notes else "There are none."
