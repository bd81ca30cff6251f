"""Control groups of both versions, in folders that look like theirs."""

import os
import subprocess
from pathlib import Path

import pytest

from angelia.adapters.bubblewrap import cgroups
from angelia.adapters.bubblewrap.cgroups import Cgroup, Cgroups
from angelia.adapters.bubblewrap.limits import MIB, Limits

LIMITS = Limits(memory=100 * MIB, processes=7)


def look(tmp_path: Path, mounts: str, own: str) -> list[tuple[Path, Path]]:
    (tmp_path / "mounts").write_text(mounts)
    (tmp_path / "own").write_text(own)
    return list(cgroups._places(tmp_path / "own", tmp_path / "mounts"))


def test_version_1_is_used_below_our_own_groups(tmp_path: Path):
    (tmp_path / "memory" / "mine").mkdir(parents=True)
    (tmp_path / "pids").mkdir()
    lines = (f"cgroup {tmp_path}/{name} cgroup rw,{name} 0 0\n" for name in ("memory", "pids"))
    mounts = "".join(lines)
    own = "4:memory:/mine\n8:pids:/\n0::/\n"
    assert look(tmp_path, mounts, own) == [(tmp_path / "memory" / "mine", tmp_path / "pids")]


def test_version_2_is_used_where_children_may_be_counted(tmp_path: Path):
    slice_ = tmp_path / "all" / "system.slice"
    (slice_ / "ours.service").mkdir(parents=True)
    (slice_ / "ours.service" / "cgroup.subtree_control").write_text("")
    (slice_ / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (tmp_path / "all" / "cgroup.subtree_control").write_text("cpu\n")
    mounts = f"cgroup2 {tmp_path}/all cgroup2 rw 0 0\n"
    assert look(tmp_path, mounts, "0::/system.slice/ours.service\n") == [(slice_, slice_)]


def test_where_there_are_none_there_are_none(tmp_path: Path):
    assert look(tmp_path, "proc /proc proc rw 0 0\n", "") == []
    assert cgroups.find("owner", tmp_path / "none", tmp_path / "none") is None


def test_version_2_is_written_as_it_wants_to_be(tmp_path: Path):
    group = Cgroup(tmp_path / "g", tmp_path / "g", LIMITS)
    group.set_up()
    assert (tmp_path / "g" / "memory.max").read_text() == str(100 * MIB)
    assert (tmp_path / "g" / "pids.max").read_text() == "7"
    assert group.broken() is None
    (tmp_path / "g" / "memory.events").write_text("low 0\nmax 3\noom 1\noom_kill 0\n")
    (tmp_path / "g" / "pids.events").write_text("max 0\n")
    assert group.broken() is None
    (tmp_path / "g" / "pids.events").write_text("max 2\n")
    assert group.broken() == LIMITS.process_words()
    (tmp_path / "g" / "memory.events").write_text("low 0\noom_kill 1\n")
    assert group.broken() == LIMITS.memory_words()


@pytest.fixture
def groups() -> Cgroups:
    found = cgroups.find(f"test-{os.getpid()}")
    if found is None:
        pytest.skip("no control groups may be made here")
    return found


def roots() -> list[Path]:
    return list(Path("/sys/fs/cgroup").rglob(f"angelia-test-{os.getpid()}-*"))


def test_a_group_takes_a_process_and_goes_when_it_is_gone(groups: Cgroups):
    group = groups.make(LIMITS)
    process = subprocess.Popen(["sleep", "1000"])
    group.take(process.pid)
    assert f"angelia-test-{os.getpid()}" in Path(f"/proc/{process.pid}/cgroup").read_text()
    assert not group.remove()
    process.kill()
    process.wait()
    while not group.remove():
        pass
    groups.sweep()
    assert roots() == []


def test_what_a_killed_server_left_is_swept_away(groups: Cgroups):
    process = subprocess.Popen(["sleep", "1000"])
    groups.make(LIMITS).take(process.pid)
    groups.sweep()
    assert process.wait() == -9
    groups.sweep()
    assert roots() == []
