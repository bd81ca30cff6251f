"""How providers want tools and images to be written."""

import base64
import binascii
import re

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MEDIA_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_DATA = re.compile(r"data:([^;,]*);base64,(.*)", re.DOTALL)


def bad_name(name: str) -> str | None:
    if NAME.fullmatch(name):
        return None
    return f"the name {name[:80]!r} does not match '^[a-zA-Z0-9_-]{{1,64}}$'"


def bad_image(url: str) -> str | None:
    """An image is linked to, or stands in the address itself."""
    if url.startswith(("http://", "https://")):
        return None
    inline = _DATA.fullmatch(url)
    return bad_data(inline[1], inline[2]) if inline else f"{url[:40]!r} is no address of an image"


def bad_data(media_type: str, data: str) -> str | None:
    if media_type not in _MEDIA_TYPES:
        return f"{media_type!r} is no kind of image that can be read"
    try:
        content = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return "the image is not base64"
    return None if content else "the image is empty"
