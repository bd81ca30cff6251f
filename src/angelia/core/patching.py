"""Pieces of a text found and replaced: exactly where possible, nearly where that is plain.

    exact       as it stands, line endings aside
    trailing    but for white space at the ends of lines
    shifted     but for a constant indentation
    loose       but for white space and typographic characters inside lines
    similar     but for small differences in some lines

The first of these that fits anywhere decides. If it fits in several places, nothing is changed.
"""

import difflib
import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from angelia.errors import ToolError

# How much of two pieces must be the same for one to be taken for the other.
SIMILAR = 0.9
SIMILAR_LINES = 3
SHOWN_LINES = 12
SHOWN_WIDTH = 160
# Beyond that many lines the nearest place is not looked for line by line.
SOUGHT_LINES = 5_000

_TYPOGRAPHY = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ",
        "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u202f": " ", "\u2026": "...",
    }
)  # fmt: skip


class Patched(Struct, frozen=True):
    """`manner` is how the places were found, for people; empty where it was exact."""

    text: str
    places: int
    manner: str = ""


class _Span(Struct, frozen=True):
    """A piece of the text from `start` to `end`, and what takes its place."""

    start: int
    end: int
    new: str


def replaced(text: str, old: str, new: str, *, every: bool = False) -> Patched:
    """Raises ToolError where `old` is in no place, or in several and not `every` one is meant."""
    ending = "\r\n" if _is_crlf(text) else "\n"
    plain, old, new = _plain(text), _plain(old), _plain(new)
    if not old:
        raise ToolError("'old' is empty; give the text that is to be replaced.")
    if old == new:
        raise ToolError("'old' and 'new' are the same; nothing would change.")
    spans, manner = _exact(plain, old, new, overlapping=not every), ""
    if not spans:
        spans, manner = _nearly(plain, old, new)
    if not spans:
        raise ToolError(_nowhere(plain, old))
    if len(spans) > 1 and (not every or manner == _SIMILAR):
        raise ToolError(_ambiguous(plain, spans))
    return Patched(_put(text, plain, spans, ending), len(spans), manner)


# ── line endings ────────────────────────────────────────────────────────────────────────────


def _is_crlf(text: str) -> bool:
    """By what most lines end with."""
    return 2 * text.count("\r\n") > text.count("\n")


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")


def _put(text: str, plain: str, spans: Sequence[_Span], ending: str) -> str:
    """Replaces in the text what was found in its plain form; all around stays as it is."""
    places = _places(text) if len(text) != len(plain) else None
    pieces: list[str] = []
    at = 0
    for span in spans:
        start = places[span.start] if places else span.start
        pieces += (text[at:start], span.new.replace("\n", ending))
        at = places[span.end] if places else span.end
    return "".join((*pieces, text[at:]))


def _places(text: str) -> list[int]:
    """Where each character of the plain form, and its end, stands in the text."""
    places = [i for i, char in enumerate(text) if char != "\r" or text[i + 1 : i + 2] != "\n"]
    # A line feed begins where the return before it does.
    places = [i - 1 if text[i] == "\n" and text[i - 1 : i] == "\r" else i for i in places]
    return [*places, len(text)]


# ── finding ─────────────────────────────────────────────────────────────────────────────────


def _exact(text: str, old: str, new: str, *, overlapping: bool) -> list[_Span]:
    """Places that overlap are told apart too, where one of them must be the one."""
    spans: list[_Span] = []
    at = text.find(old)
    while at >= 0:
        spans.append(_Span(at, at + len(old), new))
        at = text.find(old, at + (1 if overlapping else len(old)))
    return spans


class _Lines:
    """A text as lines without their ends, and where each begins."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.starts[-1] = len(text)

    def span(self, first: int, count: int, new: Sequence[str]) -> _Span:
        """Whole lines, without the end of the last one."""
        last = first + count - 1
        end = self.starts[last] + len(self.lines[last])
        start = self.starts[first]
        if not new and last + 1 < len(self.lines):
            end = self.starts[last + 1]
        return _Span(start, end, "\n".join(new))


Fits = Callable[[str], str]

# Places found so may overlap, so there is never more than one meant.
_SIMILAR = "some lines differ a little"
_LEVELS: tuple[tuple[str, Fits], ...] = (
    ("white space at the ends of lines differs", str.rstrip),
    ("indentation differs", str.strip),
    ("white space or typography differs", lambda line: _loose(line)),
)


def _nearly(text: str, old: str, new: str) -> tuple[list[_Span], str]:
    wanted, there = _wanted(old), _Lines(text)
    fresh = _wanted(new) if new else []
    if not any(line.strip() for line in wanted):
        return [], ""
    for manner, form in _LEVELS:
        places = _windows(there.lines, wanted, form)
        spans = [_fitted(there, place, wanted, fresh) for place in places]
        if spans:
            return spans, manner
    places = _similar(there.lines, wanted)
    return [_fitted(there, place, wanted, fresh) for place in places], _SIMILAR


def _wanted(text: str) -> list[str]:
    """Its lines; one that is empty at the end only says that the last line is whole."""
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


def _loose(line: str) -> str:
    return re.sub(r"\s+", " ", line.translate(_TYPOGRAPHY)).strip()


def _windows(lines: Sequence[str], wanted: Sequence[str], form: Fits) -> list[int]:
    """Where as many lines in a row have the form of the wanted ones; none overlaps another."""
    formed, sought = [form(line) for line in lines], [form(line) for line in wanted]
    found: list[int] = []
    first = next((n for n, line in enumerate(sought) if line), 0)
    for at, line in enumerate(formed):
        start = at - first
        if line != sought[first] or start < 0 or (found and start < found[-1] + len(sought)):
            continue
        if formed[start : start + len(sought)] == sought:
            found.append(start)
    return found


def _similar(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Half of the lines must be the same, so that what is compared closely is little."""
    if len(wanted) < SIMILAR_LINES:
        return []
    stripped, sought = [line.strip() for line in lines], [line.strip() for line in wanted]
    scored = [
        (_ratio(stripped[at : at + len(sought)], sought), at)
        for at in range(len(lines) - len(sought) + 1)
        if 2 * sum(a == b for a, b in zip(stripped[at:], sought, strict=False)) >= len(sought)
    ]
    return [at for score, at in scored if score >= SIMILAR]


