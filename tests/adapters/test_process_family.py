import asyncio
import os
import subprocess
from pathlib import Path

from angelia.adapters.process_family import VARIABLE, kill_family, members


def start(mark: str, command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["/bin/sh", "-c", command],
        env={"PATH": os.environ["PATH"], VARIABLE: mark},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


async def test_a_family_is_found_by_mark_and_by_descent_and_nobody_else_is():
    process = start("m1", "setsid sleep 1000 & env -i setsid sleep 1000 & echo; wait")
    other = start("m11", "echo; sleep 1000")
    try:
        for one in (process, other):
            assert one.stdout is not None
            one.stdout.readline()
        family = members(process.pid, "m1")
        assert process.pid in family
        assert other.pid not in family
        assert os.getpid() not in family
        await kill_family(process.pid, "m1")
        assert members(process.pid, "m1") == set()
        assert other.pid in members(other.pid, "m11")
        assert process.wait() == -9
    finally:
        await kill_family(other.pid, "m11")
        for one in (process, other):
            one.wait()
            assert one.stdout is not None
            one.stdout.close()


async def test_a_child_that_dropped_the_mark_is_found_by_descent():
    process = start("m3", "env -i setsid sleep 1000 & echo $!; wait")
    assert process.stdout is not None
    child = int(process.stdout.readline())
    while VARIABLE.encode() in Path(f"/proc/{child}/environ").read_bytes():
        await asyncio.sleep(0.001)
    assert child in members(process.pid, "m3")
    await kill_family(process.pid, "m3")
    process.wait()
    process.stdout.close()
    assert members(child, "m3") == set()


async def test_the_mark_alone_is_enough():
    process = start("m2", "(setsid sleep 1000 >/dev/null &) ; echo")
    with process:
        assert process.stdout is not None
        process.stdout.readline()
    strays = members(-1, "m2")
    assert strays
    await kill_family(process.pid, "m2")
    assert members(-1, "m2") == set()
