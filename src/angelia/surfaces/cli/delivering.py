"""What commands hand over: JSON, files, questions with a yes or a no."""

import sys
from pathlib import Path
from typing import Any

import msgspec

from angelia.errors import RequestError


def as_json(shown: Any) -> None:
    print(msgspec.json.encode(shown).decode())


def deliver(data: bytes, path: Path | None) -> None:
    """To stdout as it is, or to a file that was not there. Raises RequestError."""
    if path is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise RequestError(f"{path} is there already; name another file.") from None
    except OSError as error:
        raise RequestError(f"{path} cannot be written: {error.strerror}.") from error
    print(f"Written to {path}.", file=sys.stderr)


def agreed(question: str, *, yes: bool) -> bool:
    """Whether a person says yes. Raises RequestError where nobody is there to be asked."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise RequestError(f"{question} Say --yes: there is no terminal to ask in.")
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
