"""Prompts that are too long, by the words of those who say so, and how much they would read."""

import re

# How OpenAI, Anthropic, Gemini, vLLM, SGLang, TGI, llama.cpp, Ollama, LM Studio and others put it.
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size|limit)[ _](?:\w+ ){0,2}exceed"
    r"|exceed\w*[ _](?:\S+ ){0,4}context"
    r"|context (?:the )?overflows"
    r"|(?:prompt|input|request|conversation|messages?)[ _](?:\([^)]{0,80}\) )?(?:is |are )?"
    r"too[ _]long"
    r"|prompt exceeds max length"
    r"|maximum (?:context|prompt|model) length"
    r"|longer than the (?:maximum model|model's context|context) length"
    r"|greater than the context length"
    r"|token count\b.{0,40}exceed"
    r"|exceed\w* the maximum number of (?:input )?tokens"
    r"|exceed\w* model token limit"
    r"|tokens in the prompt cannot exceed"
    r"|range of input length should be"
    r"|max_new_tokens`? must be <="
    r"|inputs`? must have less than"
    r"|reduce the length of (?:the|your) (?:messages|prompt|input)"
)
# A limit per minute passes by waiting, unless one request alone is over it.
_PER_MINUTE = re.compile(r"rate.?limit|tokens per (?:min|hour|day)|\b[tr]p[md]\b|throttl")
_ALONE_TOO_LARGE = re.compile(r"context_length_exceeded|request too large for")

_NUMBER = r"(\d[\d,_]*)"
_LIMITS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"maximum (?:\w+ )?(?:length|window)(?: is| of|:)? ?{_NUMBER}",
        rf"> {_NUMBER}",
        rf"{_NUMBER} maximum",
        rf"allowed \({_NUMBER}\)",
        rf"context (?:length|window|size)[ :(]{{1,2}}(?:of |is )?(?:only )?{_NUMBER}",
        rf"token limit: {_NUMBER}",
        rf"the limit of {_NUMBER}",
        rf"limit:? {_NUMBER}, requested",
        rf"cannot exceed {_NUMBER}",
        rf"must be <= {_NUMBER}",
        rf"less than {_NUMBER} tokens",
        rf"\[\d+, ?{_NUMBER}\]",
    )
)
_MOST_DIGITS = 9


def is_overflow(words: str, status: int | None) -> bool:
    """`words` are all that the provider said, in lower case."""
    if status == 413:
        return True
    if status == 429 or _PER_MINUTE.search(words):
        return bool(_ALONE_TOO_LARGE.search(words))
    return bool(_TOO_LONG.search(words) or _ALONE_TOO_LARGE.search(words))


def limit(words: str) -> int | None:
    """How many tokens the model reads at most, if the words say so."""
    for pattern in _LIMITS:
        if found := pattern.search(words):
            digits = found[1].replace(",", "").replace("_", "")
            if len(digits) <= _MOST_DIGITS and int(digits) > 0:
                return int(digits)
    return None
