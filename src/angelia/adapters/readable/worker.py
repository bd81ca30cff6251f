"""The child that reads pages and PDFs: what is too much for it ends it, and nothing else."""

import sys

import msgspec

from angelia.adapters.readable import markup, pdf
from angelia.adapters.readable.charset import decode
from angelia.adapters.readable.shapes import Reading, Task

MEMORY = 1024 * 1024 * 1024


def main() -> None:
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    _bound(task.seconds)
    reading = read(task, sys.stdin.buffer.read())
    sys.stdout.buffer.write(msgspec.json.encode(reading))


def read(task: Task, data: bytes) -> Reading:
    if task.kind == "pdf":
        return pdf.read(data, seconds=task.seconds * 0.7)
    html = decode(data, task.charset, is_markup=True)
    if task.extractor == "trafilatura" and (text := _extracted(html, task)):
        return Reading(text)
    return markup.read(html, task.url, plain=task.form == "text")


def _extracted(html: str, task: Task) -> str | None:
    """None if it finds nothing worth reading."""
    import trafilatura  # pyright: ignore[reportMissingImports]

    found: object = trafilatura.extract(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        html,
        url=task.url,
        output_format="txt" if task.form == "text" else "markdown",
        include_links=task.form == "markdown",
        include_tables=True,
        include_formatting=task.form == "markdown",
    )
    return found if isinstance(found, str) else None


def _bound(seconds: int) -> None:
    """The parent watches the clock; processor, memory and files are bounded here."""
    try:
        import resource
    except ImportError:
        return
    for limit, value in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))


if __name__ == "__main__":
    main()
