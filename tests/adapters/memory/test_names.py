"""Names that mean something else the next time."""

from angelia.adapters.memory.names import ScriptedNames


async def test_answers_come_one_after_another_and_the_last_one_stays() -> None:
    names = ScriptedNames({"x": [["1.1.1.1"], ["2.2.2.2", "3.3.3.3"]]})
    said = [await names.find("x") for _ in range(3)]
    assert said == [("1.1.1.1",), ("2.2.2.2", "3.3.3.3"), ("2.2.2.2", "3.3.3.3")]
    assert names.asked == ["x", "x", "x"]
