"""What a run needs from the world, as protocols that adapters fulfil without importing them.

Above: runtime and tools, which know nothing else of the world. Below: adapters, one per
technology, and one in memory for each port.
"""

from angelia.ports.briefing import Briefing
from angelia.ports.checkpoints import (
    Change,
    ChangeJournal,
    Changes,
    Checkpoints,
    Edit,
    LeftAlone,
    Undone,
)
from angelia.ports.clock import Clock
from angelia.ports.file_search import FileHit, FileHits, FileQuery, FileSearch
from angelia.ports.folders import Folders
from angelia.ports.grants import Grant, GrantStore
from angelia.ports.keys import ApiKey, KeyRules, KeyStore, Scope
from angelia.ports.log import (
    SEEDS,
    Batch,
    Bill,
    Claim,
    EventLog,
    Expired,
    Held,
    History,
    Mark,
    RunFilter,
    RunRecord,
    RunStore,
    Summary,
    Took,
)
from angelia.ports.mcp import (
    AddedServer,
    AddedServers,
    McpDirectory,
    McpPrompt,
    McpPromptArgument,
    McpResource,
    McpStatus,
)
from angelia.ports.memories import Memories, MemoryStore, NoteFilter
from angelia.ports.models import Emit, ModelClient
from angelia.ports.sandbox import Command, Exit, Process, Sandbox, Screen, Stream
from angelia.ports.sessions import (
    Found,
    Hit,
    PastSessions,
    Search,
    Session,
    SessionFilter,
    SessionStore,
)
from angelia.ports.skills import SkillFolder, SkillLibrary
from angelia.ports.storage import Salvage, Storage
from angelia.ports.switches import Switched, SwitchStore
from angelia.ports.tools import (
    Caller,
    Listed,
    OutputStore,
    Tool,
    ToolContext,
    ToolOutput,
    ToolSource,
    Workspace,
)
from angelia.ports.usage import LatencyRow, UsageFilter, UsageRow, UsageStore

__all__ = [
    "SEEDS",
    "AddedServer",
    "AddedServers",
    "ApiKey",
    "Batch",
    "Bill",
    "Briefing",
    "Caller",
    "Change",
    "ChangeJournal",
    "Changes",
    "Checkpoints",
    "Claim",
    "Clock",
    "Command",
    "Edit",
    "Emit",
    "EventLog",
    "Exit",
    "Expired",
    "FileHit",
    "FileHits",
    "FileQuery",
    "FileSearch",
    "Folders",
    "Found",
    "Grant",
    "GrantStore",
    "Held",
    "History",
    "Hit",
    "KeyRules",
    "KeyStore",
    "LatencyRow",
    "LeftAlone",
    "Listed",
    "Mark",
    "McpDirectory",
    "McpPrompt",
    "McpPromptArgument",
    "McpResource",
    "McpStatus",
    "Memories",
    "MemoryStore",
    "ModelClient",
    "NoteFilter",
    "OutputStore",
    "PastSessions",
    "Process",
    "RunFilter",
    "RunRecord",
    "RunStore",
    "Salvage",
    "Sandbox",
    "Scope",
    "Screen",
    "Search",
    "Session",
    "SessionFilter",
    "SessionStore",
    "SkillFolder",
    "SkillLibrary",
    "Storage",
    "Stream",
    "Summary",
    "SwitchStore",
    "Switched",
    "Took",
    "Tool",
    "ToolContext",
    "ToolOutput",
    "ToolSource",
    "Undone",
    "UsageFilter",
    "UsageRow",
    "UsageStore",
    "Workspace",
]
