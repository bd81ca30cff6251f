"""What everything else stands on: the database, the clock, the keys, and what must stay secret."""

from contextlib import AsyncExitStack

from msgspec import Struct

from angelia.adapters import home_key, logs
from angelia.adapters.file_checkpoints import FileCheckpoints
from angelia.adapters.file_outputs import FileOutputs
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.history import SqliteHistory
from angelia.adapters.sqlite.keys import SqliteKeys
from angelia.adapters.sqlite.store import SqliteRuns
from angelia.adapters.sqlite.usage import SqliteUsage
from angelia.adapters.system_clock import SystemClock
from angelia.assembly.agents import upstream_secrets
from angelia.assembly.mcp import mcp_secrets
from angelia.assembly.web import web_secrets
from angelia.config import Settings
from angelia.core.redact import Redactor
from angelia.ports import Clock, OutputStore
from angelia.runtime.kept import KeptWithRun
from angelia.runtime.keyring import Keyring, new_secret

DATABASE = "angelia.db"
OUTPUTS = "outputs"
CHECKPOINTS = "checkpoints"


class Ground(Struct, frozen=True):
    """`secret` is the key of the home folder; `fresh_key` says that this start made it."""

    settings: Settings
    database: Database
    clock: Clock
    keyring: Keyring
    redact: Redactor
    outputs: OutputStore
    checkpoints: FileCheckpoints
    store: SqliteRuns
    history: SqliteHistory
    usage: SqliteUsage
    secret: str
    fresh_key: bool


async def ground_of(settings: Settings, closing: AsyncExitStack) -> Ground:
    """Opens the home folder; `closing` lets go of it."""
    logs.configure(settings.server.log_level, settings.server.log_form)
    clock = SystemClock()
    database = Database.open(settings.home / DATABASE, clock=clock)
    closing.push_async_callback(database.close)
    secret, fresh = _secret(settings)
    redact = Redactor(secret, *_secrets(settings))
    logs.configure(settings.server.log_level, settings.server.log_form, redact)
    keyring = Keyring(SqliteKeys(database), clock)
    await keyring.keep_first(secret)
    checkpoints = FileCheckpoints(settings.home / CHECKPOINTS, settings.workspace)
    closing.push_async_callback(checkpoints.close)
    return Ground(
        settings=settings,
        database=database,
        clock=clock,
        keyring=keyring,
        redact=redact,
        outputs=KeptWithRun(FileOutputs(settings.home / OUTPUTS), checkpoints),
        checkpoints=checkpoints,
        store=SqliteRuns(database),
        history=SqliteHistory(database),
        usage=SqliteUsage(database),
        secret=secret,
        fresh_key=fresh,
    )


def _secret(settings: Settings) -> tuple[str, bool]:
    """The home folder's key, and whether it was made just now."""
    known = home_key.read(settings.home)
    given = settings.api_key.reveal() if settings.api_key else None
    secret = given or known or new_secret()
    if secret != known:
        home_key.write(settings.home, secret)
    return secret, known is None and given is None


def _secrets(settings: Settings) -> set[str]:
    """What the configuration holds that no output may."""
    return {*upstream_secrets(settings), *web_secrets(settings), *mcp_secrets(settings)}
