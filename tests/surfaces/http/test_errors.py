import pytest

from angelia.errors import DiskFull, LogDamaged, LogPaused, LogUnavailable
from angelia.surfaces.http.errors import refuse_unwritable, unwritten


class Kept:
    def __init__(self, trouble: LogUnavailable | None) -> None:
        self.trouble = trouble


@pytest.mark.parametrize(
    ("error", "status", "code", "way_out"),
    [
        (DiskFull("/secret/place"), 507, "disk_full", "when there is space"),
        (LogPaused("/secret/place"), 503, "log_unavailable", "Try again"),
        (LogUnavailable("/secret/place"), 503, "log_unavailable", "Try again"),
        (LogDamaged("/secret/place"), 503, "log_damaged", "`angelia recover`"),
    ],
)
def test_clients_hear_what_to_do_and_nothing_of_the_machine(
    error: LogUnavailable, status: int, code: str, way_out: str
) -> None:
    told = unwritten(error)
    assert (told.status, told.code) == (status, code)
    assert way_out in told.message
    assert "nothing was started" in told.message
    assert "secret" not in told.message
    assert told.seconds > 0


def test_nothing_is_refused_while_all_is_well() -> None:
    refuse_unwritable(Kept(None))


def test_each_request_gets_an_error_of_its_own() -> None:
    trouble = DiskFull("full")
    with pytest.raises(DiskFull) as refusal:
        refuse_unwritable(Kept(trouble))
    assert refusal.value is not trouble
