"""What people see of a tool call: its arguments as JSON, and the beginning of its output."""

from msgspec import DecodeError, Raw, json

OUTPUT_LIMIT = 2 * 1024


def shown_arguments(arguments: str) -> Raw | str:
    """The JSON on one line, or the text itself if it is not JSON."""
    try:
        return Raw(json.encode(json.decode(arguments)))
    except (DecodeError, RecursionError):
        return arguments


def beginning(text: str, limit: int = OUTPUT_LIMIT) -> tuple[str, bool]:
    """At most `limit` bytes of UTF-8, cut between characters, and whether it is cut."""
    if len(text) * 4 <= limit:
        return text, False
    data = text.encode()
    if len(data) <= limit:
        return text, False
    return data[:limit].decode(errors="ignore"), True
