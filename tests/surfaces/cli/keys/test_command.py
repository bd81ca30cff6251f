"""`angelia keys` at a server."""

import json

from tests.support.server import AngeliaServer
from tests.surfaces.cli.test_app import angelia


def test_keys_are_made_listed_shown_changed_and_revoked(server: AngeliaServer) -> None:
    env = server.env
    made = angelia(
        *("keys", "make", "--name", "laptop", "--scopes", "chat,read"),
        *("--expires-in", "30d", "--models", "angelia", "--tools", "none"),
        env=env,
    )
    secret = made.stdout.strip()
    assert (made.returncode, secret[:4], made.stdout.count("\n")) == (0, "ang-", 1)
    assert secret not in made.stderr
    keys = json.loads(angelia("keys", "list", "--json", env=env).stdout)
    key = next(one for one in keys if one["name"] == "laptop")
    assert (key["scopes"], key["rules"]["tools"]) == (["chat", "read"], [])
    changed = angelia(
        "keys", "change", key["id"], "--models", "any", "--expires-in", "never", env=env
    )
    assert "never" in changed.stdout
    shown = json.loads(angelia("keys", "show", key["id"], "--json", env=env).stdout)
    assert (shown["rules"]["models"], shown["expires_at"]) == (None, None)
    assert angelia("keys", "change", key["id"], env=env).returncode == 2
    assert angelia("keys", "make", "--name", "x", "--scopes", "all", env=env).returncode == 2
    revoked = angelia("keys", "revoke", key["id"], "--yes", env=env)
    assert revoked.stdout == f"{key['id']} is revoked\n"
