import pytest

from angelia.config import load
from angelia.errors import RequestError
from angelia.surfaces.cli.doctor.clients.known import View
from angelia.surfaces.cli.doctor.served import Served, Server
from angelia.surfaces.cli.doctor.truth import tell
from angelia.surfaces.cli.doctor.verdict import judge
from tests.support.http import Client
from tests.support.server import AngeliaServer
from tests.surfaces.cli.doctor.streams import VIEWS

PROMPT = "think, `echo one`, `echo two` and fail"


@pytest.fixture
def place(demo_server: AngeliaServer) -> Server:
    return Server(load(demo_server.env))


async def ask(server: AngeliaServer, prompt: str) -> str:
    body = {"input": prompt}
    async with Client(server.url, server.key) as client:
        run_id = (await client.post("/v1/runs", body)).json["run_id"]
        async for _ in client.stream(f"/v1/runs/{run_id}/events"):
            pass
        return run_id


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.user_agent.split("/")[0])
async def test_a_run_of_the_server_is_shown_as_it_happened(
    demo_server: AngeliaServer, place: Server, view: View
) -> None:
    run_id = await ask(demo_server, PROMPT)
    assert await place.newest() == run_id
    assert await place.ended(run_id)
    served = Served(place, run_id)
    truth = tell(await served.events())
    assert len(truth.tools) == 3
    rendered = await served.rendered(view)
    shown = view.read(rendered.data)
    assert judge(view, truth, shown).problems == ()
    assert (shown.cards == []) == bool(view.hides_tools)


async def test_a_run_that_does_not_exist_is_named(place: Server) -> None:
    with pytest.raises(RequestError, match="has no run 'run_nowhere'"):
        await place.ended("run_nowhere")


async def test_nobody_answers_where_nobody_is(tmp_path) -> None:
    place = Server(load({"ANGELIA_HOME": str(tmp_path), "ANGELIA_PORT": "1"}))
    assert await place.get("/health") is None
    assert await place.newest() is None


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:7"),
        ("0.0.0.0", "http://127.0.0.1:7"),
        ("::", "http://[::1]:7"),
        ("box", "http://box:7"),
    ],
)
def test_where_this_machine_reaches_the_server(tmp_path, host: str, url: str) -> None:
    environ = {"ANGELIA_HOME": str(tmp_path), "ANGELIA_HOST": host, "ANGELIA_PORT": "7"}
    assert Server(load(environ)).url == url
