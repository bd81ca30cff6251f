"""Whether a page fits: no phone is scrolled sideways, and axe finds nothing in the way."""

import pytest
from playwright.async_api import Page

from tests.console import axe
from tests.console.conftest import PHONE, WIDE

LOOKS = pytest.mark.parametrize(
    ("viewport", "scheme"),
    [(WIDE, "light"), (WIDE, "dark"), (PHONE, "light"), (PHONE, "dark")],
    ids=["wide, light", "wide, dark", "phone, light", "phone, dark"],
)
# How far the document and the part with the page can be scrolled sideways.
SIDEWAYS = """() => [document.documentElement, document.querySelector("main")]
  .map((each) => each.scrollWidth - each.clientWidth)"""


async def check(page: Page) -> None:
    assert await page.evaluate(SIDEWAYS) == [0, 0]
    await axe.check(page)
