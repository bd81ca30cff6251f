from typing import get_args

import msgspec
import pytest

from angelia.surfaces.cli.events import Event, read
from angelia.wire.runs.shapes import MessageDeltaOut, NoticeOut, RunFailedOut

KINDS: tuple[type[msgspec.Struct], ...] = get_args(Event)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (
            b'{"event":"message.delta","run_id":"r","seq":2,"timestamp":1,"delta":"x"}',
            MessageDeltaOut,
        ),
        (
            b'{"event":"run.failed","run_id":"r","seq":2,"timestamp":1,"output":"","usage":'
            b'{"input_tokens":0,"output_tokens":0,"total_tokens":0,"cached_tokens":0,'
            b'"cache_write_tokens":0,"reasoning_tokens":0},"error":{"message":"m","code":"c"}}',
            RunFailedOut,
        ),
        (
            b'{"event":"notice","run_id":"r","seq":2,"timestamp":1,"code":"tool_resumed",'
            b'"message":"m","tool_call_id":"1"}',
            NoticeOut,
        ),
    ],
)
def test_an_event_is_read_as_what_it_is(data: bytes, kind: type[Event]) -> None:
    assert isinstance(read(data), kind)


def test_an_event_of_an_unknown_kind_is_skipped() -> None:
    assert read(b'{"event":"comet.sighted","run_id":"r","seq":2}') is None


def test_every_kind_is_told_by_a_name_of_its_own() -> None:
    assert len({kind.__struct_config__.tag for kind in KINDS}) == len(KINDS)
