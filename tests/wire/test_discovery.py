"""Readiness is the word of every part that can fail, and lists say what they are lists of."""

import msgspec
import pytest

from angelia.wire.discovery import (
    Checks,
    DiskCheck,
    EngineCheck,
    Model,
    Models,
    ProviderCheck,
    SandboxCheck,
    StoreCheck,
    UpstreamCheck,
)


def checks(*, store: bool = True, engine: bool = True, disk: bool = True) -> Checks:
    return Checks(
        StoreCheck(store),
        EngineCheck(engine, 1, 0),
        DiskCheck(disk, 1024),
        UpstreamCheck("demo", (ProviderCheck("demo", "failing", 1, 0),)),
        SandboxCheck("none"),
    )


def test_a_server_whose_parts_all_work_is_fine() -> None:
    assert checks().fine


@pytest.mark.parametrize("broken", ["store", "engine", "disk"])
def test_one_part_that_fails_is_enough(broken: str) -> None:
    assert not checks(**{broken: False}).fine


def test_models_come_as_a_list_of_models() -> None:
    listed = msgspec.json.decode(msgspec.json.encode(Models((Model("angelia", 0, "us"),))))
    assert listed == {
        "object": "list",
        "data": [{"object": "model", "id": "angelia", "created": 0, "owned_by": "us"}],
    }
