import pytest

from angelia.adapters.memory.models import calls, says
from angelia.adapters.memory.sessions import MemorySessions
from angelia.core.messages import Assistant, Text, ToolCall, ToolResult, user
from angelia.errors import NotFound
from angelia.ports import Caller
from angelia.runtime.recollection import Recollection
from tests.runtime.world import OK, World

ANN = Caller("key_1", user="ann", session_key="work")
CALL = ToolCall("c1", "ok", "{}")


async def world() -> tuple[World, Recollection]:
    made = World([calls(CALL), says("The heron flies."), says("No heron here.")], OK)
    first = await made.start("heron?", session_id="s", user="ann", session_key="work")
    await made.finished(first)
    await made.finished(await made.start("heron!", session_id="t", user="bob"))
    return made, Recollection(MemorySessions(made.log), made.runs)


async def test_what_was_said_is_found_for_the_one_who_said_it() -> None:
    _, past = await world()
    (found,) = await past.search(ANN, "heron", 5)
    assert found.session.id == found.hit.session_id == "s"
    (theirs,) = await past.search(Caller("key_1", user="bob"), "heron", 5)
    assert theirs.session.id == "t"
    for other in (Caller("key_1"), Caller("key_1", user="ann"), Caller("key_2", user="bob")):
        assert list(await past.search(other, "heron", 5)) == []


async def test_a_session_is_read_with_calls_and_results_by_its_own_user_alone() -> None:
    _, past = await world()
    session, said = await past.read(ANN, "s")
    assert session.question == "heron?"
    assert said == (
        user("heron?"),
        Assistant((CALL,)),
        ToolResult("c1", "fine"),
        Assistant((Text("The heron flies."),)),
    )
    for other in (Caller("key_1"), Caller("key_1", user="bob"), Caller("key_2", user="ann")):
        with pytest.raises(NotFound):
            await past.read(other, "s")
    with pytest.raises(NotFound):
        await past.read(ANN, "nowhere")
