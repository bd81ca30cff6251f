"""Keys as people read them in a terminal."""

from angelia.surfaces.cli.moments import ago, moment
from angelia.surfaces.cli.paper import Column
from angelia.wire.keys.shapes import KeyOut, PolicyOut

COLUMNS = (
    Column("key", head=True),
    Column("status", head=True),
    Column("scopes"),
    Column("made"),
    Column("name", stretch=True),
)


def row(key: KeyOut, now: float | None) -> tuple[str, ...]:
    """`now` is None for whoever wants moments instead of how long ago they were."""
    made = moment(key.created_at) if now is None else ago(key.created_at, now)
    return key.id, key.status, ",".join(key.scopes), made, key.name


def details(key: KeyOut) -> list[tuple[str, str]]:
    rules = key.rules
    return [
        ("key", key.id),
        ("name", key.name),
        ("secret", f"{key.hint}…"),
        ("status", key.status),
        ("scopes", ", ".join(key.scopes)),
        ("made", moment(key.created_at)),
        ("expires", "never" if key.expires_at is None else moment(key.expires_at)),
        ("revoked", "" if key.revoked_at is None else moment(key.revoked_at)),
        ("models", "" if rules.models is None else ", ".join(rules.models)),
        ("tools", "" if rules.tools is None else ", ".join(rules.tools) or "none"),
        ("requests a minute", str(rules.requests_per_minute or "")),
        ("runs at once", str(rules.concurrent_runs or "")),
        ("money a day", str(rules.daily_budget or "")),
        ("money a month", str(rules.monthly_budget or "")),
        ("tool events", rules.tool_events or ""),
        ("tool items", rules.tool_items or ""),
        ("on disconnect", rules.on_disconnect or ""),
        ("policy", _policy(rules.policy)),
    ]


def _policy(policy: PolicyOut) -> str:
    """What is said beyond the usual."""
    lines = [f"ask: {', '.join(policy.ask)}"] if policy.ask else []
    lines += [f"deny: {', '.join(policy.deny)}"] if policy.deny else []
    lines += [f"{len(policy.rules)} rules; --json shows them"] if policy.rules else []
    lines += [f"irreversible: {policy.irreversible}"] if policy.irreversible != "allow" else []
    lines += [f"network: {policy.network}"] if policy.network != "allow" else []
    return "\n".join(lines)
