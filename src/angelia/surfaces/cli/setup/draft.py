"""What is to be written: a provider, a model at it, and the agent that asks it, as TOML."""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from angelia.config import VENDORS, ConfigError, Protocol, Secret, Settings, settle

HEAD = "# Written by `angelia setup`; every setting is on the page about configuration.\n\n"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_AGENT = re.compile(r"^\[agent\][^\n]*\n?", re.MULTILINE)
_MODEL_LINE = re.compile(r"^[ \t]*model[ \t]*=[^\n]*\n?", re.MULTILINE)
_NEXT_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


class Draft(Struct, frozen=True):
    """`provider` and `name` are names of ours, `model` is what the provider calls it.

    `old_provider` and `old_model` stand in the file already, as they should.
    """

    provider: str
    base_url: str | None
    protocol: Protocol | None
    model: str
    name: str
    key_env: str | None = None
    key: Secret | None = None
    context_tokens: int | None = None
    old_provider: bool = False
    old_model: bool = False


def own_name(model: str, taken: Collection[str] = ()) -> str:
    """A name of ours for what a provider calls a model; without colons and what needs care."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-.") or "model"
    return _free(plain, {*taken, "demo", "default"})


def _free(name: str, taken: Collection[str]) -> str:
    free, number = name, 2
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free


# ── into a file that is there ───────────────────────────────────────────────────────────────


class _Place(Struct, frozen=True):
    base_url: str | None = None
    protocol: str | None = None
    keys: tuple[str, ...] = ()
    key_envs: tuple[str, ...] = ()


class _Model(Struct, frozen=True):
    provider: str
    name: str | None = None


class _Document(Struct, frozen=True):
    """What a file says of providers and models, as far as it matters here."""

    providers: dict[str, _Place] = {}
    models: dict[str, _Model] = {}


def _document(text: str) -> _Document:
    return msgspec.convert(tomllib.loads(text), _Document)


def fitted(draft: Draft, old: str) -> Draft:
    """The draft with names that clash with nothing in a file; what is there is not repeated."""
    there, ours = _document(old), _document(tables(draft))
    if there.providers.get(draft.provider) == ours.providers[draft.provider]:
        draft = replace(draft, old_provider=True)
    elif draft.provider in there.providers:
        draft = _renamed(draft, there.providers)
    for name, model in there.models.items():
        if (model.provider, model.name or name) == (draft.provider, draft.model):
            return replace(draft, name=name, old_model=True)
    return replace(draft, name=own_name(draft.model, there.models))


def _renamed(draft: Draft, taken: Collection[str]) -> Draft:
    """Under another name it has to be said where a vendor is."""
    vendor = next((vendor for vendor in VENDORS if vendor.name == draft.provider), None)
    base_url = draft.base_url or (vendor.base_url if vendor else None)
    return replace(draft, provider=_free(draft.provider, taken), base_url=base_url)


def added(text: str, draft: Draft) -> str:
    """An existing file with the draft in it, and the default agent asking its model.

    Everything else stays, comments as well.
    """
    agent = _AGENT.search(text)
    line = f"model = {_value(draft.name)}\n"
    if agent is None:
        text = f"{text.rstrip()}\n\n[agent]\n{line}"
    else:
        following = _NEXT_TABLE.search(text, agent.end())
        end = following.start() if following else len(text)
        rest = _MODEL_LINE.sub("", text[agent.end() : end])
        head = text[: agent.end()].rstrip("\n")
        text = f"{head}\n{line}{rest}{text[end:]}"
    return f"{text.rstrip()}\n\n{tables(draft)}".lstrip().rstrip() + "\n"


def kept(old: str, new: str, draft: Draft) -> bool:
    """Whether the new text says all that the old one said, but for the agent's model."""
    before, after = tomllib.loads(old), tomllib.loads(new)
    fresh: dict[str, set[str]] = {
        "providers": set() if draft.old_provider else {draft.provider},
        "models": set() if draft.old_model else {draft.name},
        "agent": {"model"},
    }
    for document in (before, after):
        for table, names in fresh.items():
            rest = {name: v for name, v in document.pop(table, {}).items() if name not in names}
            document.update({table: rest} if rest else {})
    return before == after


# ── text ────────────────────────────────────────────────────────────────────────────────────


def whole(draft: Draft) -> str:
    """A file of its own."""
    return f"{HEAD}{tables(draft)}\n{asking(draft)}"


def shown(draft: Draft) -> str:
    """What is written, for people."""
    return f"{tables(draft, masked=True)}\n{asking(draft)}".lstrip()


def tables(draft: Draft, *, masked: bool = False) -> str:
    """The provider and the model. `masked` is for showing: no key stands in it."""
    key = None if draft.key is None else "…" if masked else draft.key.reveal()
    place = {
        "base_url": draft.base_url,
        "protocol": draft.protocol,
        "key_envs": [draft.key_env] if draft.key_env else None,
        "keys": [key] if key else None,
    }
    model = {
        "provider": draft.provider,
        "name": draft.model if draft.model != draft.name else None,
        "context_tokens": draft.context_tokens,
    }
    parts = (
        "" if draft.old_provider else _table(f"providers.{_key(draft.provider)}", place),
        "" if draft.old_model else _table(f"models.{_key(draft.name)}", model),
    )
    return "\n".join(part for part in parts if part)


def asking(draft: Draft) -> str:
    """The default agent, which asks the model."""
    return _table("agent", {"model": draft.name})


def settled(text: str, draft: Draft, environ: Mapping[str, str], home: Path) -> Settings:
    """What the text amounts to; ConfigError if the draft's model is not the one it asks."""
    plain = {name: value for name, value in environ.items() if not name.startswith("ANGELIA_")}
    settings = settle(text, plain, home)
    if [model.name for model in settings.chain[:1]] != [draft.name]:
        raise ConfigError("The file names the model and does not ask it.")
    return settings


def _table(name: str, entries: Mapping[str, str | int | list[str] | None]) -> str:
    lines = [f"{key} = {_value(entry)}" for key, entry in entries.items() if entry is not None]
    return "\n".join([f"[{name}]", *lines]) + "\n"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _value(name)


def _value(entry: str | int | list[str]) -> str:
    """Text of TOML is text of JSON, but for the one character that JSON leaves as it is."""
    return json.dumps(entry, ensure_ascii=False).replace("\x7f", "\\u007f")
