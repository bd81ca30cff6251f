import os
from pathlib import Path

import pytest

from angelia.adapters.memory_files import Sealed, Slate, inside


def test_sealed_bytes_are_read_from_the_beginning_every_time_and_cannot_be_changed():
    sealed = Sealed("name", b"bytes")
    for _ in range(2):
        fd = sealed.open()
        assert os.read(fd, 10) == b"bytes"
        os.close(fd)
    with pytest.raises(PermissionError):
        os.write(sealed._fd, b"x")
    sealed.close()
    sealed.close()


@pytest.mark.parametrize(
    ("written", "line"),
    [(b"", ""), (b"/a\n", "/a"), (b"junk\n/a b\n", "/a b"), (b"x\0y\n/a", "/a")],
)
def test_the_last_line_on_a_slate_counts(written: bytes, line: str):
    slate = Slate(100)
    os.write(slate.fd, written)
    assert slate.last_line() == line
    slate.close()


def test_a_slate_cannot_grow():
    slate = Slate(4)
    os.write(slate.fd, b"1234")
    with pytest.raises(PermissionError):
        os.write(slate.fd, b"5")
    slate.close()


def test_only_folders_inside_are_inside(tmp_path: Path):
    folder = tmp_path / "in"
    (folder / "deep").mkdir(parents=True)
    (folder / "file").write_text("")
    (folder / "out").symlink_to(tmp_path)
    (folder / "round").symlink_to("round")
    assert inside(str(folder), folder) == "."
    assert inside(f"{folder}/deep/../deep", folder) == "deep"
    for path in ("", "deep", f"{folder}/file", f"{folder}/out", f"{folder}/none", "/", "a\0b"):
        assert inside(path, folder) is None
    assert inside(f"{folder}/round", folder) is None
