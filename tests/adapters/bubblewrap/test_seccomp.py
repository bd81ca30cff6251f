"""The filter as the kernel would read it: an interpreter of classic BPF, and tables."""

import struct

import pytest

from angelia.adapters.bubblewrap.seccomp import REFUSED, program
from angelia.adapters.bubblewrap.syscalls import MACHINES, Machine

ALLOW, KILL, EPERM, ENOSYS, EAFNOSUPPORT = 0x7FFF0000, 0x80000000, 0x50001, 0x50026, 0x50061


def judged(code: bytes, audit: int, number: int, *arguments: int) -> int:
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, audit, 0, *words)
    steps = list(struct.iter_unpack("=HBBI", code))
    held, at = 0, 0
    while True:
        kind, then, otherwise, value = steps[at]
        at += 1
        match kind:
            case 0x20:
                held = struct.unpack_from("=I", data, value)[0]
            case 0x06:
                return value
            case 0x15:
                at += then if held == value else otherwise
            case 0x35:
                at += then if held >= value else otherwise
            case 0x45:
                at += then if held & value else otherwise
            case _:
                raise AssertionError(kind)


@pytest.fixture(params=MACHINES.values(), ids=MACHINES.keys())
def machine(request: pytest.FixtureRequest) -> Machine:
    return request.param


def answer(machine: Machine, name: str, *arguments: int) -> int:
    return judged(program(machine), machine.audit, machine.numbers[name], *arguments)


def test_what_is_refused_is_refused_and_everything_else_allowed(machine: Machine):
    code = program(machine)
    refused = {machine.numbers[name] for name in REFUSED if name in machine.numbers}
    known = set(machine.numbers.values())
    for number in range(500):
        found = judged(code, machine.audit, number)
        if number in refused:
            assert found == EPERM
        elif number not in known:
            assert found == ALLOW


def test_every_name_has_a_number_where_there_is_such_a_call():
    assert set(REFUSED) <= set(MACHINES["x86_64"].numbers)
    old = {"iopl", "ioperm", "modify_ldt", "uselib", "_sysctl"}
    old |= {"create_module", "get_kernel_syms", "query_module"}
    assert set(REFUSED) - old <= set(MACHINES["aarch64"].numbers)
    for machine in MACHINES.values():
        assert len(set(machine.numbers.values())) == len(machine.numbers)


def test_other_machines_are_the_end(machine: Machine):
    assert judged(program(machine), 0x40000003, 1) == KILL
    if machine.foreign is not None:
        assert judged(program(machine), machine.audit, machine.foreign + 39) == KILL


@pytest.mark.parametrize(
    ("name", "arguments", "verdict"),
    [
        ("clone", (17,), ALLOW),
        ("clone", (0x10000011,), EPERM),
        ("clone", (0x00020000,), EPERM),
        ("clone3", (0, 88), ENOSYS),
        ("openat2", (), ENOSYS),
        ("socket", (2, 1), ALLOW),
        ("socket", (1, 1), ALLOW),
        ("socket", (40, 1), EAFNOSUPPORT),
        ("socket", (38, 5), EAFNOSUPPORT),
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), EPERM),
        ("ioctl", (0, 0x1_0000_5412), EPERM),
        ("fchmod", (3, 0o755), ALLOW),
        ("fchmod", (3, 0o4755), EPERM),
        ("fchmodat", (3, 0, 0o2755), EPERM),
        ("fchmodat2", (3, 0, 0o4755), EPERM),
        ("openat", (3, 0, 0, 0o4755), ALLOW),
        ("openat", (3, 0, 0x40, 0o644), ALLOW),
        ("openat", (3, 0, 0x41, 0o4755), EPERM),
        ("openat", (3, 0, 0x410000, 0o4755), EPERM),
        ("personality", (0xFFFFFFFF,), ALLOW),
        ("personality", (0x0040000,), EPERM),
    ],
)
def test_some_calls_depend_on_what_is_asked(
    machine: Machine, name: str, arguments: tuple[int, ...], verdict: int
):
    assert answer(machine, name, *arguments) == verdict
