"""`angelia sessions` at a server."""

import json

from tests.support.server import AngeliaServer
from tests.surfaces.cli.test_app import angelia


def test_sessions_are_listed_shown_found_renamed_forked_exported_and_deleted(
    server: AngeliaServer,
) -> None:
    def told(*arguments: str) -> str:
        ran = angelia(*arguments, env=server.env)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    assert told("sessions", "list") == "There are no sessions.\n"
    told("run", "--session", "voyage", "Run `echo ithaca`.")
    assert told("sessions", "list").startswith("voyage  idle  1 run  ")
    assert "> Run `echo ithaca`." in told("sessions", "show", "voyage")
    shown = json.loads(told("sessions", "show", "voyage", "--json"))
    assert shown["messages"][0]["role"] == "user"
    assert "«ithaca»" in told("sessions", "search", "ithaca")
    assert told("sessions", "search", "circe") == "Nothing was found.\n"
    assert "'Home'" in told("sessions", "rename", "voyage", "Home")
    fork = told("sessions", "fork", "voyage", "--title", "Again").strip()
    assert {one["title"] for one in json.loads(told("sessions", "list", "--json"))} == {
        "Home",
        "Again",
    }
    assert told("sessions", "export", "voyage").startswith("# Home")
    assert told("sessions", "export", "voyage", "--as", "jsonl").startswith('{"object"')
    asked = angelia("sessions", "delete", fork, env=server.env)
    assert (asked.returncode, "--yes" in asked.stderr) == (2, True)
    assert told("sessions", "delete", fork, "--yes") == f"deleted {fork}\n"
    assert fork not in told("sessions", "list")
