"""Part of a document, as a `Range: bytes=` header asks for it."""

import re

from starlette.responses import Response

from angelia.surfaces.http.errors import ErrorBody, problem

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})$")


def ranged(data: bytes, wanted: str | None, media_type: str) -> Response:
    """All of it without a header, or with one of another form, as HTTP has it."""
    form = _RANGE.match(wanted or "")
    if form is None or form[0] == "bytes=-":
        return Response(data, headers={"Accept-Ranges": "bytes"}, media_type=media_type)
    first, last = _bounds(form[1], form[2], len(data))
    if first >= len(data) or first > last:
        message = f"The output has {len(data)} bytes; {wanted} lies outside."
        body = ErrorBody(message, "invalid_request_error", "Range", "range_not_satisfiable")
        return problem(416, body, {"Content-Range": f"bytes */{len(data)}"})
    headers = {"Accept-Ranges": "bytes", "Content-Range": f"bytes {first}-{last}/{len(data)}"}
    return Response(data[first : last + 1], 206, headers, media_type)


def _bounds(first: str, last: str, size: int) -> tuple[int, int]:
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last) if last else size - 1, size - 1)
