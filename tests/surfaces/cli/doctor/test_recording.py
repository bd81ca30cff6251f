from angelia.config import settle
from angelia.surfaces.cli.doctor.clients.known import CLIENTS
from angelia.surfaces.cli.doctor.names import ClientName
from angelia.surfaces.cli.doctor.recording import sample
from angelia.surfaces.cli.doctor.truth import tell
from tests.surfaces.cli.doctor.streams import SETTINGS

OPENAI = CLIENTS[ClientName.OPENAI].views[0]


async def test_the_sample_has_everything_that_clients_trip_over():
    told = tell(await sample(SETTINGS).events())
    assert told.tools == ("list_files", "terminal")
    assert told.reasoning
    assert told.text
    assert told.tokens is not None
    assert told.failure is None


async def test_settings_decide_what_a_client_gets():
    settings = settle('[chat]\ntool_events = "off"\nreasoning = false', {}, SETTINGS.home)
    rendered = await sample(settings).rendered(OPENAI)
    assert rendered.dialect == "off"
    shown = OPENAI.read(rendered.data)
    assert (shown.cards, shown.reasoning) == ([], "")
    assert shown.text
