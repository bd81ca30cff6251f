"""Which tool calls need a human, and how much a run may use up."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from posixpath import normpath
from typing import Literal, assert_never, get_args

from msgspec import Struct
from msgspec.structs import replace

from angelia.core import commands
from angelia.core.messages import Effect, Usage

Verdict = Literal["allow", "ask", "deny"]
LimitName = Literal["max_steps", "max_tokens", "max_seconds", "max_cost"]


class Touched(Struct, frozen=True, omit_defaults=True):
    """What a call would touch, as its tool reads it from the arguments.

    `paths` are relative to the workspace, `hosts` are names without a port. A call that is
    `harmless` changes nothing, whatever else calls of its tool may do.
    """

    command: str = ""
    paths: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    network: bool = False
    harmless: bool = False


NOTHING = Touched()


class Rule(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is decided about calls that fit everything it names.

    `tool`, `command`, `path` and `domain` may hold `*`. A rule that allows a command must fit each
    command of a line; any other rule needs to fit one. So it is with paths and domains. A domain
    stands for everything below it too.
    """

    verdict: Verdict
    tool: str = "*"
    effect: Effect | None = None
    command: str | None = None
    path: str | None = None
    domain: str | None = None
    network: bool | None = None
    reason: str = ""

    def fits(self, tool: str, effect: Effect, touched: Touched) -> bool:
        return (
            fnmatchcase(tool, self.tool)
            and self.effect in (None, effect)
            and self.network in (None, touched.network)
            and (self.command is None or self._fits_command(touched.command))
            and (self.path is None or self._most(_path_fits, touched.paths, self.path))
            and (self.domain is None or self._most(_domain_fits, touched.hosts, self.domain))
        )

    def _fits_command(self, line: str) -> bool:
        pattern = self.command or "*"
        single = commands.commands(line) if line else ()
        if single is None:
            # Nobody can tell what is in it: a rule that allows is not for such a line.
            return self.verdict != "allow" and fnmatchcase(line, f"*{pattern}*")
        return self._most(fnmatchcase, single, pattern)

    def _most(self, fits: Callable[[str, str], bool], found: tuple[str, ...], pattern: str) -> bool:
        if self.verdict == "allow":
            return bool(found) and all(fits(each, pattern) for each in found)
        return any(fits(each, pattern) for each in found)


class Policy(Struct, frozen=True, omit_defaults=True):
    """What may be done without asking.

    `deny` and `ask` are names of tools or effect classes. Of `rules` the first one that fits
    decides. Calls that nothing is said of may be made, unless they are of the class that
    `irreversible` or `network` decides about. All policies `beside` it hold as well.
    """

    ask: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    irreversible: Verdict = "allow"
    network: Verdict = "allow"
    beside: tuple["Policy", ...] = ()


class Judgement(Struct, frozen=True):
    """`reason` is for people, empty where nothing has to be explained."""

    verdict: Verdict
    reason: str = ""


_ALLOWED = Judgement("allow")


def judge(policy: Policy, tool: str, effect: Effect, touched: Touched = NOTHING) -> Judgement:
    """Of several policies the strictest decides."""
    judged = _judge(policy, tool, effect, touched)
    for other in policy.beside:
        further = judge(other, tool, effect, touched)
        if _STRICTNESS.index(further.verdict) > _STRICTNESS.index(judged.verdict):
            judged = further
    return judged


def _judge(policy: Policy, tool: str, effect: Effect, touched: Touched) -> Judgement:
    if touched.command:
        # A command may do anything, whatever else calls of its tool do.
        effect = "irreversible"
    if tool in policy.deny or effect in policy.deny:
        return Judgement("deny", f"The policy does not allow {tool!r}.")
    rule = next((rule for rule in policy.rules if rule.fits(tool, effect, touched)), None)
    if rule is not None:
        return Judgement(rule.verdict, rule.reason or _why(rule.verdict, tool))
    if tool in policy.ask or effect in policy.ask:
        return Judgement("ask", _why("ask", tool))
    return _usual(policy, effect, touched)


