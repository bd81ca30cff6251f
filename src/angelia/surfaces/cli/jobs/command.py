"""`angelia jobs`: the jobs of a running server, from the command line."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

if TYPE_CHECKING:
    from angelia.config import Settings

Home = Annotated[Path | None, typer.Option(help="Home folder, instead of ANGELIA_HOME.")]
JobId = Annotated[str, typer.Argument(help="The id of a job.")]
AsJson = Annotated[bool, typer.Option("--json", help="The server's answer as it is.")]
SettingsOf = Callable[[Path | None], "Settings"]
Reported = Callable[[], AbstractContextManager[None]]


def register(root: typer.Typer, settings: SettingsOf, reported: Reported) -> None:
    """`reported` turns what goes wrong into a line and an exit code."""
    commands = JobCommands(settings, reported)
    jobs = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    for command in (
        commands.list,
        commands.add,
        commands.show,
        commands.pause,
        commands.resume,
        commands.run,
        commands.remove,
    ):
        jobs.command()(command)
    root.add_typer(jobs, name="jobs", help="Work for later, at a running server.")


class JobCommands:
    """One method for each command; its docstring is the command's help."""

    def __init__(self, settings: SettingsOf, reported: Reported) -> None:
        self._settings = settings
        self._reported = reported

    def list(self, json: AsJson = False, home: Home = None) -> None:
        """List the jobs, newest first."""
        from angelia.surfaces.cli.jobs.report import listed

        with self._reported():
            answer = self._call(home, "GET", "/api/jobs?limit=100")
            print(answer.decode() if json else listed(answer))

    def add(
        self,
        schedule: Annotated[str, typer.Argument(help="When: 'every 2h', '0 9 * * 1-5', …")],
        prompt: Annotated[str, typer.Argument(help="What to ask each time.")],
        name: Annotated[str | None, typer.Option(help="A title.")] = None,
        timezone: Annotated[str | None, typer.Option(help="Such as Europe/Berlin.")] = None,
        model: Annotated[str | None, typer.Option(help="Name of the agent.")] = None,
        session: Annotated[str | None, typer.Option(help="Go on in this session.")] = None,
        times: Annotated[int | None, typer.Option(min=1, help="How often at most.")] = None,
        until: Annotated[str | None, typer.Option(help="The last day and time.")] = None,
        catch_up: Annotated[str | None, typer.Option(help="skip, once or all.")] = None,
        overlap: Annotated[str | None, typer.Option(help="skip, queue or parallel.")] = None,
        json: AsJson = False,
        home: Home = None,
    ) -> None:
        """Make a job."""
        from angelia.surfaces.cli.jobs.report import shown

        wanted = {
            "schedule": schedule,
            "input": prompt,
            "name": name,
            "timezone": timezone,
            "model": model,
            "session_id": session,
            "max_firings": times,
            "until": until,
            "catch_up": catch_up,
            "overlap": overlap,
        }
        with self._reported():
            answer = self._call(home, "POST", "/api/jobs", wanted)
            print(answer.decode() if json else shown(answer))

    def show(self, job_id: JobId, json: AsJson = False, home: Home = None) -> None:
        """Show a job, its next times and its last runs."""
        from angelia.surfaces.cli.jobs.report import fired, shown

        with self._reported():
            answer = self._call(home, "GET", _path(job_id))
            print(answer.decode() if json else shown(answer))
            if not json:
                print(fired(self._call(home, "GET", _path(job_id, "/runs"))))

    def pause(self, job_id: JobId, home: Home = None) -> None:
        """Let a job rest."""
        self._say(home, job_id, "/pause")

    def resume(self, job_id: JobId, home: Home = None) -> None:
        """Let a job go on from here."""
        self._say(home, job_id, "/resume")

    def run(self, job_id: JobId, home: Home = None) -> None:
        """Run a job now; prints the id of the run."""
        from angelia.surfaces.cli.jobs.report import started

        with self._reported():
            print(started(self._call(home, "POST", _path(job_id, "/run"))))

    def remove(self, job_id: JobId, home: Home = None) -> None:
        """Remove a job; its runs stay."""
        with self._reported():
            self._call(home, "DELETE", _path(job_id))
            print(f"removed {job_id}")

    def _say(self, home: Path | None, job_id: str, word: str) -> None:
        from angelia.surfaces.cli.jobs.report import shown

        with self._reported():
            print(shown(self._call(home, "POST", _path(job_id, word))))

    def _call(self, home: Path | None, method: str, path: str, body: Any = None) -> bytes:
        import asyncio

        return asyncio.run(_ask(self._settings(home), method, path, body))


async def _ask(settings: "Settings", method: str, path: str, body: Any) -> bytes:
    from angelia.config.running import running_at
    from angelia.surfaces.cli.remote import Remote

    async with Remote(*running_at(settings)) as remote:
        return await remote.ask(method, path, body)


def _path(job_id: str, word: str = "") -> str:
    return f"/api/jobs/{quote(job_id, safe='')}{word}"
