"""The sections of `angelia.toml`, with what may stand in them and what holds without them."""

from typing import Annotated, Literal

from msgspec import Meta, field

from angelia.config.mcp_sections import McpServer
from angelia.config.model_sections import Model, NamedModel, Provider, Tariff
from angelia.config.scalars import Count, HeaderName, Money, OnDisconnect, Seconds, Section
from angelia.config.secret import Secret
from angelia.core.policy import Limits, Policy, Rule, Verdict, answered


class Server(Section, frozen=True):
    """`drain` is how many seconds a stop waits for runs; `log` is a level and a form.

    `metrics` are for keys, for everybody or for nobody.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8642
    body_limit: Count = 20 * 1024 * 1024
    cors_origins: tuple[str, ...] = ()
    keep_alive: Seconds = 15
    request_patience: Seconds = 30
    reader_patience: Seconds = 30
    drain: Annotated[float, Meta(ge=0)] = 10
    log: Annotated[str, Meta(pattern="(?i)^(debug|info|warning|error)(,(text|json))?$")] = (
        "info,text"
    )
    metrics: Literal["key", "open", "off"] = "key"

    @property
    def log_level(self) -> str:
        return self.log.lower().partition(",")[0]

    @property
    def log_form(self) -> str:
        return self.log.lower().partition(",")[2] or "text"


class NamedAgent(Section, frozen=True):
    """`tools` of None means all of them; `model` of None is the default model.

    `max_repeats` of 0 stops nothing.
    """

    instructions: str = ""
    model: str | None = None
    fallback: tuple[str, ...] = ()
    summary_model: str | None = None
    hedge_after: Seconds | None = None
    max_steps: Count | None = 50
    max_tokens: Count | None = None
    max_seconds: Seconds | None = None
    max_cost: Money | None = None
    max_repeats: Annotated[int, Meta(ge=0)] = 6
    tools: tuple[str, ...] | None = None

    @property
    def limits(self) -> Limits:
        return Limits(self.max_steps, self.max_tokens, self.max_seconds, self.max_cost)


class Agent(NamedAgent, frozen=True):
    """The default agent, which answers where no other is asked for."""

    name: Annotated[str, Meta(min_length=1)] = "angelia"
    unknown_model: Literal["default", "reject"] = "default"


class Tools(Section, frozen=True):
    """`project_context` is the file AGENTS.md of the workspace, which agents are told."""

    """Limits hold for one command in the sandbox; those on memory and disk are in MiB.

    `readable` are folders beside the system's own that commands in it may look into.
    """

    workspace: str | None = None
    sandbox: Literal["auto", "bubblewrap", "none"] = "auto"
    terminal_timeout: Annotated[float, Meta(gt=0, le=600)] = 120
    memory_limit: Annotated[int, Meta(ge=64)] = 2048
    process_limit: Annotated[int, Meta(ge=8)] = 256
    disk_limit: Annotated[int, Meta(ge=1)] = 1024
    readable: tuple[str, ...] = ()
    mcp_config: str | None = None
    project_context: bool = True
    skills: bool = True
    network: tuple[str, ...] = ()


class Approvals(Section, frozen=True):
    """`ask` and `deny` hold names of tools or effect classes; of `rules` the first that fits holds.

    `irreversible` and `network` decide about whatever nothing else is said of. `expires_after` is
    how many seconds a person has to answer.
    """

    mode: Literal["ask", "allow", "deny"] = "ask"
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    irreversible: Verdict = "ask"
    network: Verdict = "ask"
    expires_after: Seconds = 86_400
    rules: tuple[Rule, ...] = ()

    @property
    def policy(self) -> Policy:
        """`allow` never asks; `deny` refuses what would be asked."""
        policy = Policy(self.ask, self.deny, self.rules, self.irreversible, self.network)
        return policy if self.mode == "ask" else answered(policy, self.mode)


class Delegation(Section, frozen=True):
    """What delegated runs may do. `model` of None is the agent that delegates.

    With `approvals` of "deny" calls that need a person are refused; else they wait for one.
    """

    max_depth: Annotated[int, Meta(ge=0, le=8)] = 2
    max_parallel: Annotated[int, Meta(ge=1, le=32)] = 4
    max_steps: Count | None = 30
    max_tokens: Count | None = None
    max_seconds: Seconds | None = None
    approvals: Literal["deny", "wait"] = "deny"
    model: str | None = None

    @property
    def limits(self) -> Limits:
        return Limits(self.max_steps, self.max_tokens, self.max_seconds)


class Chat(Section, frozen=True):
    """`tool_events` of None means by client."""

    tool_events: Literal["named", "carrier", "openwebui", "off"] | None = None
    reasoning: bool = True
    on_disconnect: OnDisconnect = "cancel"


class Responses(Section, frozen=True):
    """`tool_items` of None means by client. Work in the background outlives its client anyway."""

    tool_items: Literal["pair", "mcp", "off"] | None = None
    on_disconnect: OnDisconnect = "cancel"


class Sessions(Section, frozen=True):
    """What happens to a turn of a session that has one under way."""

    when_busy: Literal["wait", "refuse"] = "wait"


class Users(Section, frozen=True):
    """How the end user behind a key is known; the secret may be in a variable instead."""

    openwebui_secret: Secret | None = None
    openwebui_secret_env: str | None = None
    trusted_headers: tuple[HeaderName, ...] = ()


class Allowance(Section, frozen=True):
    """What every key may use up, unless its own rules say otherwise. None is unlimited."""

    requests_per_minute: Count | None = None
    concurrent_runs: Count | None = None
    daily_budget: Money | None = None
    monthly_budget: Money | None = None


class Retention(Section, frozen=True):
    """Ended runs that are older are deleted. None keeps them."""

    days: Annotated[float, Meta(gt=0)] | None = None


class Webhooks(Section, frozen=True):
    """Whether messages may go to private addresses. None is yes where only this machine asks."""

    allow_private: bool | None = None


class Memory(Section, frozen=True):
    """How much may be noted for each user of each key; without it nothing is told to agents."""

    enabled: bool = True
    max_notes: Count = 100
    max_characters: Count = 10_000


class Web(Section, frozen=True):
    """`allow_private` is yes, no, or the places that may be asked although they are private.

    Without a `search` engine there is no searching. The key may be in a variable instead.
    """

    allow_private: bool | tuple[str, ...] = False
    body_limit: Count = 5 * 1024 * 1024
    timeout: Annotated[float, Meta(gt=0, le=600)] = 30
    extractor: Literal["own", "trafilatura"] = "own"
    search: Literal["searxng", "brave", "tavily", "duckduckgo"] | None = None
    search_url: str | None = None
    search_key: Secret | None = None
    search_key_env: str | None = None


class Schedule(Section, frozen=True):
    """`timezone` holds for jobs that name none. `max_jobs` are those of one key that may fire.

    `concurrent` is how many runs of jobs are worked on at once, `min_interval` how many seconds
    lie between two firings of a job.
    """

    timezone: Annotated[str, Meta(min_length=1)] = "UTC"
    max_jobs: Count = 100
    concurrent: Count = 10
    min_interval: Seconds = 60


class File(Section, frozen=True):
    server: Server = Server()
    model: Model = Model()
    providers: dict[str, Provider] = field(default_factory=dict[str, Provider])
    models: dict[str, NamedModel] = field(default_factory=dict[str, NamedModel])
    agent: Agent = Agent()
    agents: dict[str, NamedAgent] = field(default_factory=dict[str, NamedAgent])
    tools: Tools = Tools()
    mcp: dict[str, McpServer] = field(default_factory=dict[str, McpServer])
    approvals: Approvals = Approvals()
    delegation: Delegation = Delegation()
    chat: Chat = Chat()
    responses: Responses = Responses()
    sessions: Sessions = Sessions()
    users: Users = Users()
    limits: Allowance = Allowance()
    prices: dict[str, Tariff] = field(default_factory=dict[str, Tariff])
    retention: Retention = Retention()
    webhooks: Webhooks = Webhooks()
    memory: Memory = Memory()
    web: Web = Web()
    schedule: Schedule = Schedule()
