from pathlib import Path

from angelia.adapters.bubblewrap.surroundings import copy_etc, writable_proc
from angelia.adapters.bubblewrap.view import Place


def test_what_could_be_written_in_proc_is_found(tmp_path: Path):
    for name in ("sys", "fs/deep", "1", "tty"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "fs" / "deep" / "knob").write_text("")
    (tmp_path / "1" / "mem").write_text("")
    (tmp_path / "tty" / "drivers").write_text("")
    (tmp_path / "tty" / "drivers").chmod(0o444)
    (tmp_path / "sysrq-trigger").write_text("")
    (tmp_path / "sysrq-trigger").chmod(0o200)
    (tmp_path / "cpuinfo").write_text("")
    (tmp_path / "cpuinfo").chmod(0o444)
    (tmp_path / "self").symlink_to("1")
    assert [path.name for path in writable_proc(tmp_path)] == ["fs", "sys", "sysrq-trigger"]


def test_of_etc_only_the_harmless_is_copied(tmp_path: Path):
    etc = tmp_path / "etc"
    etc.mkdir()
    for name in ("shadow", "passwd", "sudoers", "os-release"):
        (etc / name).write_text(f"of the host: {name}")
    place = Place(tmp_path / "w", tmp_path / "h")
    copy_etc(place, etc)
    copy_etc(place, etc)
    files = {path.name for path in place.etc.iterdir() if path.is_file()}
    assert files == {"os-release", "passwd", "group", "hosts"}
    assert "of the host" not in (place.etc / "passwd").read_text()
