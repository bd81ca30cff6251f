"""Whatever a run is, what we send to a client is shown by its rules as it happened."""

import asyncio

import pytest
from hypothesis import given

from angelia.core.events import Entry
from angelia.surfaces.cli.doctor.clients.known import CLIENTS, View
from angelia.surfaces.cli.doctor.names import ClientName
from angelia.surfaces.cli.doctor.recording import chat_dialect, items_dialect
from angelia.surfaces.cli.doctor.verdict import judge
from tests.surfaces.cli.doctor.streams import SETTINGS, VIEWS, seen
from tests.wire.chat.runs import runs


def name(view: View) -> str:
    return view.read.__module__.rpartition(".")[2] + " " + view.surface


@pytest.mark.parametrize("view", VIEWS, ids=name)
@given(entries=runs())
def test_any_run_is_shown_as_it_happened(view: View, entries: list[Entry]):
    truth, shown = asyncio.run(seen(view, entries))
    assert judge(view, truth, shown).problems == ()


def test_every_client_that_can_be_named_is_known():
    assert set(CLIENTS) == set(ClientName)


def test_each_client_gets_the_dialect_of_its_family():
    chat = {name: chat_dialect(client.views[0], SETTINGS) for name, client in CLIENTS.items()}
    assert chat.pop(ClientName.OPENWEBUI) == "openwebui"
    assert set(chat.values()) == {"carrier"}
    items = [items_dialect(view, SETTINGS) for view in VIEWS if view.surface == "responses"]
    assert items == ["mcp", "mcp"]
