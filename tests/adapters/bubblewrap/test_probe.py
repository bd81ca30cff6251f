import os
import platform
import sys
from pathlib import Path

import pytest

from angelia.adapters.bubblewrap.probe import complaint, means


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search path with programs that say what they are told to."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("nsenter", "bash", "setsid"):
        program(tmp_path, name, "")
    return tmp_path


def program(folder: Path, name: str, says: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\necho '{says}'\n")
    (folder / name).chmod(0o755)


def test_what_is_missing_is_named(programs: Path):
    assert "bubblewrap is not installed" in str(means())
    program(programs, "bwrap", "--size --disable-userns")
    (programs / "nsenter").unlink()
    assert "needs nsenter" in str(means())


def test_an_old_one_is_named(programs: Path):
    program(programs, "bwrap", "--tmpfs")
    assert "older than 0.7" in str(means())


def test_one_without_the_latest_flag_will_do(programs: Path):
    program(programs, "bwrap", "--size")
    found = means()
    assert not isinstance(found, str)
    assert not found.disables


def test_machines_without_a_filter_are_named(programs: Path, monkeypatch: pytest.MonkeyPatch):
    program(programs, "bwrap", "--size")
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    assert "no filter of system calls for vax" in str(means())
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "no sandbox for" in str(means())


def test_the_last_words_are_the_complaint():
    assert complaint(["true"], ()) is None
    said = complaint(["sh", "-c", "echo first >&2; echo 'bwrap: not allowed' >&2; exit 1"], ())
    assert said == "bubblewrap does not work here (bwrap: not allowed)"
    assert "does not run here" in str(complaint([os.devnull], ()))
