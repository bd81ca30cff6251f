"""The sections of `angelia.toml`, with what may stand in them and what holds without them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from angelia.config.secret import Secret
from angelia.core.policy import Limits, Policy
from angelia.core.prices import Price

Protocol = Literal["chat", "responses", "anthropic"]
ThinkTags = Literal["auto", "open", "off"]
Seconds = Annotated[float, Meta(gt=0)]
Count = Annotated[int, Meta(ge=1)]
Money = Annotated[float, Meta(gt=0)]
# The bound keeps infinity out: a cost has to be a number that can be added up.
Rate = Annotated[float, Meta(ge=0, le=1_000_000)]
HeaderName = Annotated[str, Meta(pattern="^[A-Za-z0-9-]+$")]
OnDisconnect = Literal["cancel", "continue"]


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Server(Section, frozen=True):
    """`drain` is how many seconds a stop waits for runs; `log` is a level and a form.

    `metrics` are for keys, for everybody or for nobody.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8642
    body_limit: Count = 20 * 1024 * 1024
    cors_origins: tuple[str, ...] = ()
    keep_alive: Seconds = 15
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


class Timeouts(Section, frozen=True):
    """Seconds; None is whatever suits the endpoint."""

    connect: Seconds | None = None
    first_token: Seconds | None = None
    between_chunks: Seconds | None = None
    whole: Seconds | None = None


class Model(Section, frozen=True):
    """Without a `base_url` the rest holds for the vendor whose key is in the environment.

    `think_tags` and `text_calls` say how the model writes its thoughts and its calls.
    """

    base_url: str | None = None
    protocol: Protocol | None = None
    name: str | None = None
    key: Secret | None = None
    key_env: str | None = None
    timeouts: Timeouts = Timeouts()
    retries: Annotated[int, Meta(ge=0, le=10)] = 2
    context_tokens: Count | None = None
    think_tags: ThinkTags = "auto"
    text_calls: bool = False


class Agent(Section, frozen=True):
    """`tools` of None means all of them."""

    name: Annotated[str, Meta(min_length=1)] = "angelia"
    instructions: str = ""
    max_steps: Count | None = 50
    max_tokens: Count | None = None
    max_seconds: Seconds | None = None
    max_cost: Money | None = None
    tools: tuple[str, ...] | None = None
    unknown_model: Literal["default", "reject"] = "default"

    @property
    def limits(self) -> Limits:
        return Limits(self.max_steps, self.max_tokens, self.max_seconds, self.max_cost)


class Tools(Section, frozen=True):
    workspace: str | None = None
    sandbox: Literal["auto", "bubblewrap", "none"] = "auto"
    terminal_timeout: Annotated[float, Meta(gt=0, le=600)] = 120
    mcp_config: str | None = None


class Approvals(Section, frozen=True):
    """`ask` and `deny` hold names of tools or effect classes."""

    mode: Literal["ask", "allow", "deny"] = "ask"
    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    @property
    def policy(self) -> Policy:
        """`allow` never asks; `deny` refuses what would be asked."""
        if self.mode == "ask":
            return Policy(self.ask, self.deny)
        return Policy((), self.deny if self.mode == "allow" else self.deny + self.ask)


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


class Tariff(Section, frozen=True):
    """What a million tokens of a model cost."""

    input: Rate
    output: Rate
    cached: Rate | None = None
    cache_written: Rate | None = None

    @property
    def price(self) -> Price:
        return Price(self.input, self.output, self.cached, self.cache_written)


class Retention(Section, frozen=True):
    """Ended runs that are older are deleted. None keeps them."""

    days: Annotated[float, Meta(gt=0)] | None = None


class Webhooks(Section, frozen=True):
    """Whether messages may go to private addresses. None is yes where only this machine asks."""

    allow_private: bool | None = None


class File(Section, frozen=True):
    server: Server = Server()
    model: Model = Model()
    agent: Agent = Agent()
    tools: Tools = Tools()
    approvals: Approvals = Approvals()
    chat: Chat = Chat()
    responses: Responses = Responses()
    sessions: Sessions = Sessions()
    users: Users = Users()
    limits: Allowance = Allowance()
    prices: dict[str, Tariff] = field(default_factory=dict[str, Tariff])
    retention: Retention = Retention()
    webhooks: Webhooks = Webhooks()
