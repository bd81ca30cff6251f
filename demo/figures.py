"""What was used on the days before: figures for the product's own ledger, the same every time."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from sqlite3 import Connection

from angelia.adapters.sqlite.ledger import Ledger
from angelia.core.messages import Usage
from angelia.ports import Bill, Took

DAYS = 30
SEED = 20
# Input, output, cached and cache_written, for a million tokens.
PRICES = {
    "gpt-5.4": (2.5, 15.0, 0.25, 2.5),
    "claude-sonnet-4-5": (3.0, 15.0, 0.3, 3.75),
    "qwen3:4b": (0.0, 0.0, 0.0, 0.0),
}
AGENTS = {"gpt-5.4": "angelia", "claude-sonnet-4-5": "researcher", "qwen3:4b": "scribe"}
SECONDS = {"gpt-5.4": 2.4, "claude-sonnet-4-5": 3.1, "qwen3:4b": 0.9}


def enter(database: Path, shares: dict[str, float]) -> None:
    """`shares` says how busy each key is. No server works on the database meanwhile."""
    chance = Random(SEED)
    today = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
    connection = Connection(database)
    with connection:
        for ago in range(DAYS - 1, 0, -1):
            day = today - timedelta(days=ago)
            ledger = Ledger()
            for tenant, share in shares.items():
                _day(ledger, tenant, share * _busy(day, ago), chance)
            if ledger:
                ledger.write(connection, day.timestamp())
    connection.close()


def _busy(day: datetime, ago: int) -> float:
    """Less at weekends, and more from month to month."""
    return (0.25 if day.weekday() > 4 else 1.0) * (1.3 - ago / 60)


def _day(ledger: Ledger, tenant: str, share: float, chance: Random) -> None:
    for model, weight in zip(PRICES, (10, 6, 8), strict=True):
        for _ in range(round(weight * share * chance.uniform(0.5, 1.5))):
            _run(ledger, tenant, model, chance)


def _run(ledger: Ledger, tenant: str, model: str, chance: Random) -> None:
    took = 0.0
    for _ in range(chance.randint(1, 5)):
        seconds = SECONDS[model] * chance.lognormvariate(0, 0.5)
        took += seconds
        used = _usage(chance)
        ledger.bill(tenant, Bill(model, used, _cost(model, used), Took(seconds, seconds * 0.3)))
    ledger.ended(tenant, AGENTS[model], failed=chance.random() < 0.03, worked=took * 1.2)


def _usage(chance: Random) -> Usage:
    read = chance.randint(1_500, 14_000)
    cached = round(read * chance.uniform(0.3, 0.8))
    written = chance.randint(60, 900)
    return Usage(input=read, output=written, cached=cached, reasoning=written // 3)


def _cost(model: str, used: Usage) -> float:
    read, written, cached, _ = PRICES[model]
    return ((used.input - used.cached) * read + used.cached * cached + used.output * written) / 1e6
