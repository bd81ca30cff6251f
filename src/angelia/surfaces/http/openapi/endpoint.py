"""GET /openapi.json: the document, made when somebody first asks for it."""

import asyncio
import hashlib
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPE = "application/json"


async def describe(request: Request) -> Response:
    # Making it must not hold up anybody's stream.
    document, tag = await asyncio.to_thread(_document)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if _is_known(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(document, headers=headers, media_type=MEDIA_TYPE)


@cache
def _document() -> tuple[bytes, str]:
    # Loaded at the start it would make every start slower, for the few that are asked for it.
    from angelia.surfaces.http.openapi.document import build

    document = build()
    return document, f'"{hashlib.sha256(document).hexdigest()[:32]}"'


def _is_known(tags: str, tag: str) -> bool:
    return any(known.strip().removeprefix("W/") in (tag, "*") for known in tags.split(","))
