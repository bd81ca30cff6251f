"""What a person says to a question in a plain chat box: only what is meant for a yes is one.

    answer  = clause (("and" | "," | ";") clause)*
    clause  = "approve" [code | "all"] [scope] | "yes" | scope | "deny" [code | "all"] [why]
    scope   = "once" | "session" | "for this session" | "always"

Whatever else is said is no answer, however friendly it begins.
"""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from angelia.core.events import Choice

# Longer than anybody answers; what is pasted in is no answer.
LONGEST = 2000


class Given(Struct, frozen=True):
    """What was decided about the approval with this code."""

    code: str
    choice: Choice
    reason: str = ""


class Clause(Struct, frozen=True):
    """One thing that was said; without a `code` it is about whatever is asked."""

    choice: Choice
    code: str | None = None
    every: bool = False
    reason: str = ""


Answer = tuple[Given, ...] | Literal["unclear"] | None

_YES = (
    r"(?:yes|y|yep|yeah|ok|okay|sure|go ahead|go for it|do it|approved?|allow(?: it)?|confirmed?)"
)
_SCOPE = r"(?:once|always|(?:for )?(?:this |the )?session)"
_WHICH = r"(?:all(?: of them)?|it|them|this|that|everything|both)"
_CODE = r"[a-z0-9]{3,32}"
_APPROVE = re.compile(
    rf"{_YES}(?:,? please)?(?: (?P<which>{_WHICH})| (?P<code>{_CODE}))?(?:,? (?P<scope>{_SCOPE}))?"
)
_ALONE = re.compile(rf"(?P<scope>{_SCOPE})")
_DENY = re.compile(
    r"(?:no|n|nope|deny|denied|reject|refuse|don'?t|do not|cancel)"
    rf"(?: (?P<which>{_WHICH})(?![\w'])| (?P<code>{_CODE})(?![\w']))?(?P<why>(?![\w']).*)",
    re.DOTALL,
)
_BETWEEN = re.compile(r"\s*(?:[,;]\s*(?:and\s+)?|\s+and\s+)\s*")
_MARKS = str.maketrans("", "", '`*"“”')
_EVERY = ("all", "all of them", "them", "everything", "both")


def read(text: str, codes: Sequence[str]) -> Answer:
    """What is decided about those that are asked, by their `codes`.

    None is for words that are no answer. What is one, but leaves open which approval it means, is
    unclear: it decides nothing.
    """
    plain = " ".join(text.translate(_MARKS).replace("’", "'").split())
    if not plain or len(plain) > LONGEST:
        return None
    clauses = _clauses(plain, {code.lower() for code in codes})
    return None if clauses is None else _decided(clauses, tuple(codes))


def _clauses(plain: str, codes: set[str]) -> list[Clause] | None:
    """One after another; a no takes all that follows it for its reason."""
    whole = _clause(plain, codes)
    if whole is not None and whole.choice != "deny":
        return [whole]
    for between in _BETWEEN.finditer(plain):
        first = _clause(plain[: between.start()], codes)
        if first is not None and (first.code or first.choice != "deny"):
            rest = _clauses(plain[between.end() :], codes)
            if rest is not None and all(clause.code for clause in (first, *rest)):
                return [first, *rest]
    return None if whole is None else [whole]


def _clause(plain: str, codes: set[str]) -> Clause | None:
    said = plain.lower().strip().rstrip(".!").rstrip()
    if found := _APPROVE.fullmatch(said):
        return _approval(found, codes)
    if found := _ALONE.fullmatch(said):
        return Clause(_scope(found["scope"]))
    if found := _DENY.fullmatch(plain.strip().lower()):
        return _denial(found, plain.strip(), codes)
    return None


def _approval(found: re.Match[str], codes: set[str]) -> Clause | None:
    code = found["code"]
    choice = _scope(found["scope"])
    if code is None or code in codes:
        return Clause(choice, code, every=found["which"] in _EVERY)
    # A word in its place may be a scope; any other word that can be no code makes it no answer.
    if _ALONE.fullmatch(code) and found["scope"] is None:
        return Clause(_scope(code))
    return Clause(choice, code) if _may_be_code(code) else None


def _denial(found: re.Match[str], plain: str, codes: set[str]) -> Clause | None:
    code = found["code"]
    start = found.start("why")
    if code is not None and code not in codes:
        written = plain[found.start("code") : found.end("code")]
        if _may_be_code(code) and (_has_digit(code) or written.isupper()):
            return Clause("deny", code)
        code, start = None, found.start("code")
    why = plain[start:].strip().lstrip(",.:;!–-").strip()
    return Clause("deny", code, every=found["which"] in _EVERY, reason=_because(why))


def _because(why: str) -> str:
    lead = re.match(r"(?:because|since)\s+", why, re.IGNORECASE)
    return why[lead.end() :] if lead else why


def _scope(words: str | None) -> Choice:
    if words is None or words == "once":
        return "once"
    return "always" if words == "always" else "session"


def _may_be_code(word: str) -> bool:
    """Codes are a few characters; longer words, and those of everyday, are none."""
    return len(word) <= 4 and word not in _EVERYDAY


def _has_digit(word: str) -> bool:
    return any(mark.isdigit() for mark in word)


_EVERYDAY = frozenset(
    {
        *("and", "are", "but", "can", "for", "get", "has", "her", "him", "his", "how", "its"),
        *("let", "may", "not", "now", "off", "one", "our", "out", "run", "see", "she", "the"),
        *("too", "try", "two", "use", "was", "way", "who", "why", "you", "what", "when", "then"),
        *("with", "that", "this", "from", "have", "just", "like", "more", "only", "some", "test"),
        *("they", "will", "your"),
    }
)


def _decided(clauses: list[Clause], codes: tuple[str, ...]) -> Answer:
    """The first word about an approval counts; one that is about none of them makes it unclear."""
    known = {code.lower(): code for code in codes}
    given: dict[str, Given] = {}
    for clause in clauses:
        about = _about(clause, known)
        if not about:
            return "unclear"
        for code in about:
            given.setdefault(code, Given(code, clause.choice, clause.reason))
    return tuple(given.values())


def _about(clause: Clause, known: dict[str, str]) -> tuple[str, ...]:
    if clause.code is not None:
        return (known[clause.code],) if clause.code in known else ()
    # A no is safe to be taken for all of them; a yes is not.
    if clause.every or clause.choice == "deny" or len(known) == 1:
        return tuple(known.values())
    return ()
