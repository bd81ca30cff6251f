"""The JSON of keys and usage as Structs: what clients send, and what they get."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from angelia.core.messages import Effect
from angelia.core.policy import Verdict
from angelia.wire.dialects import ToolEvents, ToolItems

Scope = Literal["chat", "runs", "admin", "read"]
OnDisconnect = Literal["cancel", "continue"]
Group = Literal["day", "model", "key"]

Name = Annotated[str, Meta(min_length=1, max_length=128)]
Scopes = Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4)]
Pattern = Annotated[str, Meta(min_length=1, max_length=1000)]
Names = Annotated[tuple[Name, ...], Meta(max_length=256)]
SomeNames = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=256)]
# The bounds are those of a store that keeps whole numbers in 64 bits and adds up money.
Count = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Money = Annotated[float, Meta(gt=0, le=1_000_000_000_000)]
# The last second of the year 9999.
Moment = Annotated[float, Meta(gt=0, le=253_402_300_799)]


# ── requests ────────────────────────────────────────────────────────────────────────────────


class RuleIn(Struct, forbid_unknown_fields=True):
    """What is decided about calls that fit everything it names; `*` stands for anything.

    A rule of a key that allows changes nothing: what it may do is for the configuration to say.
    """

    verdict: Verdict
    tool: Pattern = "*"
    effect: Effect | None = None
    command: Pattern | None = None
    path: Pattern | None = None
    domain: Pattern | None = None
    network: bool | None = None
    reason: Annotated[str, Meta(max_length=500)] = ""


class PolicyIn(Struct):
    """`ask` and `deny` hold names of tools, or `pure`, `idempotent`, `irreversible`."""

    ask: Names = ()
    deny: Names = ()
    rules: Annotated[tuple[RuleIn, ...], Meta(max_length=256)] = ()
    irreversible: Verdict = "allow"
    network: Verdict = "allow"


class RulesIn(Struct):
    """What is left out stays as it is; null is whatever holds for everybody."""

    tool_events: ToolEvents | UnsetType | None = UNSET
    tool_items: ToolItems | UnsetType | None = UNSET
    on_disconnect: OnDisconnect | UnsetType | None = UNSET
    models: SomeNames | UnsetType | None = UNSET
    tools: Names | UnsetType | None = UNSET
    policy: PolicyIn | UnsetType | None = UNSET
    requests_per_minute: Count | UnsetType | None = UNSET
    concurrent_runs: Count | UnsetType | None = UNSET
    daily_budget: Money | UnsetType | None = UNSET
    monthly_budget: Money | UnsetType | None = UNSET


class CreateKeyIn(Struct):
    """`expires_at` is in seconds since the epoch."""

    name: Name
    scopes: Scopes = ("chat", "runs", "read")
    rules: RulesIn | None = None
    expires_at: Moment | None = None


class ChangeKeyIn(Struct):
    """What is left out stays as it is."""

    name: Name | UnsetType = UNSET
    scopes: Scopes | UnsetType = UNSET
    rules: RulesIn | UnsetType = UNSET
    expires_at: Moment | UnsetType | None = UNSET


# ── answers ─────────────────────────────────────────────────────────────────────────────────


class PolicyOut(Struct):
    ask: tuple[str, ...]
    deny: tuple[str, ...]
    rules: tuple[RuleIn, ...]
    irreversible: Verdict
    network: Verdict


class RulesOut(Struct):
    tool_events: str | None
    tool_items: str | None
    on_disconnect: OnDisconnect | None
    models: tuple[str, ...] | None
    tools: tuple[str, ...] | None
    policy: PolicyOut
    requests_per_minute: int | None
    concurrent_runs: int | None
    daily_budget: float | None
    monthly_budget: float | None


class KeyOut(Struct, tag_field="object", tag="hermes.key"):
    """`hint` is the beginning of the secret."""

    id: str
    name: str
    hint: str
    status: Literal["active", "expired", "revoked"]
    scopes: tuple[Scope, ...]
    created_at: float
    expires_at: float | None
    revoked_at: float | None
    rules: RulesOut


class NewKeyOut(KeyOut, tag="hermes.key"):
    """The only answer that has the secret."""

    secret: str


class KeyListOut(Struct, tag_field="object", tag="list"):
    data: tuple[KeyOut, ...]
    has_more: bool = False


class SpreadOut(Struct):
    """Seconds that half of the times, and 95 of 100, did not exceed; at most 19 % too high."""

    count: int
    p50: float
    p95: float


class LatencyOut(Struct):
    """A whole `run`, one model `call`, and until its `first` delta; null where nothing was timed.

    The time in which a run waited for people or clients is not counted, nor a run that was stopped.
    """

    run: SpreadOut | None
    call: SpreadOut | None
    first: SpreadOut | None


class AmountsOut(Struct):
    """Runs are counted when they end, calls whenever a model has answered."""

    runs: int
    failed_runs: int
    model_calls: int
    input_tokens: int
    output_tokens: int
    total_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cost: float
    latency: LatencyOut


class UsageLineOut(AmountsOut):
    """What is not asked for by `group` is null."""

    day: str | None
    model: str | None
    key: str | None
    key_name: str | None


class UsageReportOut(
    Struct, tag_field="object", tag="hermes.usage", rename={"first": "from", "last": "to"}
):
    first: str
    last: str
    group: tuple[Group, ...]
    data: tuple[UsageLineOut, ...]
    total: AmountsOut
