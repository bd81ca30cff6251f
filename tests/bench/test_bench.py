"""The benchmark measures what it says, and notices a server that loses something."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bench import framing, load, measure, proc, report, servers
from bench.__main__ import Outcome, keep

DELTAS = 5


@pytest.fixture
def upstream(tmp_path: Path) -> Iterator[servers.Server]:
    with servers.upstream(tmp_path) as server:
        yield server


@pytest.mark.parametrize("mode", ["burst", "paced"])
@pytest.mark.parametrize("name", ["relay", "floor"])
def test_every_delta_passes_through(
    name: str, mode: str, upstream: servers.Server, tmp_path: Path
) -> None:
    scenario = measure.Scenario("few", mode, streams=2, runs=2, deltas=DELTAS)
    with servers.target(name, scenario.base_url(upstream), tmp_path) as server:
        sample = measure.measure(scenario, upstream, server)
    assert sample.faults == ()
    assert sample.figures is not None
    assert 0 < sample.figures.lag_p50_ms < 1000
    assert sample.figures.rss_mb > 5


def test_a_wrong_number_of_deltas_is_a_fault(upstream: servers.Server, tmp_path: Path) -> None:
    scenario = measure.Scenario("few", "burst", streams=2, runs=1, deltas=DELTAS)
    with servers.target("relay", scenario.base_url(upstream), tmp_path) as server:
        more = msgspec.structs.replace(scenario, deltas=DELTAS + 1)
        sample = measure.measure(more, upstream, server)
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
    checker = load.Checker(3)
    sent = [ns for at in range(0, len(data), size) for ns in checker.feed(data[at : at + size])]
    assert (checker.verdict(), sent) == ("", [1, 1, 1])


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
        (body(*texts(0, 1, 2)) + PROGRESS, "data behind [DONE]"),
        (b"".join(texts(0, 1, 2)), "the stream ended without [DONE]"),
        (body(framing.event(b"{")), "unreadable frame: Input data was truncated"),
    ],
)
def test_a_run_that_is_not_whole_is_blamed(data: bytes, fault: str) -> None:
    checker = load.Checker(3)
    checker.feed(data)
    assert checker.verdict() == fault


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
    url = f"http://127.0.0.1:{port}{framing.CHAT_PATH}"
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


@pytest.mark.parametrize(("angelia", "mark"), [(24.9, "✓"), (25.1, "✗")])
def test_a_target_is_a_multiple_of_the_floor(angelia: float, mark: str) -> None:
    scenario = measure.Scenario("burst-32", "burst", streams=32, runs=1)
    floor, both = {"floor": figures(10)}, {"floor": figures(10), "angelia": figures(angelia)}
    rounds = {name: [value] for name, value in both.items()}
    assert [v.mark for v in report.verdicts(scenario, both, rounds)] == [mark]
    assert [v.mark for v in report.verdicts(scenario, floor, rounds)] == ["–"]


def test_medians_are_taken_field_by_field() -> None:
    assert measure.median([figures(1), figures(9), figures(2)]) == figures(2)


def test_faults_and_absent_servers_show_in_the_exit_code() -> None:
    sound = measure.Sample("burst-1", "relay", figures(1), ())
    faulty = measure.Sample("burst-1", "relay", figures(1), ("lost",))
    assert Outcome(samples=[sound]).exit_code == 0
    assert Outcome(samples=[sound, faulty]).exit_code == 1
    assert Outcome(samples=[sound], absent=["burst-1: angelia"]).exit_code == 2


def test_only_narrows_scenarios_and_servers_apart() -> None:
    assert keep(servers.TARGETS, ["paced", "floor"]) == ["floor"]
    assert keep(servers.TARGETS, ["paced"]) == list(servers.TARGETS)
