from pathlib import Path

import pytest

from angelia.errors import StorageError
from angelia.surfaces.cli.setup.keeping import read, write


def mode(file: Path) -> int:
    return file.stat().st_mode & 0o777


def test_a_file_with_a_key_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "angelia.toml"
    assert write(file, "a", private=True) is None
    assert (read(file), mode(file), mode(file.parent)) == ("a", 0o600, 0o700)
    write(file, "b", private=False)
    assert (read(file), mode(file)) == ("b", 0o600)


def test_a_file_without_one_is_as_files_are(tmp_path: Path) -> None:
    write(tmp_path / "angelia.toml", "a", private=False)
    assert mode(tmp_path / "angelia.toml") == 0o644


@pytest.mark.parametrize("rights", [0o600, 0o640, 0o660])
def test_nobody_gets_to_read_what_they_could_not(tmp_path: Path, rights: int) -> None:
    file = tmp_path / "angelia.toml"
    file.write_text("a")
    file.chmod(rights)
    write(file, "b", private=False)
    assert (read(file), mode(file)) == ("b", rights)


def test_a_link_to_a_file_elsewhere_stays_one(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real, link = tmp_path / "dotfiles" / "angelia.toml", tmp_path / "angelia.toml"
    real.write_text("a")
    link.symlink_to(real)
    write(link, "b", private=False)
    assert (link.is_symlink(), real.read_text()) == (True, "b")


def test_what_was_there_is_kept_each_time(tmp_path: Path) -> None:
    file = tmp_path / "angelia.toml"
    for text in ("a", "b", "c"):
        kept = write(file, text, private=False)
    assert kept == tmp_path / "angelia.toml.bak2"
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["c", "a", "b"]
    assert mode(kept) == 0o600


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        write(tmp_path / "file" / "angelia.toml", "a", private=False)
    with pytest.raises(StorageError, match="cannot be read"):
        read(tmp_path)


def test_no_file_is_no_text(tmp_path: Path) -> None:
    assert read(tmp_path / "none") is None
