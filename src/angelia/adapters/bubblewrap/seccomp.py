"""The filter of system calls that commands run under, as a classic BPF program.

What it refuses nobody needs who only works in a folder: it keeps the kernel's larger doors shut
even where the lack of capabilities would do. Everything else is allowed.
"""

import errno
import struct
from collections.abc import Iterable

from angelia.adapters.bubblewrap.syscalls import Machine

_LOAD, _EQUAL, _NOT_BELOW, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000

REFUSED = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd"),
    *("mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "open_tree_attr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "setns", "unshare"),
    *("keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module"),
    *("create_module", "get_kernel_syms", "query_module", "uselib", "_sysctl", "nfsservctl"),
    *("open_by_handle_at", "name_to_handle_at", "lookup_dcookie", "fanotify_init"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "iopl", "ioperm", "modify_ldt"),
    *("swapon", "swapoff", "reboot", "acct", "quotactl", "quotactl_fd", "syslog", "vhangup"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname"),
    "setdomainname",
)
# Their arguments lie in memory, where no filter sees them; programs have another way.
ABSENT = ("clone3", "openat2")
NEW_NAMESPACES = 0x7E020000
SET_ID = 0o6000
# A file that runs with the rights of its owner would run so outside, too.
MODES = {
    "chmod": 1,
    "fchmod": 1,
    "fchmodat": 2,
    "fchmodat2": 2,
    "creat": 1,
    "mknod": 1,
    "mknodat": 2,
}
MODES_OF_NEW = {"open": 2, "openat": 3}
MAKES_FILE = 0x400040
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)


def program(machine: Machine) -> bytes:
    blocks = [*_head(machine)]
    for name in REFUSED:
        blocks += _refuse(machine, name, errno.EPERM)
    for name in ABSENT:
        blocks += _refuse(machine, name, errno.ENOSYS)
    blocks += _bits(machine, "clone", 0, NEW_NAMESPACES)
    for name, argument in MODES.items():
        blocks += _bits(machine, name, argument, SET_ID)
    for name, argument in MODES_OF_NEW.items():
        blocks += _new_file(machine, name, argument)
    blocks += _none_of(machine, "ioctl", 1, (TIOCSTI, TIOCLINUX))
    # Others reach past the network namespace, to the machine below or into the kernel.
    blocks += _only(machine, "socket", 0, (UNIX, INET, INET6, NETLINK), errno.EAFNOSUPPORT)
    blocks += _only(machine, "personality", 0, PERSONALITIES, errno.EPERM)
    return b"".join([*blocks, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _head(machine: Machine) -> Iterable[bytes]:
    yield _step(_LOAD, _MACHINE)
    yield _step(_EQUAL, machine.audit, 1)
    yield _step(_RETURN, _KILL)
    yield _step(_LOAD, _NUMBER)
    if machine.foreign is not None:
        yield _step(_NOT_BELOW, machine.foreign, 0, 1)
        yield _step(_RETURN, _KILL)


def _refuse(machine: Machine, name: str, error: int) -> Iterable[bytes]:
    number = machine.numbers.get(name)
    if number is not None:
        yield _step(_EQUAL, number, 0, 1)
        yield _step(_RETURN, _ERRNO | error)


def _bits(machine: Machine, name: str, argument: int, mask: int) -> Iterable[bytes]:
    test = [_step(_ANY_BIT, mask, 0, 1), _step(_RETURN, _ERRNO | errno.EPERM)]
    return _argument(machine, name, argument, [*test, _step(_RETURN, _ALLOW)])


def _new_file(machine: Machine, name: str, argument: int) -> Iterable[bytes]:
    """Where no file is made, the mode may be anything."""
    allow = _step(_RETURN, _ALLOW)
    makes = [_step(_ANY_BIT, MAKES_FILE, 1), allow, _step(_LOAD, _ARGUMENTS + 8 * argument)]
    test = [_step(_ANY_BIT, SET_ID, 0, 1), _step(_RETURN, _ERRNO | errno.EPERM)]
    return _argument(machine, name, argument - 1, [*makes, *test, allow])


def _none_of(
    machine: Machine, name: str, argument: int, values: tuple[int, ...]
) -> Iterable[bytes]:
    tests = [
        step
        for value in values
        for step in (_step(_EQUAL, value, 0, 1), _step(_RETURN, _ERRNO | errno.EPERM))
    ]
    return _argument(machine, name, argument, [*tests, _step(_RETURN, _ALLOW)])


def _only(
    machine: Machine, name: str, argument: int, values: tuple[int, ...], error: int
) -> Iterable[bytes]:
    tests = [
        step for value in values for step in (_step(_EQUAL, value, 0, 1), _step(_RETURN, _ALLOW))
    ]
    return _argument(machine, name, argument, [*tests, _step(_RETURN, _ERRNO | error)])


def _argument(machine: Machine, name: str, argument: int, tests: list[bytes]) -> Iterable[bytes]:
    """The lower half of an argument; what the kernel takes of those tested here is no longer."""
    number = machine.numbers.get(name)
    if number is None:
        return ()
    load = _step(_LOAD, _ARGUMENTS + 8 * argument)
    return (_step(_EQUAL, number, 0, 1 + len(tests)), load, *tests)
