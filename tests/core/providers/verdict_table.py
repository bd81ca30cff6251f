"""Every class of fault, by example: what tests judge, and the table of docs/resilience.md.

`python -m tests.core.providers.verdict_table` writes that table anew.
"""

import itertools
import re
from pathlib import Path
from typing import assert_never

from msgspec import Struct

from angelia.core.providers.verdict import (
    AskAgain,
    AskWhole,
    FallBack,
    GiveUp,
    Reached,
    RotateKey,
    Shorten,
    Verdict,
)
from angelia.errors import (
    UpstreamCutOff,
    UpstreamEmpty,
    UpstreamError,
    UpstreamGarbled,
    UpstreamLost,
    UpstreamOverflow,
    UpstreamRefused,
    UpstreamStalled,
    UpstreamUnreachable,
    UpstreamUnusable,
)

PAGE = Path(__file__).parents[3] / "docs" / "resilience.md"
BEGIN = "<!-- verdicts: made by python -m tests.core.providers.verdict_table -->"
END = "<!-- end of verdicts -->"

NOW = 1_445_412_480.0  # Wed, 21 Oct 2015 07:28:00 GMT


class Case(Struct, frozen=True):
    """One thing that happened, and the verdict on it."""

    error: UpstreamError
    verdict: Verdict
    reached: Reached = "nothing"


class Fault(Struct, frozen=True):
    """A class of fault: its cases end in the same way. `by` is how people know it."""

    name: str
    by: str
    cases: tuple[Case, ...]


def http(
    status: int | None,
    verdict: Verdict,
    message: str = "Something.",
    *,
    reached: Reached = "nothing",
    **more: object,
) -> Case:
    return Case(UpstreamRefused(message, status=status, **more), verdict, reached)  # pyright: ignore[reportArgumentType]


def said(verdict: Verdict, message: str, type_: str | None = None, code: str | None = None) -> Case:
    """An error inside an answer that began with 200."""
    return http(None, verdict, message, their_type=type_, their_code=code)


def reset(verdict: Verdict, **headers: str) -> Case:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return http(429, verdict, headers=named)


def everywhere(error: UpstreamError, verdict: Verdict) -> tuple[Case, ...]:
    places: tuple[Reached, ...] = ("nothing", "reasoning", "text", "arguments")
    return tuple(Case(error, verdict, reached) for reached in places)


def too_long(message: str, limit: int | None, status: int | None = 400) -> Case:
    return http(status, Shorten(limit), message)


HOUR = RotateKey(3_600.0)
TEN_MINUTES = RotateKey(600.0)
A_WHILE = RotateKey(5.0)

