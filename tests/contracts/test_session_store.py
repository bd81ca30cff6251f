"""What every store of sessions promises."""

import asyncio

import pytest
from msgspec import Raw
from msgspec.structs import replace

from angelia.core.events import StopRequested
from angelia.errors import Conflict, NotFound
from angelia.ports import Claim, Hit, Mark, RunFilter, Search, Session, SessionFilter
from tests.contracts.stores import ENDED, STARTED, Store, begin, end, record, say, summary

pytestmark = pytest.mark.parametrize("store", ["memory", "sqlite"], indirect=True)


async def turn(store: Store, run_id: str, output: str = "", **fields: object) -> None:
    """A run from its first event to its last."""
    await begin(store, run_id, **fields)
    await say(store, run_id, output)


async def known(store: Store, session_id: str = "session", tenant: str = "tenant") -> Session:
    session = await store.sessions.get(tenant, session_id)
    assert session is not None
    return session


async def listed(store: Store, **wanted: object) -> list[str]:
    sessions = await store.sessions.find(SessionFilter("tenant", **wanted))  # pyright: ignore
    return [session.id for session in sessions]


async def hits(store: Store, text: str, tenant: str = "tenant", **wanted: object) -> list[Hit]:
    return list(await store.sessions.search(Search(tenant, text, **wanted)))  # pyright: ignore


async def found(store: Store, text: str, **wanted: object) -> set[str]:
    return {hit.run_id for hit in await hits(store, text, **wanted)}  # pyright: ignore


# ── what runs make known ────────────────────────────────────────────────────────────────────


async def test_a_run_makes_its_session_known(store: Store) -> None:
    await begin(store, question="What is it?", user="ada", session_key="memory")
    at = store.clock.now()
    await store.reopen()
    assert await known(store) == Session(
        "session",
        "tenant",
        created_at=1.0,
        updated_at=at,
        user="ada",
        key="memory",
        question="What is it?",
        last_run="run",
        runs=1,
    )


async def test_what_is_said_of_a_session_is_written_with_its_first_run(store: Store) -> None:
    said = Session(
        "session", "tenant", 5.0, 7.0, "Title", "ada", "memory", "elsewhere", Raw(b'{"a":1}')
    )
    first = record("run", question="What is it?", status="completed")
    await store.log.create(first, [STARTED, ENDED], None, None, said)
    await store.reopen()
    kept = await known(store)
    assert (kept.last_run, kept.runs, kept.question) == ("run", 1, "What is it?")
    told = replace(said, updated_at=kept.updated_at, question=kept.question, last_run="run", runs=1)
    assert kept == told


async def test_nothing_is_said_of_a_session_whose_run_is_refused(store: Store) -> None:
    await begin(store, "run")
    other = Session("other", "tenant", 5.0, 7.0, "Title")
    with pytest.raises(Conflict):
        await store.log.create(record("run", session_id="other"), [STARTED], session=other)
    assert await store.sessions.get("tenant", "other") is None


async def test_a_session_follows_its_runs(store: Store) -> None:
    await turn(store, "one", question="first", user="ada")
    store.clock.advance(5)
    await begin(store, "two", question="second", user="bob", session_key="other")
    begun = await known(store)
    assert (begun.question, begun.user, begun.key) == ("first", "ada", None)
    assert (begun.last_run, begun.runs, begun.updated_at) == ("two", 2, store.clock.now())
    store.clock.advance(5)
    await end(store, "two")
    assert (await known(store)).updated_at == store.clock.now()


@pytest.mark.parametrize("fields", [{"stored": False}, {"session_id": ""}])
async def test_what_others_may_not_find_leaves_sessions_alone(
    store: Store, fields: dict[str, object]
) -> None:
    await turn(store, "hidden", "some words", question="question", **fields)
    assert await listed(store) == []
    assert await store.sessions.get("tenant", "session") is None
    assert await hits(store, "words") == []
    await turn(store, "shown", "other words")
    before = await known(store)
    store.clock.advance(5)
    await turn(store, "hidden again", **fields)  # pyright: ignore
    await store.runs.delete("hidden")
    assert await known(store) == before


async def test_one_claim_of_many_requests_is_one_run_of_the_session(store: Store) -> None:
    claim = Claim("key", "body", 2_000_000.0)
    await asyncio.gather(
        *(store.log.create(record(f"run{n}"), [STARTED], claim) for n in range(20))
    )
    assert (await known(store)).runs == 1


