"""Packed bodies, also such as are made to burst."""

import gzip
import tracemalloc
import zlib

import pytest

from angelia.adapters.readable.unpack import Unknown, Unpacker

TEXT = b"hello world " * 1000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKED = [
    ("", TEXT),
    ("identity", TEXT),
    ("gzip", gzip.compress(TEXT, mtime=0)),
    ("X-GZIP", gzip.compress(TEXT, mtime=0)),
    ("deflate", zlib.compress(TEXT)),
    ("deflate", raw_deflate(TEXT)),
]


@pytest.mark.parametrize(("encoding", "packed"), PACKED, ids=range(len(PACKED)))
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_what_was_packed_comes_out(encoding: str, packed: bytes, size: int) -> None:
    unpacker = Unpacker(encoding, 1_000_000)
    pieces = [packed[at : at + size] for at in range(0, len(packed), size)]
    assert b"".join(map(unpacker.feed, pieces)) == TEXT
    assert not unpacker.is_full


@pytest.mark.parametrize(("encoding", "packed"), PACKED, ids=range(len(PACKED)))
def test_no_more_comes_out_than_there_is_room_for(encoding: str, packed: bytes) -> None:
    unpacker = Unpacker(encoding, 100)
    assert unpacker.feed(packed) == TEXT[:100]
    assert unpacker.is_full
    assert unpacker.feed(packed) == b""


def test_a_bomb_takes_no_more_memory_than_the_room() -> None:
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1_000_000)) for _ in range(200)) + packer.flush()
    tracemalloc.start()
    try:
        unpacker = Unpacker("deflate", 1_000_000)
        assert len(unpacker.feed(bomb)) == 1_000_000
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "x" * 1000])
def test_other_packings_are_unknown(encoding: str) -> None:
    with pytest.raises(Unknown):
        Unpacker(encoding, 1)


def test_what_is_not_packed_as_announced_is_a_fault() -> None:
    with pytest.raises(zlib.error):
        Unpacker("gzip", 100).feed(b"plain text")