FAULTS: tuple[Fault, ...] = (
    Fault(
        "No connection",
        "refused, reset, no such host, connect timeout",
        everywhere(UpstreamUnreachable("No connection."), AskAgain()),
    ),
    Fault(
        "The connection is lost",
        "closed or reset before the end of the answer",
        everywhere(UpstreamLost("Gone."), AskAgain()),
    ),
    Fault(
        "Silence",
        "longer than the budget for the first token, or for the next piece",
        everywhere(UpstreamStalled("Silent."), AskAgain()),
    ),
    Fault(
        "Not the protocol",
        "malformed JSON, an event that is too large, no HTTP",
        everywhere(UpstreamGarbled("Noise."), AskAgain()),
    ),
    Fault(
        "An empty answer",
        "neither a word nor a call",
        everywhere(UpstreamEmpty("Empty."), AskAgain()),
    ),
    Fault(
        "An answer without its end",
        "no finish reason, arguments that stop halfway",
        everywhere(UpstreamCutOff("Cut."), AskAgain()),
    ),
    Fault(
        "An address or a certificate that is no good",
        "not HTTP, not an address, a certificate nobody trusts",
        everywhere(UpstreamUnusable("What is this?"), FallBack()),
    ),
    Fault(
        "The provider has a fault of its own",
        "408, 409, 424, 425, 499, 500 to 599",
        (
            *(
                http(status, AskAgain())
                for status in (408, 409, 424, 425, 499, 500, 501, 502, 503, 504, 520, 529, 599)
            ),
            http(500, AskAgain(), reached="text"),
            http(503, AskAgain(), "The model is not available."),
            http(500, AskAgain(), "Streaming is not supported"),
            http(529, AskAgain(), "Overloaded", their_type="overloaded_error"),
            http(503, AskAgain(), headers={"retry-after": "soon"}),
            # The limits of an account say nothing about a fault of the server.
            http(500, AskAgain(), headers={"x-ratelimit-reset-tokens": "6m0s"}),
        ),
    ),
    Fault(
        "The same, and it says when to come back",
        "`Retry-After` in seconds or as a date, `retry-after-ms`, “try again in 2s”",
        (
            http(503, AskAgain(2.0), headers={"retry-after": "2"}),
            http(503, AskAgain(20.0), headers={"retry-after": "Wed, 21 Oct 2015 07:28:20 GMT"}),
            http(529, AskAgain(0.25), headers={"retry-after-ms": "250", "retry-after": "9"}),
            http(500, AskAgain(2.0), "Please try again in 2s."),
            http(408, AskAgain(0.0), headers={"retry-after": "0"}),
            said(AskAgain(2.0), "Overloaded. Try again in 2s."),
        ),
    ),
    Fault(
        "An error inside an answer that began well",
        "words for overload, time-outs or a lost connection, or none that say anything",
        (
            said(AskAgain(), "Busy.", "overloaded_error"),
            said(AskAgain(), "The server had an error", "server_error"),
            said(AskAgain(), "Internal", "api_error"),
            said(AskAgain(), "", "timeout_error"),
            said(AskAgain(), "Invalid response from the model", "api_error"),
            said(AskAgain(), "Network connection lost."),
            said(AskAgain(), "peer closed connection without sending complete message body"),
            said(AskAgain(), "read timed out"),
            said(AskAgain(), "The upstream is not available."),
            said(AskAgain(), "Stream error: the service is not available."),
            said(AskAgain(), "oops"),
            said(AskAgain(), ""),
            Case(UpstreamError("oops"), AskAgain()),
        ),
    ),
    Fault(
        "The model broke down",
        "400, 422 or an error inside an answer, and words such as crashed or `tool_use_failed`",
        (
            http(400, AskAgain(), "Failed to call a function.", their_code="tool_use_failed"),
            http(400, AskAgain(), "The model has crashed without additional information."),
            http(400, AskAgain(), "Model unloaded."),
            http(400, AskAgain(), "ThrottlingException: Too many tokens, please wait."),
            said(AskAgain(), "Failed.", "invalid_request_error", "tool_use_failed"),
        ),
    ),
    Fault(
        "Asked too often",
        "429, or such words; nothing says for how long",
        (
            http(429, A_WHILE),
            http(429, A_WHILE, reached="arguments"),
            http(429, A_WHILE, "Too many tokens, please wait before trying again."),
            http(429, A_WHILE, "The prompt is too long for what is left of this minute."),
            http(
                429,
                A_WHILE,
                "This request would exceed your organization's rate limit of 40,000 input tokens "
                "per minute.",
                their_type="rate_limit_error",
            ),
            said(A_WHILE, "Slow down", "rate_limit_error"),
            said(A_WHILE, "Slow down", None, "rate_limit_exceeded"),
            said(A_WHILE, "Resource has been exhausted", "RESOURCE_EXHAUSTED"),
            said(A_WHILE, "Too many requests"),
            said(A_WHILE, "Rate limit reached for gpt on tokens per min (TPM): Limit 30000"),
        ),
    ),
    Fault(
        "The same, and it says for how long",
        "`Retry-After`, the reset of a limit that is used up, “try again in 20s”",
        (
            reset(RotateKey(3.0), retry_after="3"),
            reset(
                RotateKey(1.0),
                x_ratelimit_remaining_requests="0",
                x_ratelimit_reset_requests="1s",
                x_ratelimit_remaining_tokens="100",
                x_ratelimit_reset_tokens="6m0s",
            ),
            reset(RotateKey(360.0), x_ratelimit_reset_tokens="6m0s"),
            reset(RotateKey(0.12), x_ratelimit_reset_tokens="120ms"),
            reset(RotateKey(30.0), anthropic_ratelimit_tokens_reset="2015-10-21T07:28:30Z"),
            reset(RotateKey(10.0), x_ratelimit_reset="1445412490"),
            reset(RotateKey(10.0), x_ratelimit_reset="1445412490000"),
            reset(RotateKey(10.0), x_ratelimit_reset="10"),
            http(429, RotateKey(20.0), "Rate limit reached. Please try again in 20s."),
            http(
                429,
                RotateKey(55.9),
                "You exceeded your current quota, please check your plan and billing details. "
                "Please retry in 55.9s.",
            ),
        ),
    ),
    Fault(
        "A key that is not accepted",
        "401, or such words",
        (
            http(401, HOUR),
            http(401, HOUR, "Streaming is not supported without a key"),
            http(400, HOUR, "API key not valid. Please pass a valid API key."),
            http(400, HOUR, "Incorrect API key provided: [redacted]."),
            said(HOUR, "invalid x-api-key", "authentication_error"),
            said(HOUR, "Invalid API key"),
            said(HOUR, "No auth", "UNAUTHENTICATED"),
        ),
    ),
    Fault(
        "No money left",
        "402, or words such as `insufficient_quota`, billing, credit balance",
        (
            http(402, HOUR),
            http(402, HOUR, "This request requires more credits, or fewer max_tokens."),
            http(429, HOUR, "You exceeded your quota", their_code="insufficient_quota"),
            http(
                429,
                HOUR,
                "You exceeded your quota",
                their_code="insufficient_quota",
                headers={"retry-after": "1"},
            ),
            http(400, HOUR, "Your credit balance is too low to access the API."),
            http(400, HOUR, "You have reached your specified API usage limits."),
            http(403, HOUR, "Insufficient credits"),
            http(400, HOUR, "x", their_code="billing_hard_limit_reached"),
            said(HOUR, "server is out of money", "insufficient_quota", "insufficient_quota"),
        ),
    ),
    Fault(
        "A key that may not do this",
        "403, or such words",
        (
            http(403, TEN_MINUTES),
            http(403, TEN_MINUTES, "Country, region, or territory not supported"),
            said(TEN_MINUTES, "No.", "permission_error"),
            said(TEN_MINUTES, "Forbidden"),
        ),
    ),
    Fault(
        "The prompt is too long",
        "413, `context_length_exceeded`, “maximum context length is 8192 tokens”, and the like",
        (
            Case(UpstreamOverflow("Too long.", 8192), Shorten(8192)),
            too_long("This model's maximum context length is 8192 tokens. However", 8192),
            http(400, Shorten(), "Too long.", their_code="context_length_exceeded"),
            http(
                400,
                Shorten(),
                "Your input exceeds the context window of this model.",
                their_code="context_length_exceeded",
            ),
            too_long("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
            too_long(
                "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, "
                "decrease input length or `max_tokens` and try again",
                200_000,
            ),
            too_long(
                "The input token count (218152) exceeds the maximum number of tokens allowed "
                "(65536).",
                65_536,
            ),
            too_long(
                "request (65646 tokens) exceeds the available context size (65536 tokens), "
                "try increasing it",
                65_536,
            ),
            http(
                400,
                Shorten(4096),
                "the request exceeds the available context size, try increasing it",
                their_type="exceed_context_size_error",
                limit=4096,
            ),
            too_long("Context size has been exceeded.", None, 500),
            too_long(
                "This model's maximum context length is 16384 tokens. However, you requested "
                "122946 tokens (112946 in the messages, 10000 in the completion).",
                16_384,
            ),
            too_long(
                "The decoder prompt (length 4000) is longer than the maximum model length of 2048.",
                2048,
            ),
            too_long(
                "The prompt (total length 5000) is too long to fit into the model "
                "(context length 4096).",
                4096,
            ),
            too_long(
                "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
                4096,
            ),
            too_long("Requested tokens (516) exceed context window of 512", 512),
            too_long("prompt too long; exceeded max context length by 17 tokens", None),
            too_long("the input length exceeds the context length", None),
            too_long(
                "Trying to keep the first 15857 tokens when context the overflows. However, the "
                "model is loaded with context length of only 4096 tokens, which is not enough.",
                4096,
            ),
            too_long(
                "The number of tokens to keep from the initial prompt is greater than the context "
                "length.",
                None,
            ),
            too_long(
                "This model's maximum prompt length is 131072 but the request contains 537812 "
                "tokens.",
                131_072,
            ),
            too_long(
                "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 "
                "maximum context length",
                32_768,
            ),
            too_long(
                "Invalid request: Your request exceeded model token limit: 262144 "
                "(requested: 291351)",
                262_144,
            ),
            too_long("invalid params, context window exceeds limit (2013)", None),
            too_long("Range of input length should be [1, 129024]", 129_024),
            too_long(
                "too many tokens: total number of tokens in the prompt cannot exceed 4,096", 4096
            ),
            too_long("prompt token count of 12345 exceeds the limit of 8192", 8192),
            too_long(
                "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. "
                "Given: 5000 `inputs` tokens",
                4096,
            ),
            too_long("Input is too long for requested model.", None),
            too_long("Provider returned error prompt is too long: 9 tokens > 8 maximum", 8, None),
            http(413, Shorten(), "Request Entity Too Large"),
            http(
                413,
                Shorten(6000),
                "Request too large for model `x` on tokens per minute (TPM): Limit 6000, "
                "Requested 7000, please reduce your message size and try again.",
                their_code="rate_limit_exceeded",
            ),
            http(
                429,
                Shorten(10_000),
                "Request too large for gpt on tokens per min (TPM): Limit 10000, Requested 12000.",
            ),
            http(400, Shorten(), "prompt is too long", reached="reasoning"),
        ),
    ),
    Fault(
        "The same, behind text that was shown",
        "the answer had begun, so the prompt was not too long",
        (
            http(400, GiveUp(), "prompt is too long", reached="text"),
            http(413, GiveUp(), reached="arguments"),
            Case(UpstreamOverflow("Too long."), GiveUp(), "text"),
        ),
    ),
    Fault(
        "No streaming",
        "400, 422, 501 or an error inside an answer, and words about streaming",
        (
            http(400, AskWhole(), "Streaming is not supported by this model."),
            http(400, AskWhole(), "This model does not support streaming"),
            http(400, AskWhole(), "stream=true is unsupported"),
            http(422, AskWhole(), "stream: must be false"),
            http(501, AskWhole(), "Streaming is not implemented"),
            http(400, AskWhole(), "Your organization must be verified to stream this model."),
            http(400, AskWhole(), "Streaming is not available for this model."),
            http(422, AskWhole(), "body.stream_options: Extra inputs are not permitted"),
            http(400, AskWhole(), "Unrecognized request argument supplied: stream_options"),
            said(AskWhole(), "Streaming not supported"),
            said(AskWhole(), "No.", "streaming_not_supported"),
        ),
    ),
    Fault(
        "The same, where it streamed or no stream was asked for",
        "streaming is not what is wrong",
        (
            http(400, GiveUp(), "Streaming is not supported.", reached="text"),
            http(400, GiveUp(), "Streaming is not supported.", reached="reasoning"),
            http(400, GiveUp(), "Streaming is not supported.", streamed=False),
        ),
    ),
    Fault(
        "No such model, nothing at this address",
        "404, 405, 410, “model … does not exist”",
        (
            http(404, FallBack()),
            http(405, FallBack()),
            http(410, FallBack()),
            http(404, FallBack(), "model: claude-9", their_type="not_found_error"),
            http(400, FallBack(), "The model `x` does not exist or you do not have access to it."),
            http(400, FallBack(), "Model Not Exist"),
            http(400, FallBack(), "foo/bar is not a valid model ID"),
            http(400, FallBack(), "Invalid model: x"),
            http(400, FallBack(), "The model `x` has been decommissioned"),
            said(FallBack(), "x", None, "model_not_found"),
            said(FallBack(), "x", "not_found_error"),
        ),
    ),
    Fault(
        "Something that this model cannot do here",
        "words about tools, a location or a missing `thought_signature`",
        (
            http(400, FallBack(), "library/gemma:2b does not support tools"),
            http(400, FallBack(), '"auto" tool choice requires --enable-auto-tool-choice'),
            http(400, FallBack(), "User location is not supported for the API use."),
            http(400, FallBack(), "Function call is missing a thought_signature in its parts."),
        ),
    ),
    Fault(
        "Any other status",
        "redirects, which would carry the key elsewhere, and what nobody has heard of",
        tuple(http(status, FallBack()) for status in (100, 204, 301, 302, 307, 308, 418, 451, 600)),
    ),
    Fault(
        "Against a policy",
        "content filter, moderation, safety, also as 403",
        (
            http(403, GiveUp(), "Your input was flagged by moderation."),
            http(403, GiveUp(), "Blocked by our content policy"),
            http(400, GiveUp(), "Rejected by our safety system"),
            said(GiveUp(), "x", None, "content_policy_violation"),
            said(GiveUp(), "The response was filtered", None, "content_filter"),
        ),
    ),
    Fault(
        "A request that is wrong",
        "400, 422, or such words",
        (
            http(400, GiveUp()),
            http(422, GiveUp()),
            http(400, GiveUp(), "server error"),
            http(400, GiveUp(), "Unknown field: stream_of_thought"),
            http(400, GiveUp(), "temperature is not supported"),
            http(
                400,
                GiveUp(),
                "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens",
            ),
            said(GiveUp(), "timeout must be positive", "invalid_request_error"),
            said(GiveUp(), "no", None, "invalid_prompt"),
            said(GiveUp(), "This is wrong.", "INVALID_ARGUMENT"),
        ),
    ),
)

CASES = tuple(itertools.chain.from_iterable(fault.cases for fault in FAULTS))


# ── the page ────────────────────────────────────────────────────────────────────────────────


def table() -> str:
    rows = [f"| {fault.name} | {fault.by} | {done(fault.cases[0].verdict)} |" for fault in FAULTS]
    return "\n".join(["| what happened | known by | what is done |", "|---|---|---|", *rows])


def done(verdict: Verdict) -> str:
    match verdict:
        case AskAgain(after=None):
            return "asked again after a pause that grows"
        case AskAgain():
            return "asked again when the provider wishes"
        case AskWhole():
            return "asked without streaming, now and from now on"
        case RotateKey(rest=3_600.0):
            return "the next key; this one rests for an hour"
        case RotateKey(rest=600.0):
            return "the next key; this one rests for 10 minutes"
        case RotateKey(rest=5.0):
            return "the next key; this one rests for 5 seconds"
        case RotateKey():
            return "the next key; this one rests for as long as the provider wishes"
        case FallBack():
            return "the next provider"
        case Shorten():
            return "the conversation is made shorter and asked again"
        case GiveUp():
            return "the run fails"
        case _:
            assert_never(verdict)


def drawn(page: str) -> str:
    """The page with its table made anew."""
    between = re.compile(rf"(?<={re.escape(BEGIN)}\n).*(?={re.escape(END)})", re.DOTALL)
    return between.sub(lambda _: f"{table()}\n", page)


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text()))
