"""The program: the command line, with the parts that its commands set in motion."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from angelia.surfaces.cli.app import build

if TYPE_CHECKING:
    from angelia.config import ModelSettings, ProviderSettings, Settings
    from angelia.ports import McpStatus, Salvage
    from angelia.runtime.services import Services
    from angelia.wire.offers import Offered


class Program:
    """Each part is imported when a command needs it."""

    def open_services(self, settings: "Settings") -> "AbstractAsyncContextManager[Services]":
        from angelia.assembly.services import open_services

        return open_services(settings)

    async def serve(
        self, settings: "Settings", on_ready: "Callable[[Services, str], None]"
    ) -> None:
        from angelia.assembly.server import serve

        await serve(settings, on_ready)

    def embedded_server(
        self, settings: "Settings", *, as_configured: bool = False
    ) -> "AbstractAsyncContextManager[tuple[str, str]]":
        from angelia.assembly.server import embedded_server

        return embedded_server(settings, as_configured=as_configured)

    async def ask_once(self, model: "ModelSettings") -> str | None:
        from angelia.assembly.probes import ask_once

        return await ask_once(model)

    async def offers(self, provider: "ProviderSettings", seconds: float) -> "Offered":
        from angelia.assembly.probes import offers

        return await offers(provider, seconds)

    async def sandbox(self, settings: "Settings") -> tuple[str, str]:
        from angelia.assembly.sandbox import sandbox_found

        return await sandbox_found(settings)

    async def mcp(self, settings: "Settings") -> None:
        from angelia.surfaces.mcp.server import serve

        await serve(settings, self.open_services)

    async def look_at_mcp(self, settings: "Settings") -> "Sequence[McpStatus]":
        from angelia.assembly.mcp import look_at_mcp

        return await look_at_mcp(settings)

    def recover(self, settings: "Settings", *, dry_run: bool) -> "Salvage":
        from angelia.assembly.recovering import recover

        return recover(settings, dry_run=dry_run)

    async def upstream(
        self, host: str, port: int, script: Path | None, pace: float, chaos: float, seed: int
    ) -> None:
        from angelia.surfaces.upstream import Chaos, run

        await run(host, port, script, pace, Chaos(chaos, seed) if chaos else None)


def main() -> None:
    build(Program())()


if __name__ == "__main__":
    main()
