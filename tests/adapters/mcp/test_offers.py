from pathlib import Path

import msgspec

from tests.adapters.mcp.world import by_name, opened
from tests.support.mcp import everything, odd


async def test_a_schema_is_that_of_the_server_with_what_providers_insist_on(
    tmp_path: Path,
) -> None:
    async with opened(
        tmp_path, odd=odd(tmp_path / "odd"), everything=everything("stdio")
    ) as servers:
        tools = await by_name(servers)
        bare = msgspec.json.decode(tools["mcp__odd__echo"].spec.parameters)
        assert bare == {"type": "object", "properties": {}}
        whole = msgspec.json.decode(tools["mcp__everything__echo"].spec.parameters)
        assert whole["required"] == ["message"]
        assert whole["properties"]["message"]["type"] == "string"


async def test_descriptions_are_those_of_the_server(tmp_path: Path) -> None:
    async with opened(tmp_path, odd=odd(tmp_path / "odd")) as servers:
        assert (await by_name(servers))["mcp__odd__echo"].spec.description == "does echo"
