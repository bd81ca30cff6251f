"""What a chaos test has counted, kept as one file per test for the report."""

from pathlib import Path

import msgspec

FOLDER = Path(__file__).resolve().parents[2] / "build" / "chaos"


class Entry(msgspec.Struct, frozen=True):
    """One line of the report: what was counted in which form of the test."""

    scenario: str
    test: str
    long: bool
    counts: dict[str, int] = {}
    notes: dict[str, str] = {}


class Ledger:
    """Takes the figures of one test; what is counted twice adds up."""

    def __init__(self, scenario: str, test: str, *, long: bool) -> None:
        self._scenario = scenario
        self._test = test
        self._long = long
        self._counts: dict[str, int] = {}
        self._notes: dict[str, str] = {}

    def count(self, what: str, number: int) -> None:
        self._counts[what] = self._counts.get(what, 0) + number

    def say(self, what: str, value: str) -> None:
        self._notes[what] = value

    def close(self) -> None:
        """Written only when something was recorded; a later run of the test replaces it."""
        if not (self._counts or self._notes):
            return
        entry = Entry(self._scenario, self._test, self._long, self._counts, self._notes)
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{self._scenario}.{self._test}.json").write_bytes(msgspec.json.encode(entry))


def entries(folder: Path = FOLDER) -> list[Entry]:
    """All that were recorded, by scenario and test."""
    found = [msgspec.json.decode(file.read_bytes(), type=Entry) for file in folder.glob("*.json")]
    return sorted(found, key=lambda entry: (entry.scenario, entry.test))
