"""The benchmark measures what it says, and notices a server that loses something."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bench import checker, dialects, floor_forms, framing, goals, load, measure, proc, servers
from bench.__main__ import main
from bench.choice import choose
from bench.outcome import Outcome
from bench.scenarios import CHOSEN, OURS, Scenario

DELTAS = 5


@pytest.fixture
def upstream(tmp_path: Path) -> Iterator[servers.Server]:
    with servers.upstream(tmp_path) as server:
        yield server


def few(**changes: object) -> Scenario:
    return msgspec.structs.replace(Scenario("few", 2, runs=2, deltas=DELTAS), **changes)


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize("pace", [0, 50])
@pytest.mark.parametrize("name", ["relay", "floor"])
def test_every_delta_passes_through(
    name: str, pace: int, tools: bool, upstream: servers.Server, tmp_path: Path
) -> None:
    scenario = few(pace=pace, tools=tools)
    with servers.target(name, measure.base_url(scenario, upstream), tmp_path) as server:
        sample = measure.measure(scenario, upstream, server)
    assert sample.faults == ()
    assert sample.figures is not None
    assert 0 < sample.figures.lag_p50_ms < 1000
    assert sample.figures.rss_mb > 5


@pytest.mark.parametrize("surface", ["responses", "runs"])
@pytest.mark.parametrize("name", ["floor", "angelia"])
def test_every_surface_is_understood(
    name: str, surface: str, upstream: servers.Server, tmp_path: Path
) -> None:
    scenario = few(surface=surface)
    with servers.target(name, measure.base_url(scenario, upstream), tmp_path) as server:
        sample = measure.measure(scenario, upstream, server)
    assert sample.faults == ()
    assert sample.figures is not None


def test_the_model_alone_is_the_time_to_the_first_delta_that_nobody_can_beat(
    upstream: servers.Server,
) -> None:
    assert 0 < measure.first_of_upstream(few(pace=50), upstream) < 1000


def test_a_wrong_number_of_deltas_is_a_fault(upstream: servers.Server, tmp_path: Path) -> None:
    scenario = few(runs=1)
    with servers.target("relay", measure.base_url(scenario, upstream), tmp_path) as server:
        sample = measure.measure(few(runs=1, deltas=DELTAS + 1), upstream, server)
    assert set(sample.faults) == {f"run {n}.0: 5 of 6 deltas arrived" for n in range(2)}


def test_a_server_that_does_not_start_is_named_with_its_output(tmp_path: Path) -> None:
    with (
        pytest.raises(servers.NotReady, match=r"(?s)nobody ended with 1.*No module named"),
        servers.target("nobody", "http://127.0.0.1:1/v1", tmp_path),
    ):
        pass


def frame(text: str) -> bytes:
    return framing.event(msgspec.json.encode({"choices": [{"delta": {"content": text}}]}))


def texts(*indexes: int) -> list[bytes]:
    return [frame(framing.token(index, 1)) for index in indexes]


def body(*frames: bytes) -> bytes:
    return b"".join([*frames, framing.DONE])


PROGRESS = b'event: hermes.tool.progress\ndata: {"choices":[],"error":null,"status":"running"}\n\n'
ERROR = framing.event(b'{"error":{"message":"overloaded"}}')
JOINED = frame("".join(framing.token(index, 1) for index in range(3)))
WHOLE = body(b": comment\n\n", PROGRESS, *texts(0, 1, 2))


@pytest.mark.parametrize("data", [WHOLE, body(JOINED), WHOLE.replace(b"\n", b"\r\n")])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_whole_run_is_accepted_however_it_is_cut_or_joined(data: bytes, size: int) -> None:
    run = checker.Checker(3)
    sent = [ns for at in range(0, len(data), size) for ns in run.feed(data[at : at + size])]
    assert (run.verdict(), sent) == ("", [1, 1, 1])


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (body(*texts(0, 2)), "delta 2 came where 1 was due"),
        (body(*texts(0, 1)), "2 of 3 deltas arrived"),
        (body(*texts(0, 1, 1, 2)), "delta 1 came where 2 was due"),
        (body(*texts(0, 1, 2, 3)), "4 of 3 deltas arrived"),
        (body(*texts(1, 0, 2)), "delta 1 came where 0 was due"),
        (body(*texts(0, 1, 2), frame("sorry")), "foreign text 'sorry'"),
        (body(*texts(0, 1, 2), frame("so sorry")), "foreign text 'so'"),
        (body(*texts(0, 1, 2), ERROR), 'error frame: {"message":"overloaded"}'),
        (body(*texts(0, 1, 2)) + PROGRESS, "data behind the last frame"),
        (b"".join(texts(0, 1, 2)), "the stream ended without its last frame"),
        (body(framing.event(b"{")), "unreadable frame: Input data was truncated"),
    ],
)
def test_a_run_that_is_not_whole_is_blamed(data: bytes, fault: str) -> None:
    run = checker.Checker(3)
    run.feed(data)
    assert run.verdict() == fault


FORMS = {
    "chat": floor_forms.Chat(),
    "responses": floor_forms.Responses(),
    "runs": floor_forms.Runs("run_1"),
}


@pytest.mark.parametrize("surface", FORMS)
def test_each_surface_is_read_to_its_last_frame(surface: str) -> None:
    form, run = FORMS[surface], checker.Checker(3, dialects.DIALECTS[surface])
    whole = [form.begin(), *(form.delta(framing.token(index, 7)) for index in range(3))]
    assert run.feed(b"".join(whole)) == [7, 7, 7]
    assert run.verdict() == "the stream ended without its last frame"
    run.feed(form.end("stop"))
    assert run.verdict() == ""


@pytest.mark.parametrize(
    ("surface", "data"),
    [
        ("responses", b'{"type":"response.failed","response":{"status":"failed"}}'),
        ("runs", b'{"event":"run.failed","error":{"message":"overloaded"}}'),
        ("langgraph", b'{"error":"Internal","message":"overloaded"}'),
    ],
)
def test_a_failure_is_blamed_on_every_surface(surface: str, data: bytes) -> None:
    run = checker.Checker(0, dialects.DIALECTS[surface])
    run.feed(framing.event(data))
    assert run.verdict() == f"error frame: {data.decode()}"


def test_of_a_graph_only_what_the_model_says_is_text() -> None:
    said = b'[{"type":"AIMessageChunk","content":"0@1 "},{"run_id":"r"}]'
    tool = b'[{"type":"tool","content":"hello"},{}]'
    run = checker.Checker(1, dialects.DIALECTS["langgraph"])
    run.feed(framing.event(tool) + framing.event(said) + framing.event(b'{"run_id":"r"}'))
    assert (run.seen, run.verdict()) == (1, "")


class Fixed(framing.Answering):
    """Gives the same answer to every request, then may hang up."""

    def __init__(self, reply: bytes, *, hang_up: bool) -> None:
        super().__init__()
        self._reply = reply
        self._hang_up = hang_up

    def answer(self, path: str, body: bytes) -> None:
        self.transport.write(self._reply)
        if self._hang_up:
            self.transport.close()


async def ask(reply: bytes, *, deltas: int = 3, hang_up: bool = False) -> load.Result:
    server = await framing.listen(0, lambda: Fixed(reply, hang_up=hang_up))
    port = server.sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    try:
        return await load.perform(load.Order(url, streams=1, runs=1, deltas=deltas, timeout=0.5))
    finally:
        server.close()


def reply(*frames: bytes) -> bytes:
    return framing.STREAM_HEAD + framing.chunk(body(*frames)) + framing.LAST_CHUNK


async def test_the_load_client_notices_a_lost_delta() -> None:
    whole, lossy = await ask(reply(*texts(0, 1, 2))), await ask(reply(*texts(0, 2)))
    assert whole.faults == ()
    assert lossy.faults == ("run 0.0: delta 2 came where 1 was due",)


async def test_the_load_client_notices_answers_that_break_off_or_never_come() -> None:
    cut = await ask(reply(*texts(0, 1, 2)).removesuffix(framing.LAST_CHUNK), hang_up=True)
    silent = await ask(b"")
    refused = await ask(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
    assert "closed the connection inside an answer" in cut.faults[0]
    assert silent.faults == ("not finished after 0.5 s",)
    assert "HTTP status 503" in refused.faults[0]


async def test_lag_counts_from_sending_a_delta_and_the_first_one_from_asking() -> None:
    sent_ns = time.monotonic_ns() - 100_000_000
    result = await ask(reply(frame(framing.token(0, sent_ns))), deltas=1)
    assert result.faults == ()
    assert result.lag_p50 >= 100
    assert 0 < result.first_p50 < result.lag_p50


def test_a_reaped_child_counts_as_cpu_of_its_parent() -> None:
    before = proc.cpu_ms(os.getpid())
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)
    assert proc.cpu_ms(os.getpid()) - before >= 290


def figures(value: float) -> measure.Figures:
    return measure.Figures(*[value] * len(measure.Figures.__struct_fields__))


@pytest.mark.parametrize(("angelia", "mark"), [(19.9, "✓"), (20.1, "✗")])
def test_a_target_is_a_multiple_of_the_floor(angelia: float, mark: str) -> None:
    floor, both = {"floor": figures(10)}, {"floor": figures(10), "angelia": figures(angelia)}
    assert [v.mark for v in goals.verdicts("chat-burst-32", both, [])] == [mark]
    assert [v.mark for v in goals.verdicts("chat-burst-32", floor, [])] == ["–"]


def test_a_lost_delta_misses_the_target_of_its_scenario() -> None:
    both = {"floor": figures(10), "angelia": figures(10)}
    lossy = measure.Sample("chat-paced-200", "angelia", figures(10), ("run 1.0: lost",))
    assert [v.mark for v in goals.verdicts("chat-paced-200", both, [lossy])] == ["✓", "✓", "✓", "✗"]


def test_every_goal_belongs_to_a_scenario_that_is_measured() -> None:
    assert {goal.scenario for goal in goals.GOALS} <= {scenario.name for scenario in CHOSEN}


def test_medians_are_taken_field_by_field() -> None:
    assert measure.median([figures(1), figures(9), figures(2)]) == figures(2)


def test_faults_and_absent_servers_show_in_the_exit_code() -> None:
    sound = measure.Sample("chat-burst-1", "relay", figures(1), ())
    faulty = measure.Sample("chat-burst-1", "relay", figures(1), ("lost",))
    theirs = measure.Sample("agents-burst-1", "hermes", None, ("lost",))
    assert Outcome(samples=[sound]).exit_code == 0
    assert Outcome(samples=[sound, faulty]).exit_code == 1
    assert Outcome(samples=[sound], absent={"angelia": "not ready"}).exit_code == 2
    assert Outcome(samples=[sound, theirs], absent={"litellm": "not installed"}).exit_code == 0


def test_only_narrows_scenarios_and_servers_apart() -> None:
    some = choose(["chat-paced-*", "floor"])
    assert {s.name for s in some.scenarios} >= {"chat-paced-200", "chat-paced-1000"}
    assert (some.servers, some.besides) == (("floor",), ())
    assert set(choose(["replay"]).servers) >= set(OURS)
    assert choose(["replay"]).scenarios == ()
    assert len(choose([]).scenarios) < len(choose([], whole=True).scenarios)


def test_everything_measured_is_kept_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    asked = ["chat-burst-1", "length", "turns", "replay", "start", "floor", "angelia"]
    assert main(["--quick", "--json", str(kept), "--only", *asked]) == 0
    found = msgspec.json.decode(kept.read_bytes(), type=Outcome)
    assert set(found.medians["chat-burst-1"]) == set(found.starts) == {"floor", "angelia"}
    assert [point.size for point in found.lengths] == [20, 200]
    assert found.turns[-1].sent > found.turns[0].sent
    assert found.replay_per_s
    assert {verdict.mark for verdict in found.verdicts} <= {"✓", "✗"}
