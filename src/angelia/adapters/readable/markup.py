"""HTML as a reader sees it: Markdown or plain text of the main content."""

import re
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from angelia.adapters.readable.shapes import Reading
from angelia.adapters.readable.writing import Page

MAX_NODES = 400_000
# Less than this is a placeholder, not the content of a page.
_ENOUGH = 200
_MAIN = ("main", '[role="main"]', "article", "#main-content", "#content", "#bodyContent")
# fmt: off
_UNSEEN = frozenset((
    "script", "style", "noscript", "template", "svg", "canvas", "iframe", "object", "embed",
    "head", "select", "button", "input", "textarea", "dialog", "nav", "audio", "video", "map",
    "datalist",
))
_BLOCKS = frozenset((
    "address", "aside", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption",
    "figure", "footer", "form", "header", "hgroup", "legend", "p", "section", "summary",
))
# fmt: on
# Around the content of a page; inside an article they belong to it.
_AROUND = frozenset(("header", "footer", "aside"))
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MARKS = {
    "strong": "**",
    "b": "**",
    "em": "*",
    "i": "*",
    "del": "~~",
    "s": "~~",
    "code": "`",
    "kbd": "`",
    "samp": "`",
}
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush)[-:]\s*([A-Za-z0-9+#_-]{1,20})")


def read(html: str, url: str, *, plain: bool) -> Reading:
    tree = LexborHTMLParser(html)
    title = _title(tree)
    page = Page(plain=plain)
    root = _main(tree)
    if root is None:
        return Reading(title)
    cut = _Walk(page, _origin(tree, url), inside=root.tag != "body").go(root)
    text = page.text()
    if title and not page.has_title:
        text = f"{title if plain else f'# {title}'}\n\n{text}"
    return Reading(text.strip(), "the page is longer than can be read" if cut else "")


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return " ".join(node.text().split())[:300] if node else ""


def _origin(tree: LexborHTMLParser, url: str) -> str:
    node = tree.css_first("base[href]")
    return urljoin(url, (node.attributes.get("href") or "")[:2_000]) if node else url


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    for selector in _MAIN:
        found = tree.css(selector)
        if len(found) == 1 and _length(found[0]) >= _ENOUGH:
            return found[0]
    return tree.body


def _length(node: LexborNode) -> int:
    return len(" ".join(node.text().split()))


class _Walk:
    """Goes through a tree without recursion: pages may nest as deep as they like."""

    def __init__(self, page: Page, origin: str, *, inside: bool) -> None:
        self._page = page
        self._origin = origin
        # How many articles and main parts are open.
        self._inside = int(inside)

    def go(self, root: LexborNode) -> bool:
        """Whether something was left out because it is too much."""
        node, left = root.first_child, MAX_NODES
        while node is not None:
            left -= 1
            if left < 0 or self._page.is_full:
                return True
            below = node.first_child if self._enter(node) else None
            node = below or self._on(node, root)
        return False

    def _on(self, node: LexborNode, root: LexborNode) -> LexborNode | None:
        """The node that comes after this one and all below it."""
        here: LexborNode | None = node
        while here is not None and here.mem_id != root.mem_id:
            self._leave(here)
            if here.next is not None:
                return here.next
            here = here.parent
        return None

    def _enter(self, node: LexborNode) -> bool:
        """Whether what is below is to be read."""
        tag = node.tag
        if tag == "-text":
            self._page.say(node.text_content or "")
        elif not tag or not tag[0].isalpha() or self._is_unseen(node, tag):
            return False
        else:
            return self._open(node, tag)
        return False

    def _is_unseen(self, node: LexborNode, tag: str) -> bool:
        if tag in _UNSEEN or (tag in _AROUND and not self._inside):
            return True
        given = node.attributes
        return (
            "hidden" in given
            or given.get("aria-hidden") == "true"
            or given.get("role") == "navigation"
            or bool(_HIDDEN.search(given.get("style") or ""))
        )

    def _open(self, node: LexborNode, tag: str) -> bool:
        page = self._page
        match tag:
            case "article" | "main":
                self._inside += 1
                page.end_block()
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                page.open_heading(int(tag[1]))
            case "ul" | "ol" | "menu":
                page.open_list(_first_number(node) if tag == "ol" else None)
            case "li":
                page.open_item()
            case "blockquote":
                page.open_quote()
            case "pre":
                page.code(node.text(), _language(node))
                return False
            case "table":
                page.open_table(is_layout=_is_layout(node))
            case "tr" | "td" | "th":
                page.open_cell(is_row=tag == "tr")
            case "br":
                page.break_line()
            case "hr":
                page.rule()
            case "img":
                page.image(node.attributes.get("alt") or "", self._address(node, "src"))
            case "a":
                page.open_span()
            case _ if tag in _MARKS:
                page.open_span()
            case _ if tag in _BLOCKS:
                page.end_block()
            case _:
                pass
        return True

    def _leave(self, node: LexborNode) -> None:
        """Only what was opened: what is unseen was never entered."""
        tag, page = node.tag or "", self._page
        if not tag or not tag[0].isalpha() or tag == "pre" or self._is_unseen(node, tag):
            return
        match tag:
            case "article" | "main":
                self._inside -= 1
                page.end_block()
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                page.close_heading()
            case "ul" | "ol" | "menu":
                page.close_list()
            case "li":
                page.close_item()
            case "blockquote":
                page.close_quote()
            case "table":
                page.close_table()
            case "tr" | "td" | "th":
                page.close_cell(is_row=tag == "tr")
            case "a":
                page.close_link(self._address(node, "href"))
            case _ if tag in _MARKS:
                page.close_span(_MARKS[tag])
            case _ if tag in _BLOCKS:
                page.end_block()
            case _:
                pass

    def _address(self, node: LexborNode, attribute: str) -> str:
        """Empty for what leads nowhere outside the page."""
        given = (node.attributes.get(attribute) or "").strip()
        if not given or given.startswith("#") or len(given) > 2_000:
            return ""
        try:
            whole = urljoin(self._origin, given)
        except ValueError:
            return ""
        return whole if whole.startswith(("http://", "https://", "mailto:")) else ""


def _first_number(node: LexborNode) -> int:
    start = node.attributes.get("start") or "1"
    return int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1


def _language(node: LexborNode) -> str:
    child = node.first_child
    parent = node.parent
    for place in (node, child, parent):
        given = (
            (place.attributes.get("class") or "") if place is not None and place.attributes else ""
        )
        if found := _LANGUAGE.search(given):
            return found[1]
    return ""


def _is_layout(node: LexborNode) -> bool:
    """A table around tables says where things stand, not what belongs together."""
    return node.attributes.get("role") == "presentation" or len(node.css("table")) > 1
