"""Names of responses and their items, derived from the run they are views of.

A response is a leg of a run: what follows the entry `after`, up to an end or the client's turn.
An item is named after its response and its place: `o` and the entry that opened it, or `i` and its
number among the items that came in.
"""

import re

from msgspec import Struct

_RESPONSE = re.compile(r"resp_([^_]+)(?:_([1-9]\d*))?")
_ITEM = re.compile(r"(?:msg|rs|fc|fco|mcp|mcpr|mcpa|cmp)_([^_]+(?:_[1-9]\d*)?)_[io]\d+(?:x\d+)?")


class Leg(Struct, frozen=True):
    run_id: str
    after: int


def response_id(run_id: str, after: int = 0) -> str:
    suffix = run_id.removeprefix("run_")
    return f"resp_{suffix}_{after}" if after else f"resp_{suffix}"


def leg_of(response: str) -> Leg | None:
    """Where to read; None for an id that is not one of a response."""
    found = _RESPONSE.fullmatch(response)
    return None if found is None else Leg(f"run_{found[1]}", int(found[2] or 0))


def output_id(kind: str, response: str, seq: int, nth: int = 0) -> str:
    """The id of the `nth` item that the entry `seq` opened."""
    suffix = response.removeprefix("resp_")
    return f"{kind}_{suffix}_o{seq}x{nth}" if nth else f"{kind}_{suffix}_o{seq}"


_REQUEST = re.compile(r"mcpr_([^_]+)(?:_[1-9]\d*)?_o(\d{1,18})(?:x(\d{1,6}))?")


class Question(Struct, frozen=True):
    """The `nth` thing that a person was asked by the entry `seq`."""

    run_id: str
    seq: int
    nth: int


def question_of(item: str) -> Question | None:
    """Where the approval request of this id stands; None for an id that is not one of ours."""
    found = _REQUEST.fullmatch(item)
    return None if found is None else Question(f"run_{found[1]}", int(found[2]), int(found[3] or 0))


def input_id(kind: str, response: str, number: int) -> str:
    return f"{kind}_{response.removeprefix('resp_')}_i{number}"


def owner_of(item: str) -> str | None:
    """The response that an item belongs to; None for an id that is not one of ours."""
    found = _ITEM.fullmatch(item)
    return None if found is None else f"resp_{found[1]}"