async def test_a_session_stays_true_when_its_runs_are_deleted(store: Store) -> None:
    for number in range(3):
        await turn(store, f"run{number}", question=f"question {number}")
        store.clock.advance(10)
    at = store.clock.now()
    await store.runs.delete("run2")
    session = await known(store)
    assert (session.last_run, session.runs, session.updated_at) == ("run1", 2, at - 20)
    await store.runs.delete("run0")
    session = await known(store)
    assert (session.last_run, session.runs, session.question) == ("run1", 1, "question 1")
    await store.runs.delete("run1")
    session = await known(store)
    assert (session.last_run, session.runs, session.question) == (None, 0, "")
    assert session.updated_at == session.created_at == 1.0
    await turn(store, "fresh", question="again")
    session = await known(store)
    assert (session.last_run, session.runs, session.question) == ("fresh", 1, "again")


async def test_deleting_a_run_is_no_news_of_its_session(store: Store) -> None:
    await turn(store, "old")
    store.clock.advance(10)
    await turn(store, "new")
    before = await known(store)
    store.clock.advance(10)
    await store.runs.delete("old")
    assert (await known(store)).updated_at == before.updated_at
    await store.sessions.put(replace(before, title="called", updated_at=store.clock.now()))
    await store.runs.delete("new")
    assert (await known(store)).updated_at == store.clock.now()


# ── what people change ──────────────────────────────────────────────────────────────────────

MADE = Session(
    "session",
    "tenant",
    5.0,
    6.0,
    title="A title",
    user="ada",
    key="memory",
    forked_from="elsewhere",
    metadata=Raw(b'{ "spaced" : [1] }'),
)


async def test_a_session_can_be_made_before_it_has_runs(store: Store) -> None:
    await store.sessions.put(MADE)
    await store.reopen()
    assert await known(store) == MADE
    assert bytes((await known(store)).metadata) == b'{ "spaced" : [1] }'
    await begin(store, question="hello", user="bob")
    session = await known(store)
    told = {"question": "hello", "last_run": "run", "runs": 1, "updated_at": store.clock.now()}
    assert session == replace(MADE, **told)


async def test_putting_a_known_session_leaves_what_its_runs_tell(store: Store) -> None:
    await turn(store, "run", question="hello")
    lies = {"question": "lie", "last_run": "lie", "runs": 99}
    await store.sessions.put(replace(MADE, **lies))
    told = {"question": "hello", "last_run": "run", "runs": 1}
    assert await known(store) == replace(MADE, **told)


async def test_what_its_runs_tell_cannot_be_made_up(store: Store) -> None:
    await store.sessions.put(replace(MADE, question="lie", last_run="lie", runs=99))
    assert await known(store) == MADE


async def test_an_unknown_session_is_none(store: Store) -> None:
    await store.sessions.put(MADE)
    assert await store.sessions.get("tenant", "nowhere") is None
    assert await store.sessions.get("other", "session") is None


# ── lists ───────────────────────────────────────────────────────────────────────────────────


async def test_the_latest_change_comes_first(store: Store) -> None:
    for name in ("a", "b", "c"):
        await turn(store, name, session_id=name)
        store.clock.advance(1)
    assert await listed(store) == ["c", "b", "a"]
    await turn(store, "again", session_id="a")
    assert await listed(store) == ["a", "c", "b"]
    assert await listed(store, limit=2) == ["a", "c"]