def _ratio(one: Sequence[str], other: Sequence[str]) -> float:
    return difflib.SequenceMatcher(None, "\n".join(one), "\n".join(other), autojunk=False).ratio()


def _fitted(there: _Lines, place: int, wanted: Sequence[str], new: Sequence[str]) -> _Span:
    """What the change makes of the lines that are really there.

    A line that is the same in `wanted` and `new` stays as it is; others take the indentation that
    is found there.
    """
    found = there.lines[place : place + len(wanted)]
    shift = _shift(wanted, found)
    lines: list[str] = []
    matcher = difflib.SequenceMatcher(None, wanted, new, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            lines += found[start:end]
        elif kind in ("replace", "insert"):
            lines += [shift(line) for line in new[first:last]]
    return there.span(place, len(wanted), lines)


def _shift(wanted: Sequence[str], found: Sequence[str]) -> Callable[[str], str]:
    """How the indentation of the wanted lines becomes that of those found, if it is constant."""
    pairs = [(_indent(w), _indent(f)) for w, f in zip(wanted, found, strict=True) if w.strip()]
    asked, real = pairs[0]
    if all(f == real + w[len(asked) :] and w.startswith(asked) for w, f in pairs):
        return lambda line: real + line[len(asked) :] if line.startswith(asked) and line else line
    if all(w == asked + f[len(real) :] and f.startswith(real) for w, f in pairs):
        return lambda line: real + line[len(asked) :] if line.startswith(asked) else line.lstrip()
    return lambda line: line


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


# ── faults ──────────────────────────────────────────────────────────────────────────────────


def _ambiguous(text: str, spans: Sequence[_Span]) -> str:
    numbers = [text.count("\n", 0, span.start) + 1 for span in spans[:10]]
    more = ", …" if len(spans) > len(numbers) else ""
    lines = ", ".join(map(str, numbers))
    return (
        f"'old' fits in {len(spans)} places (lines {lines}{more}). Give more of the lines around "
        "the one that is meant, or set 'all' to replace every one."
    )


def _nowhere(text: str, old: str) -> str:
    if not text:
        return "'old' was not found: the file is empty."
    lines, wanted = text.split("\n"), _wanted(old)
    place = _nearest(lines, wanted)
    if place is None:
        return f"'old' was not found in the file, which has {len(lines):,} lines. Read it again."
    shown = lines[place : place + min(max(len(wanted), 1), SHOWN_LINES)]
    numbered = "\n".join(f"{place + n + 1:>6}\t{s[:SHOWN_WIDTH]}" for n, s in enumerate(shown))
    return f"'old' was not found. The nearest place begins at line {place + 1}:\n{numbered}"


def _nearest(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """By lines that are the same, else by the longest wanted line."""
    sought = {line.strip(): n for n, line in reversed(list(enumerate(wanted))) if line.strip()}
    scores: dict[int, int] = {}
    for at, line in enumerate(lines):
        if (n := sought.get(line.strip())) is not None:
            place = max(0, at - n)
            scores[place] = scores.get(place, 0) + 1
    if scores:
        return max(scores, key=lambda place: (scores[place], -place))
    if not sought or len(lines) > SOUGHT_LINES:
        return None
    longest = max(sought, key=len)[:SHOWN_WIDTH]
    ratios = [_quick(longest, line.strip()[:SHOWN_WIDTH]) for line in lines]
    best = max(range(len(lines)), key=ratios.__getitem__)
    return max(0, best - sought[max(sought, key=len)]) if ratios[best] > 0.6 else None


def _quick(one: str, other: str) -> float:
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() > 0.6 < matcher.quick_ratio() else 0.0
