"""Files that a message names with `@`: texts put behind it, images sent along with it."""

import base64
import re
import stat
from pathlib import Path
from typing import assert_never

from msgspec import Struct

from angelia.wire.content import ImageIn, ImageUrl, PartIn, TextIn
from angelia.wire.runs.shapes import MessageIn

TEXT_BYTES = 256 * 1024
IMAGE_BYTES = 10 * 1024 * 1024
NAMES = 200
# Behind a letter it is an e-mail address; quotes hold what has spaces.
MARK = re.compile(r'(?<![\w@.+-])@(?:"(?P<quoted>[^"\n]+)"|(?P<plain>[^\s"@]+))')
_CLOSING = ".,;:!?)]}>'`*"
_IMAGES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF87a": "gif", b"GIF89a": "gif"}
_TICKS = re.compile(r"`{3,}")


class Attached(Struct, frozen=True):
    """`input` is that of a new run; `notes` say what was sent along, and what could not be."""

    input: str | list[MessageIn]
    notes: tuple[str, ...] = ()


class _Text(Struct, frozen=True):
    name: str
    text: str


class _Image(Struct, frozen=True):
    name: str
    url: str
    size: int


class _Left(Struct, frozen=True):
    """Stays in the text as it was typed."""

    name: str
    reason: str


_Found = _Text | _Image | _Left


def attached(text: str, folder: Path) -> Attached:
    """The message with the files that it names; `folder` is where relative paths begin."""
    blocks, parts, notes = [text], list[PartIn](), list[str]()
    for found in _found(text, folder):
        match found:
            case _Text(name=name, text=content):
                blocks.append(_fenced(name, content))
                notes.append(f"{name}: sent along ({_size(len(content.encode()))})")
            case _Image(name=name, url=url, size=size):
                parts.append(ImageIn(ImageUrl(url)))
                notes.append(f"{name}: sent along as an image ({_size(size)})")
            case _Left(name=name, reason=reason):
                notes.append(f"{name}: {reason}; the text stays as typed")
            case _:
                assert_never(found)
    words = "\n\n".join(blocks)
    whole = [MessageIn("user", [TextIn(words), *parts])] if parts else words
    return Attached(whole, tuple(notes))


def _found(text: str, folder: Path) -> list[_Found]:
    """Each file once, in the order in which they are named."""
    seen: dict[Path, _Found] = {}
    for mark in MARK.finditer(text):
        named = _named(mark, folder)
        if named is not None and named[1] not in seen:
            seen[named[1]] = _read(*named)
    return list(seen.values())


def _named(mark: re.Match[str], folder: Path) -> tuple[str, Path] | None:
    """The name and where it leads; None for what was never meant as a file."""
    if (quoted := mark["quoted"]) is not None:
        return quoted, _path(quoted, folder)
    plain: str = mark["plain"]
    for name in (plain, plain.rstrip(_CLOSING)):
        if name and _exists(path := _path(name, folder)):
            return name, path
    name = plain.rstrip(_CLOSING)
    looks_like_a_path = "/" in name or name.startswith("~") or "." in name.strip(".")
    return (name, _path(name, folder)) if looks_like_a_path else None


def _path(name: str, folder: Path) -> Path:
    try:
        return folder / Path(name).expanduser()
    except RuntimeError:  # nobody here has that name
        return folder / name


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _read(name: str, path: Path) -> _Found:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return _listed(name, path)
        if not stat.S_ISREG(mode):
            return _Left(name, "it is neither a file nor a folder")
        with path.open("rb") as file:
            return _judged(name, file.read(IMAGE_BYTES + 1), path.stat().st_size)
    except FileNotFoundError:
        return _Left(name, "there is no such file")
    except (OSError, ValueError) as error:
        return _Left(name, f"it cannot be read ({getattr(error, 'strerror', None) or error})")


def _listed(name: str, path: Path) -> _Found:
    names = sorted(f"{one.name}/" if one.is_dir() else one.name for one in path.iterdir())
    more = [f"… and {len(names) - NAMES} more"] if len(names) > NAMES else []
    return _Text(f"{name.rstrip('/')}/", "\n".join([*names[:NAMES], *more]) or "(empty)")


def _judged(name: str, data: bytes, size: int) -> _Found:
    if (kind := _image(data)) is not None:
        if size > IMAGE_BYTES:
            return _Left(name, f"an image may have {_size(IMAGE_BYTES)}, this one has more")
        url = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        return _Image(name, url, size)
    if b"\x00" in data[:8192]:
        return _Left(name, "it is binary, neither text nor an image")
    if size > TEXT_BYTES:
        return _Left(name, f"it has {_size(size)}, and a text may have {_size(TEXT_BYTES)}")
    try:
        return _Text(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _Left(name, "it is binary, neither text nor an image")


def _image(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    return next((kind for start, kind in _IMAGES.items() if data.startswith(start)), None)


def _fenced(name: str, content: str) -> str:
    """A block that no fence inside of it ends."""
    longest = max((len(ticks) for ticks in _TICKS.findall(content)), default=2)
    fence = "`" * (longest + 1)
    body = content if content.endswith("\n") or not content else f"{content}\n"
    return f"{name}:\n\n{fence}{Path(name).suffix[1:]}\n{body}{fence}"


def _size(count: int) -> str:
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.0f} KB" if count < 1024 * 1024 else f"{count / 1024 / 1024:.1f} MB"
