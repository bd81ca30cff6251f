import os
from pathlib import Path

from angelia.adapters.bubblewrap import view
from angelia.adapters.bubblewrap.limits import Limits
from angelia.adapters.bubblewrap.view import Place


def mounted(place: Place) -> list[str]:
    return view.mounts(place, Limits(), own_temporary=True)


def test_a_home_that_would_be_seen_is_covered_before_the_workspace_is_shown():
    home = Path("/usr/local/angelia")
    flags = mounted(Place(home / "workspace", home))
    assert flags.index(str(home)) < flags.index(str(home / "workspace"))
    assert flags[flags.index(str(home)) - 1] == "--tmpfs"


def test_a_home_in_the_workspace_is_covered_after_it():
    flags = mounted(Place(Path("/srv"), Path("/srv/.angelia")))
    assert flags.index("/srv") < flags.index("/srv/.angelia")


def test_a_home_that_nobody_sees_needs_no_cover():
    assert "/srv/home" not in mounted(Place(Path("/srv/home/workspace"), Path("/srv/home")))


def test_the_root_is_closed_last():
    assert mounted(Place(Path("/w"), Path("/h")))[-2:] == ["--remount-ro", "/"]


def test_what_must_never_be_missing_is_there():
    for own_network in (True, False):
        flags = view.namespaces(own_network=own_network, disable=True)
        assert ("--unshare-net" in flags) == own_network
        for flag in ("user", "pid", "ipc", "uts"):
            assert f"--unshare-{flag}" in flags
        for flag in ("--disable-userns", "--new-session", "--die-with-parent"):
            assert flag in flags
        assert flags[flags.index("--cap-drop") + 1] == "ALL"


def test_the_search_path_is_only_added_to():
    given = os.pathsep.join(("/usr/bin", "/bin"))
    assert view.path_of(given).startswith(given)
    assert view.path_of(view.path_of(given)) == view.path_of(given)


def test_a_program_in_a_home_folder_does_not_show_the_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for place in ("bin", ".local/bin", "node-20/bin"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "node").touch(mode=0o755)
    for place, shown in (("bin", None), (".local/bin", None), ("node-20/bin", "node-20")):
        monkeypatch.setenv("PATH", str(tmp_path / place))
        seen = [folder for folder in view.programs() if folder.is_relative_to(tmp_path)]
        assert seen == ([tmp_path / shown] if shown else [])
