"""A page that is being written, block by block, as Markdown or as plain text."""

import re

# However a page is made, its text takes no more than this many characters.
MAX_LENGTH = 4_000_000
_SPACE = re.compile(r"\s+")
_ANCHORS = frozenset(("¶", "#", "§", "🔗", ""))


class _Quote:
    marker = "> "


class _Item:
    def __init__(self, marker: str) -> None:
        self.marker = marker
        self.is_new = True


class _Table:
    def __init__(self, *, is_layout: bool) -> None:
        self.is_layout = is_layout
        self.rows: list[list[str]] = []
        # What was being written when the cell was opened.
        self.around: list[str] | None = None


class Page:
    """What is said becomes blocks: paragraphs, headings, items, quotes, tables, code.

    Markup on the web is often wrong: things that are closed without having been opened do nothing.
    """

    def __init__(self, *, plain: bool) -> None:
        self.has_title = False
        self._plain = plain
        self._blocks: list[str] = []
        self._length = 0
        self._inline: list[str] = []
        self._spans: list[int] = []
        self._containers: list[_Quote | _Item] = []
        self._lists: list[int | None] = []
        self._tables: list[_Table] = []
        self._heading = 0
        self._was_item = False

    @property
    def is_full(self) -> bool:
        return self._length > MAX_LENGTH

    def text(self) -> str:
        self.end_block()
        return "".join(self._blocks)

    # ── words ───────────────────────────────────────────────────────────────────────────────

    def say(self, text: str) -> None:
        self._inline.append(_SPACE.sub(" ", text))
        self._length += len(text)

    def break_line(self) -> None:
        self._inline.append(" " if self._in_cell else "\n")

    def image(self, alt: str, address: str) -> None:
        alt = _SPACE.sub(" ", alt).strip()
        if not alt:
            return
        shown = alt if self._plain else f"![{alt}]({address})" if address else f"![{alt}]"
        self._inline.append(shown)
        self._length += len(shown)

    def open_span(self) -> None:
        self._spans.append(len(self._inline))

    def close_span(self, mark: str) -> None:
        said, before, after = self._span()
        if said and not self._plain:
            said = f"{mark}{said}{mark}"
        self._inline.append(before + said + after)

    def close_link(self, address: str) -> None:
        said, before, after = self._span()
        if said in _ANCHORS:
            said = ""
        elif address and not self._plain:
            said = f"[{said}]({address})"
            self._length += len(address)
        self._inline.append(before + said + after)

    def _span(self) -> tuple[str, str, str]:
        """What was said since the span was opened, and the space before and after it."""
        start = self._spans.pop() if self._spans else len(self._inline)
        said = "".join(self._inline[start:])
        del self._inline[start:]
        bare = said.strip()
        if not bare:
            return "", " " if said else "", ""
        return bare, said[: len(said) - len(said.lstrip())], said[len(said.rstrip()) :]

    # ── blocks ──────────────────────────────────────────────────────────────────────────────

    def end_block(self) -> None:
        if self._in_cell:
            self._inline.append(" ")
            return
        lines = [line.strip() for line in _lines("".join(self._inline))]
        self._inline.clear()
        self._spans = [0] * len(self._spans)
        text = "\n".join(lines).strip("\n")
        if text:
            self._emit(text)

    def open_heading(self, level: int) -> None:
        self.end_block()
        self._heading = level

    def close_heading(self) -> None:
        said = " ".join("".join(self._inline).split())
        if said and self._heading and not self._in_cell:
            self.has_title = self.has_title or self._heading == 1
            self._inline[:] = [said if self._plain else f"{'#' * self._heading} {said}"]
        self._heading = 0
        self.end_block()

    def code(self, text: str, language: str) -> None:
        if self._in_cell:
            self.say(text)
            return
        self.end_block()
        body = text.strip("\n")
        if not body.strip():
            return
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", body)), default=0))
        self._emit(body if self._plain else f"{fence}{language}\n{body}\n{fence}")

    def rule(self) -> None:
        self.end_block()
        if not self._in_cell:
            self._emit("---")

    def open_quote(self) -> None:
        self.end_block()
        self._containers.append(_Quote())

    def close_quote(self) -> None:
        self.end_block()
        self._drop(_Quote)

    # ── lists ───────────────────────────────────────────────────────────────────────────────

    def open_list(self, first: int | None) -> None:
        self.end_block()
        self._lists.append(first)

    def close_list(self) -> None:
        self.end_block()
        if self._lists:
            self._lists.pop()

    def open_item(self) -> None:
        self.end_block()
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        self._containers.append(_Item("- " if number is None else f"{number}. "))

    def close_item(self) -> None:
        self.end_block()
        self._drop(_Item)

    def _drop(self, kind: type[_Quote | _Item]) -> None:
        if self._containers and isinstance(self._containers[-1], kind):
            self._containers.pop()

    # ── tables ──────────────────────────────────────────────────────────────────────────────

    @property
    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].around is not None

    def open_table(self, *, is_layout: bool) -> None:
        # Inside a cell there is no room for another table: its words are what counts.
        inside = self._in_cell
        self.end_block()
        self._tables.append(_Table(is_layout=is_layout or inside))
        if inside:
            self._tables[-1].around = self._inline

    def close_table(self) -> None:
        if not self._tables:
            return
        self.end_block()
        table = self._tables.pop()
        if table.rows and not table.is_layout:
            self._emit(_drawn(table.rows, plain=self._plain))

    def open_cell(self, *, is_row: bool) -> None:
        if not self._tables or self._tables[-1].is_layout:
            self.end_block()
            return
        table = self._tables[-1]
        if is_row:
            self.end_block()
            table.rows.append([])
        elif table.around is None:
            self.end_block()
            table.around, self._inline = self._inline, []

    def close_cell(self, *, is_row: bool) -> None:
        if not self._tables or self._tables[-1].is_layout:
            self.end_block()
            return
        table = self._tables[-1]
        if is_row or table.around is None:
            return
        said = " ".join("".join(self._inline).split()).replace(
            "|", "\\|" if not self._plain else "|"
        )
        self._inline, table.around = table.around, None
        self._spans = [min(start, len(self._inline)) for start in self._spans]
        if not table.rows:
            table.rows.append([])
        table.rows[-1].append(said)

    # ── on paper ────────────────────────────────────────────────────────────────────────────

    def _emit(self, text: str) -> None:
        starts_item = any(isinstance(box, _Item) and box.is_new for box in self._containers)
        first, rest = self._prefixes()
        head, *tail = text.split("\n")
        block = "\n".join([first + head, *((rest + line).rstrip() for line in tail)])
        gap = "\n" if starts_item and self._was_item else "\n\n"
        self._blocks.append(gap + block if self._blocks else block)
        self._was_item = any(isinstance(box, _Item) for box in self._containers)
        self._length += len(first) + (len(rest) + 1) * len(tail)

    def _prefixes(self) -> tuple[str, str]:
        """What stands before the first line of a block, and before every other one."""
        first = rest = ""
        # Deeper than this, nobody can tell the levels apart.
        for box in self._containers[-12:]:
            match box:
                case _Quote():
                    first, rest = first + box.marker, rest + box.marker
                case _Item():
                    blank = " " * len(box.marker)
                    first, rest = first + (box.marker if box.is_new else blank), rest + blank
                    box.is_new = False
        return first, rest


def _lines(text: str) -> list[str]:
    return [re.sub(r" +", " ", line) for line in text.split("\n")]


def _drawn(rows: list[list[str]], *, plain: bool) -> str:
    rows = [row for row in rows if any(row)]
    if not rows:
        return ""
    width = min(max(len(row) for row in rows), 50)
    even = [[*row, *[""] * (width - len(row))][:width] for row in rows]
    if plain:
        return "\n".join("\t".join(row).rstrip() for row in even)
    lines = [f"| {' | '.join(row)} |" for row in even]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])
