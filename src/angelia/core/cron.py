"""The five fields of cron, checked one by one, so that an error can name the one that is wrong."""

import re

from msgspec import Struct

NICKNAMES = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")

_LONGEST = 200


class Field(Struct, frozen=True):
    """`names` stand for numbers from `least` on; `special` is what else may stand there."""

    name: str
    least: int
    most: int
    names: tuple[str, ...] = ()
    special: str = "(?!)"

    def fault(self, text: str) -> str | None:
        """What is wrong with the field, if anything is."""
        return next(filter(None, map(self._item_fault, text.split(","))), None)

    def _item_fault(self, item: str) -> str | None:
        if re.fullmatch(self.special, item):
            return None
        span, slash, step = item.partition("/")
        if slash and not (_is_number(step) and int(step) > 0):
            return self._wrong(item, "behind / stands a number from 1")
        if span == "*":
            return None
        values = [self._value(word) for word in span.split("-")]
        known = [value for value in values if value is not None]
        if len(known) < len(values) or len(values) > 2:
            return self._wrong(item, self._range)
        if known != sorted(known):
            return self._wrong(item, "a range goes from the lower to the higher")
        return None

    def _value(self, word: str) -> int | None:
        if word in self.names:
            return self.names.index(word) + self.least
        value = int(word) if _is_number(word) else -1
        return value if self.least <= value <= self.most else None

    @property
    def _range(self) -> str:
        named = f" or {self.names[0]} to {self.names[-1]}" if self.names else ""
        return f"it can be {self.least} to {self.most}{named}"

    def _wrong(self, item: str, why: str) -> str:
        return f"{item[:20]!r} is no {self.name}; {why}"


FIELDS = (
    Field("minute", 0, 59),
    Field("hour", 0, 23),
    Field("day of the month", 1, 31, special="LW?"),
    Field("month", 1, 12, MONTHS),
    Field("day of the week", 0, 7, DAYS, rf"[0-7]L|([0-7]|{'|'.join(DAYS)})#[1-5]"),
)


def looks_like(text: str) -> bool:
    """Whether somebody means cron by it, whatever is wrong with it."""
    return text[:1] in ("*", "@") or (text[:1].isdigit() and " " in text and "T" not in text[:12])


def check(text: str) -> tuple[str, str | None]:
    """The five fields as they are kept, and what is wrong with them, if anything is."""
    if text.startswith("@"):
        known = NICKNAMES.get(text.lower())
        fault = None if known else f"{text[:20]!r} is none of {', '.join(NICKNAMES)}"
        return known or text, fault
    words = text.upper().split()
    if len(words) != len(FIELDS):
        return text, f"cron has five fields, this has {len(words)}"
    if len(text) > _LONGEST:
        return text, f"it is longer than {_LONGEST} characters"
    faults = (field.fault(word) for field, word in zip(FIELDS, words, strict=True))
    return " ".join(words), next(filter(None, faults), None)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
