"""What a surface is given to work with."""

from msgspec import Struct

from angelia.config import Settings
from angelia.ports import Clock, OutputStore, Storage, UsageStore
from angelia.runtime.admission import Admission
from angelia.runtime.approvals import Approvals
from angelia.runtime.archive import Archive
from angelia.runtime.jobs import Jobs
from angelia.runtime.keyring import Keyring
from angelia.runtime.mcp_desk import McpDesk
from angelia.runtime.meters import Meters
from angelia.runtime.notebook import Notebook
from angelia.runtime.runs import Runs
from angelia.runtime.scheduler import Scheduler
from angelia.runtime.sessions import Sessions
from angelia.runtime.skills import Skills
from angelia.runtime.switchboard import Switchboard
from angelia.runtime.undoing import Undoing
from angelia.runtime.webhooks import Webhooks


class Services(Struct, frozen=True):
    """`secret` is the key of the home folder; `fresh_key` says that this start made it."""

    settings: Settings
    runs: Runs
    sessions: Sessions
    archive: Archive
    approvals: Approvals
    keyring: Keyring
    admission: Admission
    usage: UsageStore
    webhooks: Webhooks
    jobs: Jobs
    scheduler: Scheduler
    meters: Meters
    outputs: OutputStore
    mcp: McpDesk
    switchboard: Switchboard
    undoing: Undoing
    clock: Clock
    storage: Storage
    sandbox_level: str
    sandbox_reason: str
    secret: str
    fresh_key: bool
    notebook: Notebook
    skills: Skills
