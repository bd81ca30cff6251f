import asyncio
import os
import signal
import subprocess

import pytest

from angelia.adapters import process_pipes
from angelia.adapters.process_pipes import QUEUED, ProcessPipes
from angelia.ports import Stream


def start(command: str) -> tuple[subprocess.Popen[bytes], dict[int, Stream]]:
    out, to_out = os.pipe()
    err, to_err = os.pipe()
    process = subprocess.Popen(
        ["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, stdout=to_out, stderr=to_err
    )
    os.close(to_out)
    os.close(to_err)
    return process, {out: "stdout", err: "stderr"}


async def drained(pipes: ProcessPipes) -> int:
    size = 0
    while (piece := await pipes.next()) is not None:
        size += len(piece[0])
    return size


async def test_a_slow_reader_makes_the_process_wait():
    pipes = ProcessPipes(*start("head -c 10000000 /dev/zero; echo end >&2"))
    while pipes.queued < QUEUED:
        await asyncio.sleep(0.001)
    # The loop runs on while nobody reads, and nothing more is taken in.
    for _ in range(100):
        await asyncio.sleep(0)
    assert pipes.queued < QUEUED + 2 * process_pipes.CHUNK
    assert not pipes.exited.done()
    assert await drained(pipes) == 10_000_004
    await pipes.exited
    assert pipes.reap() == 0


async def test_what_waits_to_be_read_is_not_what_somebody_left_behind(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(process_pipes, "GRACE", 0)
    pipes = ProcessPipes(*start("head -c 1100000 /dev/zero"))
    await asyncio.shield(pipes.exited)
    assert await drained(pipes) == 1_100_000
    assert not pipes.left_behind
    assert pipes.reap() == 0


async def test_pipes_that_somebody_else_holds_are_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process_pipes, "GRACE", 0)
    pipes = ProcessPipes(*start("sleep 1000 & echo $!"))
    piece = await pipes.next()
    assert piece is not None
    assert await pipes.next() is None
    assert pipes.left_behind
    os.kill(int(piece[0]), signal.SIGKILL)
    assert pipes.reap() == 0


async def test_an_exit_can_also_be_awaited_by_a_thread():
    process, reads = start("exit 6")
    await process_pipes.exit_by_thread(process, asyncio.get_running_loop())
    for fd in reads:
        os.close(fd)
    assert process.returncode == 6


async def test_what_was_said_before_it_was_given_up_is_known():
    process, reads = start("echo so far; sleep 1000")
    pipes = ProcessPipes(process, reads)
    assert await pipes.next() == (b"so far\n", "stdout")
    process.kill()
    process.wait()
    assert pipes.abandon() == b""
    assert await pipes.next() is None
    await pipes.exited
