from pathlib import Path

from angelia.ports import Salvage
from angelia.ports.storage import CutRun
from angelia.surfaces.cli.recover import SHOWN, lines
from tests.surfaces.cli.test_app import angelia, env_of


def test_a_sound_database_is_said_to_be_so() -> None:
    assert list(lines(Salvage("/db", whole=7))) == ["/db is in order: 7 runs, nothing to do."]


def test_what_was_brought_back_is_told_with_what_to_do_next() -> None:
    found = Salvage(
        "/db",
        "a page is missing",
        "/db.damaged",
        whole=5,
        cut=(CutRun("run_a", 3),),
        lost=("run_b",),
        rows={"runs": 6, "events": 90},
    )
    assert list(lines(found)) == [
        "/db is damaged: a page is missing",
        "  runs kept whole  5",
        "  runs cut short   1",
        "    run_a, ended behind entry 3",
        "  runs lost        1",
        "    run_b",
        "  rows             runs 6, events 90",
        "The damaged file is kept as /db.damaged",
        "Start the server again: angelia serve",
    ]


def test_a_look_says_that_nothing_was_changed() -> None:
    *_, last = lines(Salvage("/db", "it is empty"))
    assert last == "Nothing was changed. Run it without --check to bring this back."


def test_a_long_list_is_cut() -> None:
    found = Salvage("/db", "torn", lost=tuple(f"run_{n}" for n in range(SHOWN + 5)))
    told = list(lines(found))
    assert f"    run_{SHOWN - 1}" in told
    assert f"    run_{SHOWN}" not in told
    assert "    and 5 more" in told


def test_checkpoints_that_begin_anew_are_told() -> None:
    (_, last) = lines(Salvage("/db", checkpoints="/old"))
    assert last == "The checkpoints were damaged; undo begins anew. The old ones: /old"


def test_a_look_does_not_say_that_checkpoints_were_moved() -> None:
    (_, last) = lines(Salvage("/db", checkpoints="/old"), check=True)
    assert last == "The checkpoints are damaged. Run it without --check to begin them anew."


def test_nothing_to_recover_is_one_line_and_makes_nothing(tmp_path: Path) -> None:
    ran = angelia("recover", env=env_of(tmp_path))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("angelia: There is no database at ")
    assert not (tmp_path / ".angelia").exists()
