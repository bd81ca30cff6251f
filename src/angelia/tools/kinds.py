"""What a file is that is not text, told by its first bytes."""

from collections.abc import Callable

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"II*\0", "TIFF image"),
    (b"MM\0*", "TIFF image"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\0", "xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"\x7fELF", "ELF program"),
    (b"MZ", "Windows program"),
    (b"\xca\xfe\xba\xbe", "Java class"),
    (b"\0asm", "WebAssembly module"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"OggS", "Ogg media file"),
    (b"fLaC", "FLAC sound"),
    (b"ID3", "MP3 sound"),
    (b"\x1aE\xdf\xa3", "Matroska video"),
    (b"wOF2", "font"),
    (b"wOFF", "font"),
)
# These may hold no NUL among their first bytes, and are no text all the same.
_NEVER_TEXT = ("PNG image", "JPEG image", "GIF image", "PDF document", "gzip archive")


def kind_of(head: bytes) -> str | None:
    """In words for the model; None if nothing is known of it."""
    if head[:4] == b"RIFF":
        return {b"WEBP": "WebP image", b"WAVE": "WAV sound"}.get(head[8:12], "RIFF media file")
    if head[4:8] == b"ftyp":
        return "AVIF image" if head[8:12] == b"avif" else "MP4 video"
    kind = next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
    if kind is None:
        return None
    size = _SIZES.get(kind, _unknown)(head)
    return f"{kind}, {size[0]} × {size[1]}" if size else kind


def is_binary(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    kind = next((kind for magic, kind in _MAGIC if head.startswith(magic)), None)
    return b"\0" in head or kind in _NEVER_TEXT


Size = tuple[int, int]


def _unknown(head: bytes) -> Size | None:
    return None


def _png(head: bytes) -> Size | None:
    if len(head) < 24:
        return None
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _gif(head: bytes) -> Size | None:
    if len(head) < 10:
        return None
    return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")


def _jpeg(head: bytes) -> Size | None:
    """The size stands in the first frame header, behind other segments."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        if head[at + 1] in (0xC0, 0xC1, 0xC2):
            height, width = head[at + 5 : at + 7], head[at + 7 : at + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


_SIZES: dict[str, Callable[[bytes], Size | None]] = {
    "PNG image": _png,
    "GIF image": _gif,
    "JPEG image": _jpeg,
}
