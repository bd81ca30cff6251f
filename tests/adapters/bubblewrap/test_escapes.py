"""Attempts to get out of the sandbox, or to see what is outside; each must fail.

Whoever is inside may run any program. Every attempt is made in a command of its own and in one
of a session, since the two are set up differently.
"""

import asyncio
import os
import platform
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest

from angelia.adapters.bubblewrap import MIB, Bubblewrap, Limits
from angelia.adapters.bubblewrap.syscalls import MACHINES
from angelia.ports import Command, Screen
from tests.support.commands import Ran, Reader, alive, run
from tests.support.sandboxes import bubblewrapped

SECRET = "s3cret-of-the-host"
LIMITS = Limits(memory=256 * MIB, processes=40, disk=48 * MIB)

pytestmark = pytest.mark.skipif(shutil.which("python3") is None, reason="needs python3")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    (home / "key").write_text(SECRET)
    (home / "angelia.db").write_text(SECRET)
    (home / "angelia.toml").write_text(SECRET)
    return home


@pytest.fixture(params=["", "session"])
def session(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def sandbox(home: Path) -> AsyncGenerator[Bubblewrap]:
    made = bubblewrapped(home / "workspace", home, LIMITS)
    yield made
    await made.close()


async def attempt(sandbox: Bubblewrap, line: str, session: str = "") -> Ran:
    return await run(sandbox, Command(line, session=session))


async def python(sandbox: Bubblewrap, code: str, session: str = "") -> Ran:
    return await attempt(sandbox, f"python3 - <<'CODE'\n{code}\nCODE", session)


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the host."""
    process = subprocess.Popen(["sleep", "1000"], env={"SECRET": SECRET})
    yield process
    process.kill()
    process.wait()


# ── files ───────────────────────────────────────────────────────────────────────────────────


async def test_the_sandbox_is_one(sandbox: Bubblewrap, session: str):
    """Else all that follows would show nothing."""
    ran = await attempt(sandbox, "echo $((6*7)); python3 -c 'print(6*7)'; touch here", session)
    assert (ran.code, ran.text) == (0, "42\n42\n")


async def test_the_files_of_root_are_not_there(sandbox: Bubblewrap, session: str):
    hidden = "/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh /etc/ssl/private /boot /sys /var /run"
    hidden += " /home /srv /mnt /media /opt /root/.ssh /root/.bashrc /root/.profile"
    ran = await attempt(sandbox, f"for f in {hidden}; do test -e $f && echo $f; done", session)
    assert ran.text == ""
    ran = await attempt(sandbox, "find /root /home -maxdepth 4 -type f 2>/dev/null", session)
    assert ran.text == ""


async def test_the_home_folder_is_not_there(sandbox: Bubblewrap, home: Path, session: str):
    ran = await attempt(sandbox, f"ls -A {home}; cat {home}/key {home}/angelia.db", session)
    assert SECRET not in ran.text
    assert ran.stdout == b"workspace\n"


async def test_a_home_inside_the_workspace_is_hidden(tmp_path: Path, session: str):
    home = tmp_path / "all" / ".angelia"
    home.mkdir(parents=True)
    (home / "key").write_text(SECRET)
    sandbox = bubblewrapped(tmp_path / "all", home, LIMITS)
    ran = await attempt(sandbox, "cat .angelia/key; ls -A .angelia; echo x >.angelia/key", session)
    assert (SECRET in ran.text, ran.stdout) == (False, b"")
    await sandbox.close()
    assert (home / "key").read_text() == SECRET


async def test_the_temporary_files_of_the_host_are_not_there(sandbox: Bubblewrap, session: str):
    with tempfile.NamedTemporaryFile(dir="/tmp", prefix="host-") as file:
        file.write(SECRET.encode())
        file.flush()
        ran = await attempt(sandbox, f"cat {file.name}; ls -R /tmp /dev/shm /var/tmp", session)
        assert SECRET not in ran.text
        assert "host-" not in ran.stdout.decode()


async def test_sessions_do_not_see_each_others_temporary_files(sandbox: Bubblewrap):
    await attempt(sandbox, f"echo {SECRET} >/tmp/mine; echo {SECRET} >/dev/shm/mine", "one")
    for other in ("two", ""):
        ran = await attempt(sandbox, "cat /tmp/mine /dev/shm/mine", other)
        assert SECRET not in ran.text


async def test_nothing_outside_of_the_workspace_can_be_written(
    sandbox: Bubblewrap, home: Path, session: str
):
    places = "/usr/x /usr/bin/x /etc/x /etc/passwd /x /bin/x /dev/x /root/x /proc/x /lib/x"
    line = f"for f in {places} /usr/lib/os-release; do : >>$f && echo wrote $f; done"
    assert (await attempt(sandbox, line, session)).stdout == b""
    # Where the host has its folders there may be others, of the sandbox's own.
    await attempt(sandbox, f"echo x >{home}/x; echo x >{home.parent}/x; rm {home}/key", session)
    assert [p.name for p in home.parent.iterdir()] == ["home"]
    assert sorted(p.name for p in home.iterdir()) == [
        *("angelia.db", "angelia.toml", "key", "sandbox", "workspace")
    ]


async def test_links_lead_nowhere(sandbox: Bubblewrap, home: Path, session: str):
    workspace = home / "workspace"
    (workspace / "key").symlink_to(home / "key")
    (workspace / "up").symlink_to(home)
    (workspace / "root").symlink_to("/root")
    (workspace / "shadow").symlink_to("/etc/shadow")
    ran = await attempt(sandbox, "cat key up/key shadow; ls root/.bashrc; echo x >up/new", session)
    assert SECRET not in ran.text
    assert "root:" not in ran.text
    await attempt(sandbox, f"ln -sf {home}/key mine; cat mine; echo x >mine", session)
    assert (home / "key").read_text() == SECRET
    assert not (home / "new").exists()


async def test_dots_and_slashes_lead_nowhere(sandbox: Bubblewrap, home: Path, session: str):
    up = "../" * 30
    paths = f"../key {up}etc/shadow {up}{home}/key /proc/self/cwd/../key //etc//shadow"
    ran = await attempt(sandbox, f"cat {paths}; cat /dev/fd/../../../etc/shadow", session)
    assert ran.stdout == b""


async def test_hard_links_cannot_be_made_to_what_is_outside(sandbox: Bubblewrap, session: str):
    assert (await attempt(sandbox, "ln /etc/passwd mine || ln /usr/bin/env mine", session)).code


async def test_a_program_cannot_be_made_to_run_with_its_owners_rights(
    sandbox: Bubblewrap, home: Path, session: str
):
    code = """
import os
try: os.chmod("tool", 0o4755)
except PermissionError: print("no chmod")
try: os.close(os.open("other", os.O_CREAT | os.O_WRONLY, 0o4755))
except PermissionError: print("no open")
try: os.mknod("third", 0o104755)
except PermissionError: print("no mknod")
try: os.mkdir("dir"); os.chmod("dir", 0o2755)
except PermissionError: print("no group")
"""
    ran = await python(sandbox, f"import shutil; shutil.copy('/bin/cat', 'tool')\n{code}", session)
    assert ran.text.splitlines() == ["no chmod", "no open", "no mknod", "no group"]
    modes = [path.stat().st_mode for path in (home / "workspace").iterdir()]
    assert not any(mode & 0o6000 for mode in modes)


async def test_programs_of_other_owners_give_no_rights(sandbox: Bubblewrap, session: str):
    line = "grep -E '^(Cap...|NoNewPrivs)' /proc/self/status | tr '\\n\\t' '  '; id -u"
    ran = await attempt(sandbox, line, session)
    none = "0000000000000000"
    assert ran.text.split() == [
        *("CapInh:", none, "CapPrm:", none, "CapEff:", none, "CapBnd:", none, "CapAmb:", none),
        *("NoNewPrivs:", "1", "1000"),
    ]
    for program in ("su", "mount", "passwd", "newgrp", "chsh"):
        ran = await attempt(sandbox, f"{program} -c id </dev/null; id -u", session)
        assert ran.stdout.split()[-1] == b"1000"


async def test_devices_are_few_and_none_can_be_made(sandbox: Bubblewrap, session: str):
    ran = await attempt(sandbox, "ls /dev; mknod mine b 254 0 || mknod mine c 1 1", session)
    assert ran.code
    known = "core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero"
    assert ran.stdout.decode().split() == known.split()


# ── network ─────────────────────────────────────────────────────────────────────────────────


async def test_services_of_the_host_are_not_reached(sandbox: Bubblewrap, session: str):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        code = f"""
import socket
addresses = ["127.0.0.1", "localhost", "0.0.0.0", "127.1.2.3", "10.0.0.1", "169.254.169.254"]
for address in addresses:
    try: socket.create_connection((address, {port}), 1); print("reached", address)
    except OSError: pass
print(socket.if_nameindex())
"""
        ran = await python(sandbox, code, session)
    assert ran.text == "[(1, 'lo')]\n"


async def test_sockets_of_the_host_are_not_reached(
    sandbox: Bubblewrap, tmp_path: Path, session: str
):
    with (
        tempfile.TemporaryDirectory(dir="/tmp") as folder,
        socket.socket(socket.AF_UNIX) as named,
        socket.socket(socket.AF_UNIX) as run_socket,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        in_run = f"/run/angelia-test-{os.getpid()}-{session}"
        named.bind(f"{folder}/socket")
        abstract.bind(f"\0angelia-test-{os.getpid()}")
        run_socket.bind(in_run)
        for one in (named, run_socket, abstract):
            one.listen()
        names = [f"{folder}/socket", in_run, f"\0angelia-test-{os.getpid()}"]
        names += ["/var/run/docker.sock", "/run/dbus/system_bus_socket"]
        code = f"""
import socket
for name in {names!r}:
    try: socket.socket(socket.AF_UNIX).connect(name); print("reached", name)
    except OSError as error: print(error.errno)
"""
        ran = await python(sandbox, code, session)
        Path(in_run).unlink()
    assert ran.stderr == b""
    assert "reached" not in ran.text


async def test_a_session_is_not_reached_by_another(sandbox: Bubblewrap):
    serve = 'import socket; s = socket.create_server(("127.0.0.1", 4711)); print("up", flush=True)'
    serving = await sandbox.start(Command(f"python3 -c '{serve}; s.accept()'", session="one"))
    await Reader(serving).says(b"up")
    for other in ("two", ""):
        ran = await attempt(sandbox, "echo </dev/tcp/127.0.0.1/4711", other)
        assert b"refused" in ran.stderr
    assert (await attempt(sandbox, "echo </dev/tcp/127.0.0.1/4711", "one")).code == 0
    await serving.kill()


async def test_sockets_that_know_no_namespace_cannot_be_opened(sandbox: Bubblewrap, session: str):
    families = {"vsock": 40, "alg": 38, "packet": 17, "bluetooth": 31, "kcm": 41, "xdp": 44}
    code = f"""
import socket
for name, family in {families!r}.items():
    for kind in (1, 2, 3, 5):
        try: socket.socket(family, kind); print("opened", name)
        except OSError: pass
try: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print("opened raw")
except PermissionError: pass
"""
    assert (await python(sandbox, code, session)).text == ""


# ── other processes ─────────────────────────────────────────────────────────────────────────


async def test_processes_of_the_host_are_not_seen_and_not_killed(
    sandbox: Bubblewrap, victim: subprocess.Popen[bytes], session: str
):
    line = f"cat /proc/{victim.pid}/environ; kill -9 {victim.pid}; true"
    ran = await attempt(sandbox, line, session)
    assert SECRET not in ran.text
    assert alive(victim.pid)
    ran = await attempt(sandbox, "ls /proc | grep -c '^[0-9]'", session)
    assert int(ran.stdout) < 8


MACHINE = MACHINES[platform.machine()]
NUMBERS = MACHINE.numbers
CALLS = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *arguments):
    ctypes.set_errno(0)
    answer = libc.syscall(number, *arguments)
    print(name, "done" if answer >= 0 else errno.errorcode[ctypes.get_errno()])
"""


async def test_nothing_can_be_traced(
    sandbox: Bubblewrap, victim: subprocess.Popen[bytes], session: str
):
    code = f"""
{CALLS}
child = os.fork()
if not child:
    import time; time.sleep(10)
call("host", {NUMBERS["ptrace"]}, 16, {victim.pid}, 0, 0)
call("child", {NUMBERS["ptrace"]}, 16, child, 0, 0)
call("self", {NUMBERS["ptrace"]}, 0, 0, 0, 0)
call("read", {NUMBERS["process_vm_readv"]}, child, 0, 0, 0, 0, 0)
call("write", {NUMBERS["process_vm_writev"]}, child, 0, 0, 0, 0, 0)
call("getfd", 438, 0, 0, 0)
os.kill(child, 9)
"""
    ran = await python(sandbox, code, session)
    assert ran.text == "".join(
        f"{name} EPERM\n" for name in ("host", "child", "self", "read", "write", "getfd")
    )


async def test_what_the_first_process_knows_is_harmless(
    home: Path, monkeypatch: pytest.MonkeyPatch, session: str
):
    for name in ("OPENAI_API_KEY", "ANGELIA_API_KEY", "MY_PASSWORD", "BASH_ENV", "LD_PRELOAD_X"):
        monkeypatch.setenv(name, SECRET)
    sandbox = bubblewrapped(home / "workspace", home, LIMITS)
    ran = await attempt(
        sandbox, "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'", session
    )
    assert SECRET not in ran.text
    assert "API_KEY" not in ran.text
    await sandbox.close()


async def test_no_descriptor_of_the_host_is_passed_on(sandbox: Bubblewrap, session: str):
    with Path("/etc/hostname").open() as leaked:
        os.set_inheritable(leaked.fileno(), True)
        ran = await attempt(sandbox, "readlink /proc/self/fd/* /proc/1/fd/*", session)
    for name in ran.stdout.decode().split("\n"):
        assert (
            name.startswith(("pipe:", "/dev/null", "/memfd:", "/proc/", "anon_inode:")) or not name
        )


# ── the kernel's doors ──────────────────────────────────────────────────────────────────────


async def test_the_kernel_cannot_be_written_to_through_proc(sandbox: Bubblewrap, session: str):
    # What is written is what was there: if it could be done, no harm would come of it.
    line = """
for f in $(find /proc -maxdepth 5 -path '/proc/[0-9]*' -prune -o -path /proc/self -prune -o \
           -path /proc/thread-self -prune -o -type f -perm /222 -print 2>/dev/null); do
  [ -c "$f" ] || { { : >>"$f"; } 2>/dev/null && echo "$f"; }
done
for f in kernel/core_pattern kernel/modprobe user/max_user_namespaces vm/drop_caches; do
  was=$(cat /proc/sys/$f) && echo "$was" >/proc/sys/$f && echo wrote $f
done
echo h >/proc/sysrq-trigger && echo wrote
"""
    ran = await attempt(sandbox, line, session)
    assert ran.stdout == b""


async def test_no_way_leads_through_the_roots_of_processes(
    sandbox: Bubblewrap, home: Path, victim: subprocess.Popen[bytes], session: str
):
    pids = f"1 self $$ {victim.pid} {os.getpid()}"
    line = f"""
for p in {pids}; do
  cat /proc/$p/root/etc/shadow /proc/$p/root{home}/key /proc/$p/cwd/../key
  ls /proc/$p/root/var /proc/$p/root/sys
done
head -c1 /proc/kcore; head -c1 /proc/kmsg; head -c1 /proc/1/mem
"""
    ran = await attempt(sandbox, line, session)
    assert ran.stdout == b""


async def test_what_could_open_the_kernel_is_refused(sandbox: Bubblewrap, session: str):
    names = (
        *("mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "keyctl", "add_key"),
        *("request_key", "bpf", "perf_event_open", "kexec_load", "init_module", "finit_module"),
        *("open_by_handle_at", "name_to_handle_at", "userfaultfd", "io_uring_setup", "swapon"),
        *("swapoff", "reboot", "settimeofday", "clock_settime", "open_tree", "fsopen", "syslog"),
        *("move_mount", "mount_setattr", "sethostname", "process_vm_readv", "process_vm_writev"),
    )
    calls = {name: NUMBERS[name] for name in names}
    tries = "\n".join(f"call({name!r}, {number}, 0, 0, 0, 0, 0)" for name, number in calls.items())
    ran = await python(sandbox, CALLS + tries, session)
    assert ran.text == "".join(f"{name} EPERM\n" for name in calls)


async def test_there_are_no_namespaces_within(sandbox: Bubblewrap, session: str):
    ran = await attempt(sandbox, "unshare -U true; unshare -Ur id; unshare -n true", session)
    assert (ran.code == 0, ran.stdout) == (False, b"")
    code = f"""
call("clone", {NUMBERS["clone"]}, 0x10000000 | 17, 0, 0, 0, 0)
call("clone net", {NUMBERS["clone"]}, 0x40000000 | 17, 0, 0, 0, 0)
arguments = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)
call("clone3", 435, ctypes.byref(arguments), 88)
"""
    ran = await python(sandbox, CALLS + code, session)
    assert ran.text == "clone EPERM\nclone net EPERM\nclone3 ENOSYS\n"


@pytest.mark.skipif(MACHINE.foreign is None, reason="this machine has one table of calls only")
async def test_another_machines_calls_are_the_end(sandbox: Bubblewrap, session: str):
    ran = await python(sandbox, CALLS + "call('x32', 0x40000000 + 39)", session)
    assert (ran.code, ran.stdout) == (128 + signal.SIGSYS, b"")


async def test_no_key_can_be_pressed_from_within(sandbox: Bubblewrap, session: str):
    code = """
import fcntl, os, termios
for fd in (0, 1, 2, os.open("/dev/tty", os.O_RDWR)):
    for request in (termios.TIOCSTI, termios.TIOCSTI | 1 << 32, 0x541C):
        try: libc.ioctl(fd, ctypes.c_ulong(request), b"x") == 0 and print("pressed")
        except OSError: pass
print("tried")
"""
    line = f"python3 <(cat <<'CODE'\n{CALLS}{code}\nCODE\n)"
    ran = await run(sandbox, Command(line, session=session, screen=Screen()))
    assert ran.stdout == b"tried\r\n"


# ── too much of it ──────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=["counted", "uncounted"])
async def limited(
    request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Bubblewrap]:
    """With control groups and where there are none."""
    if request.param == "uncounted":
        monkeypatch.setattr("angelia.adapters.bubblewrap.cgroups.find", lambda _: None)
    made = bubblewrapped(home / "workspace", home, LIMITS)
    if request.param == "counted" and not made.counted:
        pytest.skip("no control groups may be made here")
    yield made
    await made.close()


async def test_a_fork_bomb_is_ended(sandbox: Bubblewrap):
    if not sandbox.counted:
        pytest.skip("no control groups may be made here, and root's processes have no other bound")
    ran = await attempt(sandbox, "bomb() { bomb | bomb & bomb; }; bomb 2>/dev/null")
    assert ran.code == 137
    assert ran.exit.limit == LIMITS.process_words()
    assert (await attempt(sandbox, "echo fine")).stdout == b"fine\n"


async def test_a_fork_bomb_of_sleepers_is_ended(limited: Bubblewrap):
    ran = await attempt(limited, "while :; do sleep 1000 & done 2>/dev/null")
    assert ran.exit.limit == LIMITS.process_words()


async def test_a_memory_bomb_is_ended(limited: Bubblewrap):
    ran = await attempt(limited, "python3 -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'")
    assert ran.code
    if limited.counted:
        assert ran.exit.limit == LIMITS.memory_words()
    else:
        assert b"MemoryError" in ran.stderr or ran.exit.limit == LIMITS.memory_words()


async def test_memory_held_by_many_is_ended(limited: Bubblewrap):
    hold = "python3 -c 'import time; x = bytearray(90 << 20); time.sleep(1000)' &"
    ran = await attempt(limited, hold * 5 + " wait; exit 1")
    assert ran.exit.limit == LIMITS.memory_words()


async def test_a_file_that_grows_too_large_ends_its_writer(limited: Bubblewrap, home: Path):
    ran = await attempt(limited, "exec dd if=/dev/zero of=big bs=1M count=500 2>/dev/null")
    # The disk is looked after too, and may be found full in the moment the kernel sends its signal.
    met = {153: LIMITS.file_words(153), 137: LIMITS.disk_words()}
    assert ran.exit.limit == met[ran.code]
    assert (home / "workspace" / "big").stat().st_size <= LIMITS.disk


async def test_a_disk_that_is_filled_with_many_files_ends_the_command(
    limited: Bubblewrap, home: Path
):
    line = "i=0; while :; do head -c 4000000 /dev/urandom >f$i; i=$((i+1)); sleep 0.01; done"
    ran = await attempt(limited, line)
    assert (ran.code, ran.exit.limit) == (137, LIMITS.disk_words())


async def test_files_without_a_name_count_too(limited: Bubblewrap):
    code = """
import os, time
held = []
while True:
    file = open("f", "wb", buffering=0); os.unlink("f"); held.append(file)
    for _ in range(8): file.write(os.urandom(1 << 20))
    time.sleep(0.02)
"""
    ran = await python(limited, code)
    assert ran.exit.limit == LIMITS.disk_words()


async def test_what_others_write_is_not_held_against_a_command(limited: Bubblewrap, tmp_path: Path):
    process = await limited.start(Command("echo on; read x; echo fine", input=True))
    reader = Reader(process)
    await reader.says(b"on")
    with (tmp_path / "of the host").open("wb") as file:
        for _ in range(80):
            file.write(os.urandom(1 << 20))
            await asyncio.sleep(0.01)
    await process.write(b"\n")
    await reader.says(b"fine")
    assert (await process.wait()).limit is None


async def test_temporary_files_have_a_bound(limited: Bubblewrap, session: str):
    fill = "for i in 1 2 3; do head -c 40M /dev/zero >$d/$i; done; du -bc $d/? | tail -n 1; rm $d/?"
    ran = await attempt(limited, f"for d in /tmp /dev/shm; do {fill}; done", session)
    assert ran.stderr.count(b"No space left") >= 2
    assert all(int(size) <= LIMITS.temporary for size in ran.stdout.split()[::2])


async def test_bounds_cannot_be_raised(limited: Bubblewrap):
    ran = await attempt(limited, "ulimit -f unlimited; ulimit -c unlimited; ulimit -f; ulimit -c")
    assert ran.stdout.split() == [str(LIMITS.disk // 1024).encode(), b"0"]


def test_our_own_bounds_are_as_they_were():
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
