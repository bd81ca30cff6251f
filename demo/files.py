"""The workspace of the demo home: a small package that computes tide tables."""

import struct
import zlib
from math import cos, pi
from pathlib import Path

FILES = {
    "README.md": """\
# tides

Tide tables for small harbours: high and low water from the constituents of a station.

    python3 -m tides --station north-pier --days 2
""",
    "AGENTS.md": """\
Run `python3 -m unittest` before you say that something works. Times are in UTC inside the package.
""",
    "CHANGELOG.md": """\
# Changelog

## 0.4.0 (unreleased)

- stations are read from `data/stations.csv`
- `--days` says how far a table reaches
""",
    "data/stations.csv": """\
id,name,zone,datum
north-pier,North pier,Europe/Berlin,1.62
old-lock,Old lock,Europe/Berlin,1.48
lighthouse,Lighthouse,Europe/London,2.10
ferry-steps,Ferry steps,Europe/London,2.31
""",
    "tides/__init__.py": '"""Tide tables for small harbours."""\n',
    "tides/table.py": '''\
"""A table of high and low water."""

from datetime import datetime, timedelta, timezone

OFFSETS = {"Europe/Berlin": 1, "Europe/London": 0}


def local(moment: datetime, zone: str) -> datetime:
    """What the clocks at the station show."""
    return moment + timedelta(hours=OFFSETS[zone])


def rows(first: datetime, zone: str, days: int = 1) -> list[datetime]:
    """High water, twice a day and 50 minutes later each day."""
    high = [first + timedelta(hours=12, minutes=25) * turn for turn in range(days * 2)]
    return [local(moment, zone) for moment in high]
''',
    "tests/__init__.py": "",
    "tests/test_table.py": """\
import unittest
from datetime import datetime, timezone

from tides.table import local


class Local(unittest.TestCase):
    def test_winter(self):
        noon = datetime(2026, 1, 15, 12, tzinfo=timezone.utc)
        self.assertEqual(local(noon, "Europe/Berlin").hour, 13)

    def test_summer(self):
        noon = datetime(2026, 7, 15, 12, tzinfo=timezone.utc)
        self.assertEqual(local(noon, "Europe/Berlin").hour, 14)


if __name__ == "__main__":
    unittest.main()
""",
    "scripts/rebuild.py": """\
import time

STATIONS = ["north-pier", "old-lock", "lighthouse", "ferry-steps"]
for number, station in enumerate(STATIONS, 1):
    for month in ("jan-apr", "may-aug", "sep-dec"):
        time.sleep(0.2)
        print(f"[{number}/4] {station:<12} {month}  ok", flush=True)
print("4 stations, 12 tables")
""",
    "scripts/publish.py": 'print("0.4.0 is published")\n',
}

# With nothing but the language, so that any Python starts it.
ALMANAC = '''\
"""An MCP server that knows when the moon does what."""

import json
import sys

TOOLS = [
    {
        "name": name,
        "description": words,
        "inputSchema": {"type": "object", "properties": {"date": {"type": "string"}}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }
    for name, words in (
        ("moon_phase", "The phase of the moon on a day."),
        ("spring_tides", "The spring tides that follow a day."),
        ("sunrise", "When the sun rises on a day."),
    )
]
SAID = {
    "moon_phase": "waxing gibbous, 71 % lit",
    "spring_tides": "2 days after the full moon: 2026-11-26 and 2026-12-11",
    "sunrise": "07:42",
}


def answer(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        about = {"name": "almanac", "version": "1.2.0"}
        able = {"tools": {}}
        return {"protocolVersion": "2025-06-18", "capabilities": able, "serverInfo": about}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": SAID[params["name"]]}]}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        said = {"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}
        print(json.dumps(said), flush=True)
'''


def write(home: Path) -> None:
    for name, text in FILES.items():
        path = home / "workspace" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (home / "almanac.py").write_text(ALMANAC)


def tide_curve(width: int = 360, height: int = 140) -> bytes:
    """A picture of two days of tide, as a PNG."""
    ink, water, paper = b"\x12\x5e\x8a", b"\xcf\xe6\xf3", b"\xfb\xfc\xfd"

    def level(x: int) -> int:
        return round(height * (0.5 + 0.32 * cos(x / width * 8 * pi)))

    def pixel(x: int, y: int) -> bytes:
        return ink if abs(y - level(x)) < 3 else water if y > level(x) else paper

    rows = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(width)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
