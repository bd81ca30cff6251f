"""Reasoning details: opaque objects that some gateways stream in pieces and want back whole."""

from msgspec import DecodeError, Raw, json

Detail = dict[str, Raw]

# Details of these types come in pieces whose texts belong together.
_SPLIT = {b'"reasoning.text"': "text", b'"reasoning.summary"': "summary"}
_NULL = Raw(b"null")

_listed: json.Decoder[list[Detail] | None] = json.Decoder(list[Detail] | None)
_text: json.Decoder[str | None] = json.Decoder(str | None)


def read_details(details: Raw) -> list[Detail]:
    """Nothing if they are not the list of objects that they should be."""
    try:
        return _listed.decode(details) or []
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return []


def merge_details(pieces: list[Detail]) -> list[Detail]:
    """As they would have come in one answer without a stream."""
    groups: list[list[Detail]] = []
    for piece in pieces:
        if groups and _continues(groups[-1][0], piece):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return [_merge(group) for group in groups]


def _continues(first: Detail, piece: Detail) -> bool:
    same = all(
        bytes(first.get(name, _NULL)) == bytes(piece.get(name, _NULL)) for name in ("type", "index")
    )
    field = _SPLIT.get(bytes(piece.get("type", _NULL)))
    return same and field is not None and _is_text(first, field) and _is_text(piece, field)


def _is_text(detail: Detail, field: str) -> bool:
    return bytes(detail.get(field, _NULL))[:1] in (b'"', b"n")


def _merge(group: list[Detail]) -> Detail:
    if len(group) == 1:
        return group[0]
    field = _SPLIT[bytes(group[0]["type"])]
    texts = [_text.decode(piece.get(field, _NULL)) or "" for piece in group]
    merged: Detail = {}
    for piece in group:
        merged |= {name: value for name, value in piece.items() if bytes(value) != b"null"}
    return merged | {field: Raw(json.encode("".join(texts)))}
