"""Taking keys and passwords out of text before anybody else reads it.

Text of any size from anybody passes here, so every shape takes time in proportion to the text: no
unbounded repetition begins at every character of a run and then fails at the end of it.
"""

import re
from collections.abc import Iterable

MASK = "[redacted]"


def _masked(match: re.Match[str]) -> str:
    kept: str = match.group(1) if match.re.groups else ""
    return kept + MASK


class _Shape:
    """A pattern keeps what is in its first group, if it has one, and loses the rest.

    Looking for a word is cheap, a pattern is tried at every character: it is used on texts that
    hold one of `words` in whatever case.
    """

    def __init__(self, words: str, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._words = words.split()
        self._pattern = re.compile(pattern, flags)

    def remove(self, text: str, lowered: str) -> str:
        if any(word in lowered for word in self._words):
            return self._pattern.sub(_masked, text)
        return text


_SHAPES = (
    _Shape("bearer basic", r"\b((?:Bearer|Basic)\s{1,8})[\w\-.~+/*]{8,}+=*+", re.IGNORECASE),
    _Shape("sk- sk_ rk- rk_ pk- pk_", r"\b[srp]k[-_][\w\-*.]{6,}[\w*]"),
    _Shape(
        "ang- gsk_ hf_ r8_ xai- glpat- ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ xox",
        r"\b(?:ang-|gsk_|hf_|r8_|xai-|glpat-|gh[pousr]_|github_pat_|xox[abeprs]-)[\w\-]{10,}+",
    ),
    _Shape("aiza", r"\bAIza[\w\-]{20,}+"),
    _Shape("akia asia", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    _Shape("eyj", r"(?<![\w\-])((?:[\w\-]{0,32}-)?)eyJ[\w\-]{8,}+\.[\w\-]{4,}+\.[\w\-]*+"),
    _Shape("://", r"(://[^\s/:@]*+:)[^\s/@]++(?=@)"),
    _Shape(
        "key secret token passw authorization",
        r"((?:api[_\-]?key|secret|token|password|passwd|authorization)"
        r"[\"']?\s{0,8}[:=]\s{0,8}[\"']?)(?=[^ \t-\r\"',;&}0-9]{0,64}+[0-9])[^\s\"',;&}]{8,}+",
        re.IGNORECASE,
    ),
)
# A shorter secret would blot out ordinary words.
_SHORTEST_SECRET = 6
# Longer than the tokens people pass around; a longer word is shown as it comes.
_LONGEST_WORD = 2_048
_WORD = re.compile(r"\S++")
_LEADS_ON = re.compile(
    r"(?:bearer|basic|key|secret|token|password|passwd|authorization|[:=])[\"']?\Z", re.IGNORECASE
)


class Redactor:
    """Takes out whatever has the shape of a key, and `secrets` whatever their shape."""

    def __init__(self, *secrets: str | None) -> None:
        known = {secret for secret in secrets if secret and len(secret) >= _SHORTEST_SECRET}
        # One secret may be the beginning of another.
        self._secrets = sorted(known, key=len, reverse=True)

    def learn(self, secrets: Iterable[str]) -> None:
        """Takes these out as well from now on."""
        self._secrets = Redactor(*self._secrets, *secrets)._secrets

    def __call__(self, text: str) -> str:
        text = self.without_secrets(text)
        lowered = text.lower()
        for shape in _SHAPES:
            text = shape.remove(text, lowered)
        return text

    def without_secrets(self, text: str) -> str:
        """Shapes stay; only what is known to be secret goes."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def of_excerpt(self, text: str) -> str:
        """The same of a text that was cut off where `…` stands, maybe in the middle of a secret."""
        text = self(text)
        return text[: self._begun(text[:-1])] + "…" if text.endswith("…") else text

    def settled(self, text: str) -> int:
        """Where the end of `text` begins that may turn out to be part of a key when more comes."""
        return min(_last_word(text), self._begun(text))

    def _begun(self, text: str) -> int:
        """Where a secret begins that `text` ends in the middle of, else the end."""
        return min((_opened(text, secret) for secret in self._secrets), default=len(text))


SHAPES_ONLY = Redactor()


def redact(text: str, *secrets: str | None) -> str:
    """The text without `secrets` and without anything that has the shape of a key."""
    return Redactor(*secrets)(text) if secrets else SHAPES_ONLY(text)


def _opened(text: str, secret: str) -> int:
    """Where a secret begins that `text` ends in the middle of, else the end."""
    for length in range(min(len(secret) - 1, len(text)), 0, -1):
        if text.endswith(secret[:length]):
            return len(text) - length
    return len(text)


def _last_word(text: str) -> int:
    """Where the unfinished word begins, with the words before it that announce a secret."""
    start = max(0, len(text) - _LONGEST_WORD)
    words = list(_WORD.finditer(text, start))
    place = len(text)
    if words and words[-1].end() == place:
        place = words.pop().start()
    while words and _LEADS_ON.search(words[-1][0]):
        place = words.pop().start()
    return len(text) if place == start > 0 else place
