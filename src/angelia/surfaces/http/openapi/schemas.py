"""JSON schemas of the Structs that requests are read into and answers are made of."""

import inspect as python
from collections.abc import Sequence
from typing import cast

from msgspec import NODEFAULT, Struct, inspect
from msgspec.structs import replace

from angelia.surfaces.http.openapi.choices import ListOf, OneOf
from angelia.surfaces.http.openapi.precise import FIELDS, REFUSED, WHOLE
from angelia.surfaces.http.openapi.shapes import Discriminator, Schema

_PLACE = "#/components/schemas/"


class Catalogue:
    """Every schema that something refers to, by name, made when it is first asked for.

    A request may leave out what has a default; an answer has all its fields, but for those of a
    Struct that omits defaults. What stands in both is described as in a request.
    """

    def __init__(self) -> None:
        self.schemas: dict[str, Schema] = {}
        self._owners: dict[str, type[Struct]] = {}

    def of(self, wanted: object, *, answer: bool = False) -> Schema:
        """`wanted` is a type, or one of those that no type can tell."""
        match wanted:
            case OneOf():
                return self._one_of(wanted, answer=answer)
            case ListOf(of=item, least=least, most=most):
                items = self.of(item, answer=answer)
                return Schema(type="array", items=items, min_items=least, max_items=most)
            case _:
                return _Reader(self, answer=answer).read(inspect.type_info(wanted))

    def _one_of(self, wanted: OneOf, *, answer: bool) -> Schema:
        if wanted.name is not None and wanted.name in self.schemas:
            return Schema(ref=_PLACE + wanted.name)
        options = Schema(any_of=tuple(self._option(each, answer=answer) for each in wanted.types))
        if wanted.name is None:
            return options
        self.schemas[wanted.name] = options
        return Schema(ref=_PLACE + wanted.name)

    def _option(self, wanted: object, *, answer: bool) -> Schema:
        option = self.of(wanted, answer=answer)
        tagged = isinstance(wanted, type) and issubclass(wanted, Struct)
        return _told_apart(inspect.type_info(wanted), option) if tagged else option

    def is_new(self, name: str, cls: type[Struct]) -> bool:
        """Whether the name is free; it is taken from here on."""
        if self._owners.setdefault(name, cls) is not cls:
            raise TypeError(f"{cls!r} and {self._owners[name]!r} are both called {name}")
        return name not in self.schemas


class _Reader:
    def __init__(self, catalogue: Catalogue, *, answer: bool) -> None:
        self._catalogue = catalogue
        self._schemas = catalogue.schemas
        self._answer = answer

    def read(self, info: inspect.Type) -> Schema:
        match info:
            case inspect.StructType():
                return self._struct(info)
            case inspect.UnionType(types=types):
                return self._union([each for each in types if not _is_refused(each)])
            case inspect.CollectionType():
                return Schema(
                    type="array",
                    items=self.read(info.item_type),
                    min_items=info.min_length,
                    max_items=info.max_length,
                )
            case inspect.TupleType(item_types=()):
                return Schema(type="array", max_items=0)
            case inspect.DictType():
                return self._mapping(info)
            case inspect.Metadata(type=inner):
                extra = cast("dict[str, str]", info.extra_json_schema or {})
                return replace(self.read(inner), description=extra.get("description"))
            case _:
                return _scalar(info)

    def _struct(self, info: inspect.StructType) -> Schema:
        name = _name(info.cls)
        if self._catalogue.is_new(name, info.cls):
            # A Struct may hold values of its own kind; they find the name taken.
            self._schemas[name] = Schema()
            self._schemas[name] = self._object(info)
        return Schema(ref=_PLACE + name)

    def _object(self, info: inspect.StructType) -> Schema:
        properties: dict[str, Schema] = {}
        required: list[str] = []
        if info.tag_field is not None:
            properties[info.tag_field] = Schema(const=info.tag)
            if self._answer:
                required.append(info.tag_field)
        for field in info.fields:
            properties[field.encode_name] = self._field(info.cls, field)
            if field.required or (self._answer and _always_there(info.cls, field)):
                required.append(field.encode_name)
        return Schema(
            type="object",
            description=_words(info.cls),
            properties=properties,
            required=tuple(required),
            any_of=WHOLE.get(info.cls, ()),
        )

    def _field(self, cls: type[Struct], field: inspect.Field) -> Schema:
        for owner in cls.__mro__:
            if (owner, field.name) in FIELDS:
                return self._catalogue.of(FIELDS[owner, field.name], answer=self._answer)
        return self.read(field.type)

    def _union(self, types: Sequence[inspect.Type]) -> Schema:
        options = [self.read(each) for each in types]
        if len(options) == 1:
            return options[0]
        tagged = [each for each in types if isinstance(each, inspect.StructType) and each.tag_field]
        if len(tagged) > 1:
            options = [_told_apart(*pair) for pair in zip(types, options, strict=True)]
        tags = {str(each.tag): _PLACE + _name(each.cls) for each in tagged}
        whole = len(tags) == len(types) and len({each.tag_field for each in tagged}) == 1
        shown = Discriminator(str(tagged[0].tag_field), tags) if whole else None
        return Schema(any_of=tuple(options), discriminator=shown)

    def _mapping(self, info: inspect.DictType) -> Schema:
        keys = self.read(info.key_type)
        bounded = keys.max_length is not None or keys.min_length is not None
        return Schema(
            type="object",
            additional_properties=self.read(info.value_type),
            property_names=keys if bounded else None,
            max_properties=info.max_length,
        )


def _told_apart(info: inspect.Type, option: Schema) -> Schema:
    """A tag may be left out unless it is what tells alternatives apart."""
    tag = info.tag_field if isinstance(info, inspect.StructType) else None
    return option if tag is None else replace(option, required=(tag,))


def _scalar(info: inspect.Type) -> Schema:
    match info:
        case inspect.AnyType() | inspect.RawType():
            return Schema()
        case inspect.CustomType(cls=cls) if cls is object:
            return Schema()
        case inspect.NoneType():
            return Schema(type="null")
        case inspect.BoolType():
            return Schema(type="boolean")
        case inspect.IntType() | inspect.FloatType():
            return Schema(
                type="integer" if isinstance(info, inspect.IntType) else "number",
                minimum=info.ge,
                maximum=info.le,
                exclusive_minimum=info.gt,
                exclusive_maximum=info.lt,
            )
        case inspect.StrType():
            return Schema(
                type="string",
                min_length=info.min_length,
                max_length=info.max_length,
                pattern=info.pattern,
            )
        case inspect.LiteralType(values=values):
            return Schema(enum=tuple(values))
        case _:
            raise TypeError(f"no JSON schema for {info!r}")


def _always_there(cls: type[Struct], field: inspect.Field) -> bool:
    absent = field.default is NODEFAULT and field.default_factory is NODEFAULT
    return not absent and not cls.__struct_config__.omit_defaults


def _is_refused(info: inspect.Type) -> bool:
    return isinstance(info, inspect.StructType) and info.cls in REFUSED


def _name(cls: type[Struct]) -> str:
    """The protocol and the name: `chat.RequestIn`."""
    folders = cls.__module__.split(".")
    protocol = folders[2] if folders[1] == "wire" and len(folders) > 3 else None
    return f"{protocol}.{cls.__name__}" if protocol else cls.__name__


def _words(cls: type[Struct]) -> str | None:
    own = cls.__dict__.get("__doc__")
    return python.cleandoc(own) if own else None
