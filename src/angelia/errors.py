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
├── UpstreamError        a provider's fault; says whether a retry can help
│   ├── UpstreamUnreachable  no connection, or it was lost
│   ├── UpstreamStalled      silent for longer than its budget
│   ├── UpstreamRefused      an HTTP status or an error event
│   ├── UpstreamOverflow     the prompt is longer than the model reads
│   └── UpstreamGarbled      what came is not the protocol
│       └── UpstreamEmpty        nothing that could be an answer
├── ToolError            the model's fault; it reads the message and corrects itself
├── Fenced               another driver took the run; stop writing
└── IllegalTransition    ours; never caught
"""


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
    """A provider failed. `retryable` says whether asking again may help."""

    code = "upstream_error"

    def __init__(
        self,
        message: str,
        *,
        retryable: bool,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
        self.status = status
        self.retry_after = retry_after


class UpstreamUnreachable(UpstreamError):
    code = "upstream_unreachable"


class UpstreamStalled(UpstreamError):
    code = "upstream_stalled"


class UpstreamRefused(UpstreamError):
    code = "upstream_refused"


class UpstreamOverflow(UpstreamError):
    """`limit` is how many tokens the model reads at most, if the provider said so."""

    code = "context_length_exceeded"

    def __init__(self, message: str, limit: int | None = None) -> None:
        super().__init__(message, retryable=False)
        self.limit = limit


class UpstreamGarbled(UpstreamError):
    code = "upstream_garbled"


class UpstreamEmpty(UpstreamGarbled):
    """The model ended its answer without a word or a call. It may have thought before.

    `reply` is the `Reply` without them; its finish is `stop` if the model itself came to the end.
    """

    def __init__(self, message: str, *, reply: object) -> None:
        super().__init__(message, retryable=True)
        self.reply = reply


class ToolError(AngeliaError):
    """The model reads this message as the tool's result."""


class StorageError(AngeliaError):
    """What is kept on disk cannot be used as it is."""


class HomeInUse(StorageError):
    pass


class LogUnavailable(StorageError):
    pass


class Fenced(AngeliaError):
    """The run has a newer epoch, or has ended: whoever gets this must stop writing."""


class IllegalTransition(AngeliaError):
    """A fact that cannot follow the state it met: a defect of ours."""
