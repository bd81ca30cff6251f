import pytest

from angelia.core.events import Cancelled, Completed, Exhausted, Failed
from angelia.core.messages import ToolCall, ToolSpec
from angelia.core.state import Call, Calling, Concluding, Ended, RunState, Thinking, Waiting

LOOK = ToolCall("a", "look", "{}")


def call(status):
    return Call(LOOK, status, "pure")


@pytest.mark.parametrize(
    ("phase", "status"),
    [
        (Thinking(), "running"),
        (Calling((call("running"), call("asked"))), "running"),
        (Waiting((call("client"), call("asked"))), "waiting_for_approval"),
        (Waiting((call("client"), call("done"))), "waiting_for_client"),
        (Concluding(Completed()), "running"),
        (Concluding(Cancelled(), (call("running"),)), "stopping"),
        (Ended(Completed("length")), "completed"),
        (Ended(Cancelled()), "cancelled"),
        (Ended(Failed("no", "code")), "failed"),
        (Ended(Exhausted("max_steps")), "failed"),
    ],
)
def test_a_phase_has_the_status_that_clients_see(phase, status):
    state = RunState(phase, "m", "", ())
    assert state.status == status
    assert state.calls == getattr(phase, "calls", ())
    assert state.ending == getattr(phase, "ending", None)


def test_a_tool_is_found_by_its_name():
    look = ToolSpec("look")
    state = RunState(Thinking(), "m", "", (), tools=(ToolSpec("send"), look))
    assert state.spec("look") is look
    assert state.spec("fly") is None