async def test_pages_join_without_a_gap_also_where_times_are_equal(store: Store) -> None:
    for number in range(9):
        await store.sessions.put(Session(f"s{number}", "tenant", 1.0, float(number // 4)))
    expected = ["s8", "s4", "s5", "s6", "s7", "s0", "s1", "s2", "s3"]
    assert await listed(store) == expected
    for limit in (1, 2, 3, 4):
        pages: list[str] = []
        while page := await listed(store, limit=limit, before=pages[-1] if pages else None):
            pages += page
        assert pages == expected


async def test_paging_from_an_unknown_session_is_not_found(store: Store) -> None:
    await store.sessions.put(replace(MADE, tenant="other", id="theirs"))
    for before in ("nowhere", "theirs"):
        with pytest.raises(NotFound, match=before) as caught:
            await listed(store, before=before)
        assert caught.value.param == "before"


async def test_sessions_are_found_by_user_and_key(store: Store) -> None:
    people = [("a", "ada", None), ("b", "bob", "k"), ("c", "ada", "k"), ("d", None, None)]
    for name, user, key in people:
        await begin(store, name, session_id=name, user=user, session_key=key)
        store.clock.advance(1)
    assert await listed(store, user="ada") == ["c", "a"]
    assert await listed(store, key="k") == ["c", "b"]
    assert await listed(store, user="ada", key="k") == ["c"]
    assert await listed(store, user="ada", before="c") == ["a"]
    assert await listed(store, user="eve") == []


async def test_tenants_have_sessions_of_their_own(store: Store) -> None:
    await turn(store, "mine", "some words")
    await turn(store, "theirs", "some words", tenant="other")
    assert [(await known(store)).last_run, (await known(store, tenant="other")).last_run] == [
        "mine",
        "theirs",
    ]
    assert (await known(store)).runs == 1
    assert await listed(store) == ["session"]
    assert await found(store, "words") == {"mine"}
    assert await found(store, "words", tenant="third") == set()
    assert list(await store.sessions.delete("other", "session")) == ["theirs"]
    assert (await known(store)).runs == 1
    assert await store.runs.get("mine") is not None


# ── deleting ────────────────────────────────────────────────────────────────────────────────


async def test_a_session_is_deleted_with_all_that_belongs_to_it(store: Store) -> None:
    claim = Claim("key", "body", 2_000_000.0)
    await store.log.create(record("one"), [STARTED], claim)
    await say(store, "one", "some words", "chain")
    await turn(store, "two")
    await turn(store, "hidden", stored=False)
    await turn(store, "kept", "other words", session_id="another")
    await turn(store, "loose", session_id="")
    gone = await store.sessions.delete("tenant", "session")
    assert sorted(gone) == ["hidden", "one", "two"]
    await store.reopen()
    assert await store.sessions.get("tenant", "session") is None
    assert await listed(store) == ["another"]
    for run_id in gone:
        assert await store.runs.get(run_id) is None
        assert await store.log.read(run_id) is None
    assert await store.history.claimed("tenant", claim) is None
    assert await store.history.match("tenant", ["chain"]) is None
    assert await found(store, "words") == {"kept"}
    runs = await store.runs.find(RunFilter("tenant"))
    assert [run.id for run in runs] == ["loose", "kept"]


async def test_a_session_with_a_run_under_way_is_busy(store: Store) -> None:
    await turn(store, "done")
    await begin(store, "busy")
    before = await known(store)
    with pytest.raises(Conflict, match="stop them first") as caught:
        await store.sessions.delete("tenant", "session")
    assert caught.value.code == "session_busy"
    assert await known(store) == before
    assert await store.runs.get("done") is not None
    await end(store, "busy")
    assert len(await store.sessions.delete("tenant", "session")) == 2


async def test_deleting_an_unknown_session_is_harmless(store: Store) -> None:
    await turn(store, "loose", session_id="")
    assert list(await store.sessions.delete("tenant", "nowhere")) == []
    assert list(await store.sessions.delete("tenant", "")) == []
    assert await store.runs.get("loose") is not None


async def test_a_session_without_runs_can_be_deleted(store: Store) -> None:
    await store.sessions.put(MADE)
    assert list(await store.sessions.delete("tenant", "session")) == []
    assert await listed(store) == []


async def test_who_reads_a_run_of_a_deleted_session_learns_of_it(store: Store) -> None:
    await begin(store)
    slow = store.log.follow("run")
    await anext(slow)
    await end(store)
    await store.sessions.delete("tenant", "session")
    with pytest.raises(NotFound):
        await anext(slow)


async def test_the_id_of_a_run_that_went_with_its_session_is_free_again(store: Store) -> None:
    await turn(store, "run")
    await store.sessions.delete("tenant", "session")
    await begin(store, "run", question="the same id again")
    assert (await known(store)).question == "the same id again"
    assert await end(store) == 2


# ── search ──────────────────────────────────────────────────────────────────────────────────


async def test_words_are_found_in_what_was_asked_and_in_what_was_answered(store: Store) -> None:
    await turn(store, "one", "It is a matter of taste.", question="Which tea is best?")
    await store.reopen()
    assert await hits(store, "tea") == [Hit("session", "one", 1.0, "user", "Which «tea» is best?")]
    assert await hits(store, "taste") == [
        Hit("session", "one", 1.0, "assistant", "It is a matter of «taste».")
    ]
    assert await hits(store, "coffee") == []


async def test_every_word_must_occur_and_the_last_may_be_cut_off(store: Store) -> None:
    await turn(store, "both", "about the deployment", question="database")
    await turn(store, "one", "nothing else", question="database")
    assert await found(store, "database") == {"both", "one"}
    assert await found(store, "database dep") == {"both"}
    assert await found(store, "dep database") == set()
    assert await found(store, "data") == {"both", "one"}
    assert await found(store, "base") == set()
    assert await found(store, "da") == set()


async def test_the_role_is_the_side_where_more_was_found(store: Store) -> None:
    await turn(store, "run", "green tea, black tea", question="tea with milk")
    (hit,) = await hits(store, "green tea")
    assert (hit.role, hit.snippet) == ("assistant", "«green» «tea», black «tea»")
    (hit,) = await hits(store, "milk tea")
    assert hit.role == "user"


async def test_a_snippet_is_short_and_has_the_words_in_it(store: Store) -> None:
    filler = " ".join(f"word{number}" for number in range(200))
    await turn(store, "run", f"{filler} needle {filler}")
    (hit,) = await hits(store, "needle")
    assert "«needle»" in hit.snippet
    assert 6 <= len(hit.snippet.split()) <= 14
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")


async def test_a_snippet_goes_on_behind_a_sign_that_ends_texts_elsewhere(store: Store) -> None:
    await turn(store, "run", "salt\x00water")
    (hit,) = await hits(store, "water")
    assert hit.snippet == "salt\x00«water»"


async def test_a_very_long_text_is_found_by_its_last_word_and_shown_from_its_first(
    store: Store,
) -> None:
    await turn(store, "run", "é" * 99_999 + " " + "milk " * 99_999 + "needle")
    assert await found(store, "needle") == {"run"}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Ein Café in Zürich", "cafe zurich"),
        ("Ein Cafe\u0301 in Zu\u0308rich", "Café Zürich"),
        ("plain cafe and zurich", "CAFÉ ZÜR"),
        ("snake_case_name and e-mail", "case mail"),
        ("version 3.11 is out", "3 11"),
        ("Привет, мир", "привет"),
    ],
)
async def test_accents_capitals_and_signs_do_not_matter(
    store: Store, said: str, asked: str
) -> None:
    await turn(store, "run", said)
    assert await found(store, asked) == {"run"}


@pytest.mark.parametrize(
    "text",
    [
        'tea "and',
        "tea AND milk",
        "tea OR nothing",
        "tea NOT milk",
        "NEAR(tea milk)",
        "tea*",
        "^tea",
        "output:tea",
        "{question output}:tea",
        "-tea",
        "(tea",
        "tea\x00",
        "tea'; drop table runs",
    ],
)
async def test_what_people_type_is_words_and_no_syntax(store: Store, text: str) -> None:
    await turn(store, "run", "tea milk and or not near nothing output question drop table runs")
    assert await found(store, text) == {"run"}


@pytest.mark.parametrize("text", ["", " ", "*", '""', "!?", "— …", "_", "\ud800"])
async def test_text_without_a_word_finds_nothing(store: Store, text: str) -> None:
    await turn(store, "run", "words", question="_ ! *")
    assert await hits(store, text) == []


async def test_the_search_follows_a_run_from_leg_to_leg(store: Store) -> None:
    await begin(store, question="question")
    assert await found(store, "question") == set()
    waiting = Mark("waiting_for_client", summary("first answer"))
    await store.log.append("run", 1, [StopRequested()], waiting)
    assert await found(store, "first") == {"run"}
    # Told again as it was, by an end that has nothing new to say.
    await store.log.append("run", 1, [StopRequested()], waiting)
    assert await found(store, "question first") == {"run"}
    await store.log.append("run", 1, [ENDED], Mark("completed", summary("second answer")))
    assert await found(store, "first") == set()
    assert len(await hits(store, "second answer")) == 1
    await store.runs.delete("run")
    assert await hits(store, "answer") == []


async def test_a_run_that_is_created_whole_is_found(store: Store) -> None:
    await store.log.create(
        record("run", question="question"), [STARTED, ENDED], None, summary("answer")
    )
    assert await found(store, "question answer") == {"run"}


async def test_more_of_the_words_is_better_and_the_limit_holds(store: Store) -> None:
    for number in range(5):
        await turn(store, f"run{number}", "a long text in which milk is named but once" * 3)
    await turn(store, "best", "milk milk milk")
    assert [hit.run_id for hit in await hits(store, "milk", limit=1)] == ["best"]
    assert len(await hits(store, "milk", limit=4)) == 4


async def test_search_keeps_to_the_sessions_of_a_user(store: Store) -> None:
    await turn(store, "ada's", "words", session_id="a", user="ada")
    await turn(store, "bob's", "words", session_id="b", user="bob")
    await turn(store, "in ada's", "words", session_id="a", user="bob")
    assert await found(store, "words", user="ada") == {"ada's", "in ada's"}
    assert await found(store, "words", user="bob") == {"bob's"}
    assert len(await found(store, "words")) == 3


async def test_a_strict_search_keeps_to_one_user_and_one_key(store: Store) -> None:
    people = [("a", "ada", None), ("b", "ada", "k"), ("c", None, "k"), ("d", None, None)]
    for name, user, key in people:
        await turn(store, name, "words", session_id=name, user=user, session_key=key)
    for name, user, key in people:
        assert await found(store, "words", user=user, key=key, strict=True) == {name}
    assert await found(store, "words", user="eve", strict=True) == set()
