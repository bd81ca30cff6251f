"""What a request hears that the server can no longer wait for.

The server cancels such a request and reports one that ends as cancelled as a defect, so the
cancellation is answered here and goes no further.
"""

from starlette.responses import Response

from angelia.surfaces.http.errors import ErrorBody, problem
from angelia.wire.blame import error_type

CODE = "server_stopping"


def run_goes_on(run_id: str) -> str:
    return (
        "The server is stopping. The run goes on at its next start; "
        f"follow it at /v1/runs/{run_id}/events."
    )


def run_left(run_id: str, headers: dict[str, str]) -> Response:
    # SDKs repeat a request that got a 503, which would begin a second run beside the first.
    return _stopping(run_goes_on(run_id), {**headers, "X-Should-Retry": "false"})


def nothing_done() -> Response:
    return _stopping("The server is stopping. Try again at its next start.", {})


def _stopping(message: str, headers: dict[str, str]) -> Response:
    return problem(503, ErrorBody(message, error_type(CODE), None, CODE), headers)
