"""The JSON that tells a client where it is: health, models, tools, capabilities."""

from typing import Literal

from msgspec import Raw, Struct

from angelia.core.messages import Effect
from angelia.core.skills import SkillSource

McpHealth = Literal["idle", "connecting", "connected", "failing"]


class Health(Struct, frozen=True):
    status: Literal["ok"]
    version: str


class StoreCheck(Struct, frozen=True, omit_defaults=True):
    """`reason` is the code that requests are refused with while nothing can be written."""

    ok: bool
    reason: str | None = None


class EngineCheck(Struct, frozen=True):
    ok: bool
    runs_under_way: int
    runs_paused: int


class DiskCheck(Struct, frozen=True):
    ok: bool
    free_bytes: int


class ProviderCheck(Struct, frozen=True):
    """What the last questions to it have shown; it is not asked for the sake of this.

    `resting`: none of its keys may be used for a while. `failing`: it keeps failing and is asked
    last.
    """

    name: str
    health: Literal["ok", "resting", "failing"]
    keys: int
    keys_resting: int


class UpstreamCheck(Struct, frozen=True):
    """The model that answers, and where the models of all agents are."""

    model: str
    providers: tuple[ProviderCheck, ...] = ()


class SandboxCheck(Struct, frozen=True, omit_defaults=True):
    """`reason` says why no command can run, where none can."""

    level: str
    reason: str | None = None


class McpCheck(Struct, frozen=True):
    """How a server of others is; what is wrong with it is told to keys only."""

    name: str
    health: McpHealth


class Checks(Struct, frozen=True):
    store: StoreCheck
    engine: EngineCheck
    disk: DiskCheck
    upstream: UpstreamCheck
    sandbox: SandboxCheck
    mcp: tuple[McpCheck, ...] = ()

    @property
    def fine(self) -> bool:
        return self.store.ok and self.engine.ok and self.disk.ok


class Readiness(Struct, frozen=True):
    status: Literal["ready", "not_ready"]
    checks: Checks


class Model(Struct, frozen=True, tag_field="object", tag="model"):
    id: str
    created: int
    owned_by: str


class Models(Struct, frozen=True, tag_field="object", tag="list"):
    data: tuple[Model, ...]


class Tool(Struct, frozen=True):
    """`parameters` is the JSON schema that the model is shown."""

    name: str
    description: str
    emoji: str
    effect: Effect
    parameters: Raw
    toolset: str
    enabled: bool


class Tools(Struct, frozen=True, tag_field="object", tag="list"):
    data: tuple[Tool, ...]


class Skill(Struct, frozen=True):
    """`folder` is where it is, in the home folder's `skills` or in the workspace."""

    name: str
    description: str
    source: SkillSource
    folder: str


class BrokenSkill(Struct, frozen=True):
    source: SkillSource
    folder: str
    reason: str


class Skills(Struct, frozen=True, tag_field="object", tag="list"):
    """`problems` are skills that cannot be used."""

    data: tuple[Skill, ...]
    problems: tuple[BrokenSkill, ...]


class McpResource(Struct, frozen=True):
    """`uri` is a template where `template` says so."""

    uri: str
    name: str
    description: str
    mime_type: str
    template: bool


class McpPromptArgument(Struct, frozen=True):
    name: str
    description: str
    required: bool


class McpPrompt(Struct, frozen=True):
    name: str
    description: str
    arguments: tuple[McpPromptArgument, ...]


class McpServer(Struct, frozen=True, tag_field="object", tag="mcp.server"):
    """`health` is `idle` until a run could use it; `detail` is what is wrong with it.

    One that is not `enabled` offers nothing. Its `source` is a `file` of the configuration, or it
    was `added` over HTTP.
    """

    name: str
    toolset: str
    transport: Literal["stdio", "http", "sse"]
    health: McpHealth
    detail: str
    version: str
    tools: tuple[str, ...]
    resources: tuple[McpResource, ...]
    prompts: tuple[McpPrompt, ...]
    enabled: bool
    source: Literal["file", "added"]


class McpServers(Struct, frozen=True, tag_field="object", tag="list"):
    data: tuple[McpServer, ...]


class Features(Struct, frozen=True):
    """What the configuration turns off is false: `memory`, `skills`, `delegation`, `mcp`."""

    client_tools: bool
    idempotency_keys: bool
    resumable_events: bool
    steering: bool
    approvals: bool
    images: bool
    responses: bool
    websocket: bool
    conversations: bool
    sessions: bool
    session_key_header: bool
    toolsets: bool
    grants: bool
    undo: bool
    jobs: bool
    memory: bool
    skills: bool
    delegation: bool
    mcp: bool
    webhooks: bool


class Bounds(Struct, frozen=True):
    """None is unlimited. What has to do with money and rates holds for the key that asks."""

    body_bytes: int
    max_steps: int | None
    max_tokens: int | None
    max_seconds: float | None
    tool_output_preview_bytes: int
    keep_alive_seconds: float
    max_cost: float | None
    requests_per_minute: int | None
    concurrent_runs: int | None
    daily_budget: float | None
    monthly_budget: float | None


class Capabilities(Struct, frozen=True, tag_field="object", tag="hermes.capabilities"):
    version: str
    endpoints: tuple[str, ...]
    default_model: str | None
    tool_events: tuple[str, ...]
    tool_items: tuple[str, ...]
    features: Features
    limits: Bounds
