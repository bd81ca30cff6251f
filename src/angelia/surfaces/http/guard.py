"""Headers that keep a browser from doing anything with an answer but hand it to who asked."""

from starlette.responses import Response

_MARK = (b"x-content-type-options", b"nosniff")
HEADERS = (
    _MARK,
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    # Asked of embedded resources alone: a page that may ask by CORS reads the answer all the same.
    (b"cross-origin-resource-policy", b"same-origin"),
)
_NOT_KEPT = (b"cache-control", b"no-store")


def guarded(response: Response) -> Response:
    """The same response with the headers, which it gets once however often this is called."""
    given = response.raw_headers
    if _MARK not in given:
        given.extend(HEADERS)
        if not any(name == b"cache-control" for name, _ in given):
            given.append(_NOT_KEPT)
    return response