def _usual(policy: Policy, effect: Effect, touched: Touched) -> Judgement:
    if touched.network and policy.network != "allow":
        return Judgement(policy.network, "It reaches out to the network.")
    changes = effect == "irreversible" and not touched.harmless
    if changes and policy.irreversible != "allow":
        return Judgement(policy.irreversible, "What it does may be impossible to undo.")
    return _ALLOWED


def _why(verdict: Verdict, tool: str) -> str:
    match verdict:
        case "allow":
            return ""
        case "ask":
            return f"The policy asks before {tool!r} is used."
        case "deny":
            return f"The policy does not allow {tool!r}."
        case _:
            assert_never(verdict)


def answered(policy: Policy, answer: Literal["allow", "deny"]) -> Policy:
    """The policy for whom nobody can be asked: this is the answer to every question."""
    settled = (replace(r, verdict=answer) if r.verdict == "ask" else r for r in policy.rules)
    named = (rule for name in policy.ask for rule in _rules_of(name, answer))
    return Policy(
        (),
        policy.deny,
        (*settled, *named),
        answer if policy.irreversible == "ask" else policy.irreversible,
        answer if policy.network == "ask" else policy.network,
        tuple(answered(other, answer) for other in policy.beside),
    )


def _rules_of(name: str, verdict: Verdict) -> tuple[Rule, ...]:
    """What a name stands for among those to `ask` about: a tool, or a class of effects."""
    effects = tuple(Rule(verdict, effect=effect) for effect in _EFFECTS if effect == name)
    return (Rule(verdict, tool=name), *effects)


_EFFECTS: tuple[Effect, ...] = get_args(Effect)


def stricter(ours: Policy, theirs: Policy) -> Policy:
    """Both hold: what one of them minds is not allowed by the other."""
    if theirs == Policy():
        return ours
    return replace(ours, beside=(*ours.beside, theirs)) if ours != Policy() else theirs


_STRICTNESS: tuple[Verdict, ...] = ("allow", "ask", "deny")


# ── grants ──────────────────────────────────────────────────────────────────────────────────


def grants_for(tool: str, touched: Touched) -> tuple[str, ...]:
    """What a person agrees to who wants not to be asked again: all of these, no more.

    A command stands for other lines with the same commands, a host or a path for itself; where
    nothing is known of what a call touches, the tool stands for itself.
    """
    if touched.command:
        return tuple(f"{tool} {head}" for head in commands.heads(touched.command))
    things = (*touched.hosts, *touched.paths)
    return tuple(dict.fromkeys(f"{tool} {thing}" for thing in things)) or (tool,)


def is_granted(granted: frozenset[str], tool: str, touched: Touched) -> bool:
    """A grant of the tool alone covers whatever it touches."""
    return tool in granted or granted.issuperset(grants_for(tool, touched))


# ── fitting ─────────────────────────────────────────────────────────────────────────────────


def _path_fits(path: str, pattern: str) -> bool:
    """A folder stands for all that is in it, not for what can be reached from there."""
    path, plain = normpath(path), pattern.rstrip("/")
    return fnmatchcase(path, plain) or fnmatchcase(path, f"{plain}/*")


def _domain_fits(host: str, pattern: str) -> bool:
    host, pattern = host.lower().rstrip("."), pattern.lower().rstrip(".")
    return fnmatchcase(host, pattern) or fnmatchcase(host, f"*.{pattern}")


# ── budgets ─────────────────────────────────────────────────────────────────────────────────


class Limits(Struct, frozen=True, omit_defaults=True):
    """Budgets of a run. None is unlimited.

    `max_calls` ends nothing: calls of the server's tools beyond it are refused. `max_repeats` is
    how often the model may do the same with the same result; 0 is as often as it likes.
    """

    max_steps: int | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None
    max_cost: float | None = None
    max_calls: int | None = None
    max_repeats: int | None = None


def spent(limits: Limits, steps: int, usage: Usage, cost: float = 0.0) -> LimitName | None:
    """The budget that is used up, if one is. Seconds are the driver's to count."""
    if limits.max_steps is not None and steps >= limits.max_steps:
        return "max_steps"
    if limits.max_tokens is not None and usage.total >= limits.max_tokens:
        return "max_tokens"
    if limits.max_cost is not None and cost >= limits.max_cost:
        return "max_cost"
    return None
