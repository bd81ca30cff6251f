import pytest

from angelia.adapters.sqlite.records import SELECT
from tests.contracts.stores import SqliteStore, begin


@pytest.mark.parametrize(
    "where",
    [
        "tenant = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and session_id = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and status = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and session_id = ? and status = ? and stored = 1 and key < ? "
        "order by key desc limit ?",
        "tenant = ? and session_id = ? and +status in (?, ?) and stored = 1 and key < ? "
        "order by key desc limit ?",
        "tenant = ? and model = ? and stored = 1 and key < ? order by key desc limit ?",
        "tenant = ? and surface = ? and stored = 1 and key < ? order by key desc limit ?",
        "stored = 0 and ended = 1 and updated_at < ? order by updated_at, key limit 100",
        "stored = 1 and ended = 1 and updated_at < ? order by updated_at, key limit 100",
        "ended = 0 order by key",
        "id = ?",
    ],
)
async def test_no_list_of_runs_is_sorted_or_walked(store: SqliteStore, where: str) -> None:
    plan = await store.database.read(
        lambda connection: connection.execute(
            f"explain query plan {SELECT}{where}", (1,) * where.count("?")
        ).fetchall()
    )
    steps = [row[3] for row in plan]
    assert "runs" in steps[0]
    assert all(" INDEX " in step for step in steps if not step.startswith("CORRELATED"))


async def test_text_that_is_not_unicode_hurts_its_caller_only(store: SqliteStore) -> None:
    await begin(store)
    with pytest.raises(UnicodeEncodeError):
        await store.runs.take("\ud800")
    with pytest.raises(UnicodeEncodeError):
        await store.runs.delete("\ud800")
    assert await store.runs.take("run") == 2
