from pathlib import Path

from angelia.assembly.mcp import look_at_mcp
from angelia.config import load
from angelia.surfaces.cli.doctor.mcp import mcp_checks
from angelia.surfaces.cli.doctor.served import Server
from tests.adapters.mcp.world import settings_for
from tests.conftest import StartServer
from tests.support.mcp import odd, pids


async def test_servers_are_tried_where_no_server_runs(tmp_path: Path) -> None:
    settings = settings_for(
        tmp_path, good=odd(tmp_path / "good", tools=["echo"]), bad=odd(tmp_path / "bad", "dying")
    )
    good, bad = await mcp_checks(Server(settings), look_at_mcp)
    assert (good.part, good.level, good.found) == ("mcp good", "ok", "1 tool")
    assert (bad.part, bad.level) == ("mcp bad", "note")
    assert "there is no database" in bad.found


async def test_a_running_server_tells_of_its_own(tmp_path: Path, start_server: StartServer) -> None:
    settings = settings_for(tmp_path, good=odd(tmp_path / "good"))
    server = start_server(ANGELIA_MCP_CONFIG=str(settings.mcp_config))
    (good,) = await mcp_checks(Server(load(server.env)), look_at_mcp)
    assert good.level == "ok"
    assert len(pids(tmp_path / "good")) == 1
