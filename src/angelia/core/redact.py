"""Taking keys and passwords out of text before anybody else reads it."""

import re

MASK = "[redacted]"

# Each pattern keeps what is in its first group, if it has one, and loses the rest.
_SHAPES = (
    re.compile(r"(\b(?:Bearer|Basic)\s+)[\w\-.~+/*]{8,}=*", re.IGNORECASE),
    re.compile(r"\b(?:sk|rk|pk)[-_][\w\-*.]{6,}[\w*]"),
    re.compile(r"\b(?:gsk_|hf_|r8_|xai-|glpat-|gh[pousr]_|github_pat_|xox[abeprs]-)[\w\-]{10,}"),
    re.compile(r"\bAIza[\w\-]{20,}"),
    re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    re.compile(r"\beyJ[\w\-]{8,}\.[\w\-]{4,}\.[\w\-]*"),
    re.compile(r"(\b[a-z][a-z0-9+.\-]*://[^\s/:@]*:)[^\s/@]+(?=@)", re.IGNORECASE),
    re.compile(
        r"(\b(?:[\w\-]*api[_\-]?key|[\w\-]*secret|[\w\-]*token|password|passwd|authorization)"
        r"[\"']?\s*[:=]\s*[\"']?)(?=[^\s\"',;&}]*\d)[^\s\"',;&}]{8,}",
        re.IGNORECASE,
    ),
)
# A shorter secret would blot out ordinary words.
_SHORTEST_SECRET = 6


def redact(text: str, *secrets: str | None) -> str:
    """The text without `secrets` and without anything that has the shape of a key."""
    for secret in secrets:
        if secret and len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, MASK)
    for shape in _SHAPES:
        text = shape.sub(_masked, text)
    return text


def _masked(match: re.Match[str]) -> str:
    kept: str = match.group(1) if match.re.groups else ""
    return kept + MASK
