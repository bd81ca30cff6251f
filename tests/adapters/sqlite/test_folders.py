from angelia.adapters.sqlite.folders import SqliteFolders
from angelia.ports import Session
from tests.contracts.stores import SqliteStore, begin, say


async def test_a_folder_goes_with_its_session(store: SqliteStore) -> None:
    folders = SqliteFolders(store.database)
    await store.sessions.put(Session("session", "tenant", 1.0, 2.0))
    for place in (("tenant", "session"), ("tenant", "other"), ("stranger", "session")):
        await folders.put(*place, "src")
    await store.sessions.delete("tenant", "session")
    assert await folders.get("tenant", "session") == "."
    assert await folders.get("tenant", "other") == "src"
    assert await folders.get("stranger", "session") == "src"


async def test_a_folder_of_runs_that_are_not_stored_goes_with_the_last_of_them(
    store: SqliteStore,
) -> None:
    folders = SqliteFolders(store.database)
    for run_id in ("run1", "run2"):
        await begin(store, run_id, stored=False)
        await say(store, run_id, "done")
    await folders.put("tenant", "session", "src")
    await store.runs.delete("run1")
    assert await folders.get("tenant", "session") == "src"
    await store.runs.delete("run2")
    assert await folders.get("tenant", "session") == "."


async def test_a_session_keeps_its_folder_when_its_runs_go(store: SqliteStore) -> None:
    folders = SqliteFolders(store.database)
    await begin(store, "stored")
    await begin(store, "passing", stored=False)
    for run_id in ("stored", "passing"):
        await say(store, run_id, "done")
    await folders.put("tenant", "session", "src")
    for run_id in ("stored", "passing"):
        await store.runs.delete(run_id)
    assert await folders.get("tenant", "session") == "src"
