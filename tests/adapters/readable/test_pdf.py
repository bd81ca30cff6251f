"""The text of PDFs, also of such as cannot be read."""

import io

import pytest
from pypdf import PdfWriter
from pypdf.errors import PyPdfError

from angelia.adapters.readable.pdf import read
from tests.support.pdf import pdf


def encrypted() -> bytes:
    writer = PdfWriter(clone_from=io.BytesIO(pdf("secret")))
    writer.encrypt("password", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_every_page_is_read_in_order() -> None:
    reading = read(pdf("Hello first", "And second"))
    assert reading.text == "--- page 1 of 2 ---\nHello first\n\n--- page 2 of 2 ---\nAnd second"
    assert reading.note == reading.fault == ""


def test_of_many_pages_the_first_are_read_and_the_rest_is_told() -> None:
    reading = read(pdf("a", "b", "c"), pages=2)
    assert "page 3" not in reading.text
    assert reading.note == "only the first 2 of 3 pages"


def test_a_pdf_of_pictures_says_so() -> None:
    assert "no text" in read(pdf("")).fault


def test_an_encrypted_pdf_says_so() -> None:
    assert read(encrypted()).fault == "The PDF is encrypted and needs a password."


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4", b"%PDF-1.4\nnothing else\n%%EOF"])
def test_a_broken_pdf_is_a_fault_of_the_library(data: bytes) -> None:
    with pytest.raises(PyPdfError):
        read(data)
