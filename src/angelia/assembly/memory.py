"""What agents are told besides their instructions: of the workspace, of skills, of their users."""

from msgspec import Struct

from angelia.adapters.local_skills import LocalSkills
from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.sqlite.database import Database
from angelia.adapters.sqlite.log import SqliteLog
from angelia.adapters.sqlite.memories import SqliteMemories
from angelia.adapters.sqlite.sessions import SqliteSessions
from angelia.adapters.sqlite.store import SqliteRuns
from angelia.config import Settings
from angelia.core.notes import Bounds
from angelia.core.redact import Redactor
from angelia.ports import Briefing, OutputStore, Tool
from angelia.runtime.briefings import WithTool
from angelia.runtime.library import Library
from angelia.runtime.notebook import Notebook
from angelia.runtime.project import ProjectContext
from angelia.runtime.recollection import Recollection
from angelia.runtime.skills import Skills
from angelia.tools.memory import memory
from angelia.tools.session_search import session_search
from angelia.tools.skills import skill

HOME_SKILLS = "skills"
# In this order, where two have a skill of the same name.
WORKSPACE_SKILLS = (".angelia/skills", "skills", ".agents/skills", ".claude/skills")


class Knowledge(Struct, frozen=True):
    """What outlasts a run, as surfaces keep it, as models use it and as runs are told of it."""

    notebook: Notebook
    skills: Skills
    tools: tuple[Tool, ...]
    briefings: tuple[Briefing, ...]


def knowledge(
    settings: Settings, database: Database, outputs: OutputStore, redact: Redactor
) -> Knowledge:
    chosen = settings.memory
    bounds = Bounds(chosen.max_notes, chosen.max_characters)
    notebook = Notebook(SqliteMemories(database), database.clock, bounds, redact)
    shelf = Skills(_folders(settings), redact)
    library = Library(SqliteLog(database), SqliteRuns(database), outputs)
    past = Recollection(SqliteSessions(database), library)
    notes, loading = memory(notebook), skill(shelf)
    tools = (
        *((notes, session_search(past)) if chosen.enabled else ()),
        *((loading,) if settings.tools.skills else ()),
    )
    project = ProjectContext(LocalWorkspace(settings.workspace), redact)
    briefings = (
        *((project,) if settings.tools.project_context else ()),
        *((_about(loading, shelf),) if settings.tools.skills else ()),
        *((_about(notes, notebook),) if chosen.enabled else ()),
    )
    return Knowledge(notebook, shelf, tools, briefings)


def _folders(settings: Settings) -> tuple[LocalSkills, ...]:
    if not settings.tools.skills:
        return ()
    return (
        LocalSkills(settings.home / HOME_SKILLS, "home", (".",)),
        LocalSkills(settings.workspace, "workspace", WORKSPACE_SKILLS),
    )


def _about(tool: Tool, briefing: Briefing) -> WithTool:
    return WithTool(briefing, tool.spec.name, tool.toolset)
