import resource
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.adapters.sqlite.spool import (
    TURN_BYTES,
    Spool,
    Spooled,
    discard,
    paths_of,
    spooled,
)

BODY = b'{"t":"text_delta","text":"a"}\n'


def row(run_id: str, first: int, count: int = 1, body: bytes = BODY) -> Spooled:
    return Spooled(run_id, 1, first, first + count - 1, 2.5, body * count)


@contextmanager
def files_no_larger_than(size: int) -> Generator[None]:
    """A disk that takes the first part of a write, and no more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_rows_come_back_as_they_were_and_in_the_order_of_each_run(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "db")
    spool.write([row("b", 2, 3), row("a", 2)])
    spool.write([row("a", 3, 2)])
    spool.turn()
    spool.write([row("a", 5), row("b", 5)])
    assert spooled(tmp_path / "db") == [
        row("a", 2),
        row("a", 3, 2),
        row("a", 5),
        row("b", 2, 3),
        row("b", 5),
    ]
    assert row("a", 3, 2).row == (3, 4, 2.5, BODY * 2)
    spool.close(empty=False)


def test_without_a_write_there_is_no_file(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "db")
    assert spooled(tmp_path / "db") == []
    spool.close(empty=True)
    discard(tmp_path / "db")
    assert list(tmp_path.iterdir()) == []


def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "db")
    spool.write([row("a", 2)])
    assert [stat.S_IMODE(path.stat().st_mode) for path in paths_of(tmp_path / "db")] == [0o600] * 2
    spool.close(empty=False)


def test_a_file_is_written_again_only_when_it_was_emptied(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "db")
    spool.write([row("a", 2)])
    assert not spool.full
    spool.write([row("a", 3, body=b"x" * TURN_BYTES)])
    assert spool.full
    assert spool.turn() == 0
    assert not spool.full
    spool.write([row("a", 4)])
    assert spool.turn() is None
    spool.write([row("a", 5)])
    spool.empty(0)
    assert spooled(tmp_path / "db") == [row("a", 4), row("a", 5)]
    assert spool.turn() == 1
    spool.write([row("a", 6)])
    assert spooled(tmp_path / "db") == [row("a", 4), row("a", 5), row("a", 6)]
    spool.close(empty=False)


@pytest.mark.parametrize(("empty", "left"), [(True, 0), (False, 1)])
def test_closed_it_leaves_what_is_still_needed(tmp_path: Path, *, empty: bool, left: int) -> None:
    spool = Spool(tmp_path / "db")
    spool.write([row("a", 2)])
    spool.close(empty=empty)
    spool.close(empty=empty)
    assert len(spooled(tmp_path / "db")) == left
    discard(tmp_path / "db")
    assert list(tmp_path.iterdir()) == []


def test_who_opens_it_anew_begins_with_nothing(tmp_path: Path) -> None:
    for number in range(2, 4):
        spool = Spool(tmp_path / "db")
        spool.write([row("a", number)])
        spool.close(empty=False)
    assert spooled(tmp_path / "db") == [row("a", 3)]


def test_a_write_that_was_cut_short_is_as_if_nobody_had_tried(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "db")
    spool.write([row("a", 2)])
    size = paths_of(tmp_path / "db")[0].stat().st_size
    with files_no_larger_than(size + 20), pytest.raises(OSError, match="part"):
        spool.write([row("a", 3, 20)])
    assert paths_of(tmp_path / "db")[0].stat().st_size == size + 20
    assert spooled(tmp_path / "db") == [row("a", 2)]
    spool.write([row("a", 3)])
    assert spooled(tmp_path / "db") == [row("a", 2), row("a", 3)]
    spool.close(empty=False)


def test_a_folder_that_takes_no_file_keeps_no_descriptor(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "db")
    second = paths_of(tmp_path / "db")[1]
    second.mkdir()
    before = _open_files()
    for _ in range(5):
        with pytest.raises(IsADirectoryError):
            spool.write([row("a", 2)])
    assert _open_files() <= before + 1
    second.rmdir()
    spool.write([row("a", 2)])
    assert spooled(tmp_path / "db") == [row("a", 2)]
    spool.close(empty=True)
    assert _open_files() == before


@st.composite
def damages(draw: st.DrawFn) -> tuple[list[Spooled], bytes]:
    """Rows that were written, one record each, and what has become of their file."""
    rows = [row("a", 2 + number, 1 + number % 3) for number in range(draw(st.integers(1, 6)))]
    data = bytearray(_written(rows))
    match draw(st.sampled_from(("cut", "flip", "append", "zeros"))):
        case "cut":
            del data[draw(st.integers(0, len(data))) :]
        case "flip":
            data[draw(st.integers(0, len(data) - 1))] ^= draw(st.integers(1, 255))
        case "append":
            data += draw(st.binary(max_size=40))
        case _:
            start = draw(st.integers(0, len(data)))
            data[start:] = bytes(len(data) - start)
    return rows, bytes(data)


def _written(rows: list[Spooled]) -> bytes:
    with TemporaryDirectory() as folder:
        spool = Spool(Path(folder) / "db")
        for each in rows:
            spool.write([each])
        spool.close(empty=False)
        return paths_of(Path(folder) / "db")[0].read_bytes()


@given(damage=damages())
def test_whatever_becomes_of_a_file_its_beginning_is_read(
    tmp_path_factory: pytest.TempPathFactory, damage: tuple[list[Spooled], bytes]
) -> None:
    rows, data = damage
    database = tmp_path_factory.mktemp("spool") / "db"
    paths_of(database)[0].write_bytes(data)
    found = spooled(database)
    assert found == rows[: len(found)]
    whole = _written(rows)
    same = next((n for n, (a, b) in enumerate(zip(data, whole, strict=False)) if a != b), None)
    intact = min(len(data), len(whole)) if same is None else same
    # Every record in front of the damage is there.
    ends = [len(_written(rows[: number + 1])) for number in range(len(rows))]
    assert len(found) >= sum(end <= intact for end in ends)


@given(data=st.binary(max_size=200))
def test_any_bytes_can_lie_there(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    database = tmp_path_factory.mktemp("spool") / "db"
    for path in paths_of(database):
        path.write_bytes(data)
    assert spooled(database) == []
