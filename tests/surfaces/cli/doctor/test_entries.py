import pytest

from angelia.surfaces.cli.doctor.entries import Place, rows
from angelia.surfaces.cli.doctor.names import ClientName

PLACE = Place("http://box:1", "/home/me/key", "hermes")


@pytest.mark.parametrize("client", list(ClientName))
def test_every_client_is_told_address_key_and_model(client: ClientName):
    values = [row.value for row in rows(client, PLACE)]
    assert "http://box:1/v1" in values
    assert "what is in /home/me/key" in values
    assert any("hermes" in value for value in values)
