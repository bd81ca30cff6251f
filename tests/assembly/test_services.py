"""What settings become when they are put together."""

from pathlib import Path

import pytest

from angelia.assembly.services import open_services
from angelia.config import ConfigError, load

POOL = """
[providers.{name}]
base_url = "http://127.0.0.1:9/v1"
keys = ["one", "two", "three"]
[models.big]
provider = "{name}"
[agent]
model = "{first}"
fallback = ["{second}"]
"""


@pytest.mark.parametrize("order", [("big", "default"), ("default", "big")])
@pytest.mark.parametrize(
    ("name", "environ"),
    [
        ("openai", {"OPENAI_API_KEY": "four", "ANGELIA_MODEL": ""}),
        ("default", {"ANGELIA_BASE_URL": "http://127.0.0.1:8/v1", "ANGELIA_UPSTREAM_KEY": "four"}),
    ],
)
async def test_every_key_of_a_route_has_its_place_in_the_pool(
    tmp_path: Path, name: str, environ: dict[str, str], order: tuple[str, str]
) -> None:
    model = '[model]\nname = "small"\n' if name == "openai" else ""
    text = model + POOL.format(name=name, first=order[0], second=order[1])
    (tmp_path / "angelia.toml").write_text(text)
    settings = load({"ANGELIA_LOG": "error", **environ}, home=tmp_path)
    async with open_services(settings) as services:
        routes = [route for agent in services.runs.agents for route in agent.chain.routes]
        assert {len(route.clients) for route in routes} == {1, 3}
        assert all(len(route.clients) == len(route.provider.pool) for route in routes)


async def test_a_tool_that_does_not_exist_is_named(tmp_path: Path) -> None:
    (tmp_path / "angelia.toml").write_text('[agents.scribe]\ntools = ["reed_file"]\n')
    with pytest.raises(ConfigError) as caught:
        async with open_services(load({"ANGELIA_LOG": "error"}, home=tmp_path)):
            pass
    assert str(caught.value) == (
        f"{tmp_path}/angelia.toml: agents.\"scribe\".tools: there is no tool 'reed_file'; "
        "did you mean 'read_file'?"
    )
