"""The text of a PDF, page by page."""

import io
import time

from angelia.adapters.readable.shapes import Reading

MAX_PAGES = 300


def read(data: bytes, *, pages: int = MAX_PAGES, seconds: float = 5.0) -> Reading:
    """Takes `seconds` of the processor. What is broken raises whatever the library raises."""
    from pypdf import PdfReader
    from pypdf.errors import DependencyError

    reader = PdfReader(io.BytesIO(data))
    try:
        if reader.is_encrypted and not reader.decrypt(""):
            return Reading(fault="The PDF is encrypted and needs a password.")
        count = len(reader.pages)
    except DependencyError:
        return Reading(fault="The PDF is encrypted in a way that cannot be read here.")
    texts: list[str] = []
    end = time.process_time() + seconds
    # A page may take long; what is read until then is better than nothing.
    while len(texts) < min(count, pages) and time.process_time() < end:
        texts.append(reader.pages[len(texts)].extract_text().strip())
    if not any(texts):
        return Reading(fault="The PDF holds no text; its pages may be pictures.")
    note = f"only the first {len(texts)} of {count} pages" if len(texts) < count else ""
    return Reading(_joined(texts, count), note)


def _joined(texts: list[str], count: int) -> str:
    numbered = enumerate(texts, 1)
    return "\n\n".join(f"--- page {number} of {count} ---\n{text}" for number, text in numbered)
