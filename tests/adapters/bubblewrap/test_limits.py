import pytest

from angelia.adapters.bubblewrap.limits import MIB, Limits, in_words


@pytest.mark.parametrize(
    ("size", "words"),
    [(MIB, "1 MiB"), (1536 * MIB, "1536 MiB"), (2048 * MIB, "2 GiB"), (MIB // 2, "0.5 MiB")],
)
def test_sizes_are_told_in_words(size: int, words: str):
    assert in_words(size) == words


def test_every_bound_names_its_setting():
    limits = Limits()
    assert "2 GiB of memory (tools.memory_limit)" in limits.memory_words()
    assert "256 processes (tools.process_limit)" in limits.process_words()
    assert "1 GiB to disk (tools.disk_limit)" in limits.disk_words()
    assert "1 GiB (tools.disk_limit)" in str(limits.file_words(153))
    assert limits.file_words(1) is None


def test_temporary_files_leave_room_in_memory_and_on_disk():
    assert Limits().temporary == 512 * MIB
    assert Limits(disk=10 * MIB).temporary == 10 * MIB
