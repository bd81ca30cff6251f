"""The exception tree.

AngeliaError
├── RequestError         the caller's fault; surfaces answer 4xx
│   ├── BadRequest           400  a field is wrong; `param` is its path
│   ├── Unauthorized         401  no key, or not one of ours
│   ├── Forbidden            403  the key lacks a scope
│   ├── NotFound             404  no such thing, or not yours
│   ├── Conflict             409  at odds with what already happened
│   ├── TooLarge             413  over a limit that the message names
│   └── RateLimited          429  comes with the seconds to wait
├── UpstreamError        a provider's fault; core/providers/verdict.py says what to do about it
│   ├── UpstreamUnreachable  no connection
│   │   ├── UpstreamLost         there was one, and it broke
│   │   └── UpstreamUnusable     an address that is none, a certificate nobody trusts
│   ├── UpstreamStalled      silent for longer than its budget
│   ├── UpstreamRefused      an HTTP status or an error event
│   ├── UpstreamOverflow     the prompt is longer than the model reads
│   └── UpstreamGarbled      what came is not the protocol
│       ├── UpstreamEmpty        nothing that could be an answer
│       └── UpstreamCutOff       the answer ends before its end
├── ToolError            the model's fault; it reads the message and corrects itself
├── StorageError         what is kept on disk cannot be used as it is
│   ├── HomeInUse            another process works in the home folder
│   └── LogUnavailable       503  nothing can be written, or read
│       ├── LogPaused            503  for a while: whoever waits goes on by itself
│       │   └── DiskFull         507
│       └── LogDamaged           503  until somebody runs `angelia recover`
├── Fenced               another driver took the run; stop writing
└── IllegalTransition    ours; never caught
"""

from collections.abc import Mapping


class AngeliaError(Exception):
    """Anything Angelia raises on purpose."""


class RequestError(AngeliaError):
    """The caller's fault. `type` and `status` are what the wire says."""

    status = 400
    type = "invalid_request_error"

    def __init__(
        self,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        self.code = code
        self.retry_after = retry_after


class BadRequest(RequestError):
    pass


class Unauthorized(RequestError):
    status = 401


class Forbidden(RequestError):
    status = 403
    type = "permission_error"


class NotFound(RequestError):
    status = 404
    type = "not_found_error"


class Conflict(RequestError):
    status = 409
    type = "conflict_error"


class TooLarge(RequestError):
    status = 413


class RateLimited(RequestError):
    status = 429
    type = "rate_limit_error"


class UpstreamError(AngeliaError):
    """A provider failed: all that is known of it, and nothing about what to do next.

    `headers` holds those that matter, in lower case. `their_type` and `their_code` are the words
    of the provider. `streamed` is False where the question was put without streaming.
    """

    code = "upstream_error"

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        their_type: str | None = None,
        their_code: str | None = None,
        protocol: str | None = None,
        streamed: bool = True,
        limit: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.headers: Mapping[str, str] = headers or {}
        self.their_type = their_type
        self.their_code = their_code
        self.protocol = protocol
        self.streamed = streamed
        self.limit = limit


class UpstreamUnreachable(UpstreamError):
    code = "upstream_unreachable"


class UpstreamLost(UpstreamUnreachable):
    pass


class UpstreamUnusable(UpstreamUnreachable):
    pass


class UpstreamStalled(UpstreamError):
    code = "upstream_stalled"


class UpstreamRefused(UpstreamError):
    code = "upstream_refused"


class UpstreamOverflow(UpstreamError):
    """`limit` is how many tokens the model reads at most, if the provider said so."""

    code = "context_length_exceeded"

    def __init__(self, message: str, limit: int | None = None) -> None:
        super().__init__(message, limit=limit)


class UpstreamGarbled(UpstreamError):
    code = "upstream_garbled"


class UpstreamEmpty(UpstreamGarbled):
    """The model ended its answer without a word or a call. It may have thought before.

    `reply` is the `Reply` without them; its finish is `stop` if the model itself came to the end.
    """

    def __init__(self, message: str, *, reply: object = None) -> None:
        super().__init__(message)
        self.reply = reply


class UpstreamCutOff(UpstreamGarbled):
    pass


class ToolError(AngeliaError):
    """The model reads this message as the tool's result."""


class StorageError(AngeliaError):
    """What is kept on disk cannot be used as it is."""


class HomeInUse(StorageError):
    pass


class LogUnavailable(StorageError):
    pass


class LogPaused(LogUnavailable):
    """The fault may pass by itself: what is under way waits, nothing new begins."""


class DiskFull(LogPaused):
    pass


class LogDamaged(LogUnavailable):
    """No word of the file can be trusted before it was read through."""


class Fenced(AngeliaError):
    """The run has a newer epoch, or has ended: whoever gets this must stop writing."""


class IllegalTransition(AngeliaError):
    """A fact that cannot follow the state it met: a defect of ours."""
