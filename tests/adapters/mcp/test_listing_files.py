from pathlib import Path

from msgspec import Raw

from angelia.adapters.mcp.listing import Listing, Offer
from angelia.adapters.mcp.listing_files import ListingFiles
from tests.adapters.mcp.world import settings_for

LISTING = Listing((Offer("a", "does a", Raw(b'{"type":"object"}'), read_only=True),), version="v")


async def test_what_was_heard_is_kept_for_the_same_server_only(tmp_path: Path) -> None:
    files = ListingFiles(tmp_path / "files")
    (server,) = settings_for(tmp_path, s={"command": "true"}).mcp
    (other,) = settings_for(tmp_path, s={"command": "true", "env": {"A": "1"}}).mcp
    assert await files.get(server) is None
    await files.put(server, LISTING)
    assert await ListingFiles(tmp_path / "files").get(server) == LISTING
    assert await files.get(other) is None


async def test_a_file_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    files = ListingFiles(tmp_path / "files")
    (server,) = settings_for(tmp_path, s={"command": "true"}).mcp
    await files.put(server, LISTING)
    (file,) = (tmp_path / "files").iterdir()
    file.write_text("{")
    assert await files.get(server) is None


async def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "files").touch()
    files = ListingFiles(tmp_path / "files")
    (server,) = settings_for(tmp_path, s={"command": "true"}).mcp
    await files.put(server, LISTING)
    assert await files.get(server) is None
