"""What clients of the job API send, read strictly into values."""

from msgspec import UNSET, json

from angelia.core.policy import Limits
from angelia.core.schedule import parse
from angelia.wire import fields
from angelia.wire.jobs.shapes import ChangeJobIn, CreateJobIn, LimitsIn

_create = json.Decoder(CreateJobIn)
_change = json.Decoder(ChangeJobIn)


def parse_create(body: bytes) -> CreateJobIn:
    """Raises BadRequest, which names the path of the field that is wrong."""
    given = fields.decode(body, _create)
    parse(given.schedule)
    _refuse_blank(given.input)
    if given.session_id is not None:
        fields.session_id(given.session_id, "session_id")
    return given


def parse_change(body: bytes) -> ChangeJobIn:
    given = fields.decode(body, _change)
    if given.schedule is not UNSET:
        parse(given.schedule)
    if given.input is not UNSET:
        _refuse_blank(given.input)
    if isinstance(given.session_id, str):
        fields.session_id(given.session_id, "session_id")
    return given


def limits_of(given: LimitsIn | None) -> Limits:
    if given is None:
        return Limits()
    return Limits(given.max_steps, given.max_tokens, given.max_seconds, given.max_cost)


def _refuse_blank(text: str) -> None:
    if not text.strip():
        raise fields.refused("input", "expected words")
