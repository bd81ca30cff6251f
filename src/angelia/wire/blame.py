"""Whose fault an error is: one answer, whether it comes as an HTTP status or inside a stream."""

_OF_THE_CALLER = ("invalid", "unsupported", "missing", "context_length")


def error_type(code: str) -> str:
    """The `type` that goes with the code of a run's failure."""
    if code.startswith("upstream"):
        return "upstream_error"
    if code.startswith(_OF_THE_CALLER):
        return "invalid_request_error"
    return "conflict_error" if code == "run_cancelled" else "server_error"
