from angelia.surfaces.cli.ask import Ask
from angelia.surfaces.cli.changed import newest_change
from angelia.surfaces.cli.remote import Remote
from angelia.surfaces.cli.server import Server
from angelia.wire.runs.shapes import UndoIn
from tests.support.server import AngeliaServer


async def test_the_newest_run_with_changes_that_still_stand_is_found(server: AngeliaServer) -> None:
    async with Remote(server.url, server.key) as remote:

        async def said(prompt: str, session: str) -> str:
            run_id = await remote.start(Ask(prompt, session=session))
            async for _ in remote.events(run_id):
                pass
            return run_id

        at = Server(remote)
        assert await newest_change(at) is None
        first = await said("write a.txt: one", "s")
        second = await said("write b.txt: two", "t")
        await said("long 2", "s")
        under_way = await remote.start(Ask("sleep 60"))
        assert await newest_change(at) == second
        assert await newest_change(at, "s") == first
        await at.undo(second, UndoIn())
        assert await newest_change(at) == first
        await at.stop(under_way)
