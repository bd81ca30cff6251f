"""Whether people can use a page who do not see it, or use it without a mouse, as axe judges it."""

from pathlib import Path

from playwright.async_api import Page

SOURCE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
GRAVE = {"serious", "critical"}
RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, impact, help, nodes }) => ({
    id, impact, help, nodes: nodes.slice(0, 5).map((node) => node.html.slice(0, 300)),
  }));
}"""


async def check(page: Page) -> None:
    """Nothing that stands in somebody's way is left on the page as it is now."""
    if not await page.evaluate("typeof axe === 'object'"):
        # The page's policy lets no script in by an element; what is evaluated is not bound by it.
        await page.evaluate(SOURCE.read_text())
    found = await page.evaluate(RUN)
    grave = [each for each in found if each["impact"] in GRAVE]
    assert grave == [], "\n".join(
        f"{each['id']}: {each['help']}\n  " + "\n  ".join(each["nodes"]) for each in grave
    )
