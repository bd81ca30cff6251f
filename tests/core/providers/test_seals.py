from angelia.core.messages import Assistant, Reasoning, Reply, Seal, Text, ToolCall, user
from angelia.core.providers.seals import legible, minted

SEAL = Seal("anthropic", "{}")
MESSAGE = Assistant((Reasoning("hm", SEAL), Text("x"), ToolCall("a", "t", "{}", SEAL)))


def test_seals_go_back_to_whoever_minted_them_and_to_nobody_else():
    made = minted(Reply(MESSAGE, "stop"), "a.example").message
    assert legible((user("x"), made), "a.example") == (user("x"), made)
    (shown,) = legible((made,), "b.example")
    assert shown == Assistant((Reasoning("hm"), Text("x"), ToolCall("a", "t", "{}")))


def test_a_seal_that_nobody_marked_may_be_anybodys():
    assert legible((MESSAGE,), "b.example") == (MESSAGE,)


def test_a_reply_without_seals_stays_as_it_is():
    reply = Reply(Assistant((Reasoning("hm"), Text("x"))), "stop")
    assert minted(reply, "a.example") is reply
