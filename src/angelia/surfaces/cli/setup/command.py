"""What `angelia setup` does: finds, asks, tries, shows, writes."""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from typing import Protocol as Shape

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console

from angelia.config import (
    FILE,
    ConfigError,
    ModelSettings,
    ProviderSettings,
    Secret,
    home_folder,
    settle,
)
from angelia.errors import RequestError, UpstreamError
from angelia.surfaces.cli.exits import Exit
from angelia.surfaces.cli.local import look
from angelia.surfaces.cli.setup import draft as drafts
from angelia.surfaces.cli.setup import keeping
from angelia.surfaces.cli.setup.draft import Draft
from angelia.surfaces.cli.setup.places import (
    Place,
    candidates,
    checked_protocol,
    custom,
    named,
)
from angelia.surfaces.cli.setup.talk import Talk
from angelia.wire.offers import NoOffers, Offer, Offered, Offers

PATIENCE = 10.0
_OTHER = "another server, by its address"
# Variables that go before the file, whatever stands in it.
_STRONGER = ("ANGELIA_BASE_URL", "ANGELIA_MODEL")


class Asking(Shape):
    async def ask_once(self, model: ModelSettings) -> str | None: ...
    async def offers(self, provider: ProviderSettings, seconds: float) -> Offered: ...


class Wishes(Struct, frozen=True):
    """What was said on the command line; None is asked for."""

    provider: str | None = None
    base_url: str | None = None
    protocol: str | None = None
    model: str | None = None
    key_env: str | None = None
    key: bool = False
    test: bool = True
    yes: bool = False
    force: bool = False


class Setup:
    def __init__(
        self, parts: Asking, wishes: Wishes, ports: Sequence[int], home: Path | None
    ) -> None:
        if wishes.key and wishes.key_env is not None:
            raise RequestError("--key and --key-env exclude each other; keep one.")
        self._parts = parts
        self._wishes = wishes
        self._ports = ports
        self._home = home_folder(os.environ, home)
        self._talk = Talk(Console(highlight=False, emoji=False), quiet=wishes.yes)

    def go(self) -> Exit:
        file = self._home / FILE
        old = keeping.read(file)
        if old is not None:
            self._check(old)
        draft = self._chosen()
        while not self._works(draft):
            match self._way_out():
                case "again":
                    continue
                case "choose":
                    self._wishes = Wishes(force=self._wishes.force)
                    draft = self._chosen()
                case "write":
                    break
                case "stop":
                    self._talk.say("Nothing was written.", "yellow")
                    return Exit.FAILED
        return self._written(draft, file, old)

    def _way_out(self) -> Literal["again", "choose", "write", "stop"]:
        """What to do about a model that does not answer; nobody to ask means to stop."""
        if self._wishes.yes:
            return "stop"
        lines = ("try again", "choose again", "write it anyway", "stop")
        ways: tuple[Literal["again", "choose", "write", "stop"], ...]
        ways = ("again", "choose", "write", "stop")
        return ways[self._talk.choose("What now?", lines)]

    def _check(self, old: str) -> None:
        """A file that is broken is not added to; it is replaced only on demand."""
        try:
            settle(old, os.environ, self._home)
        except ConfigError as error:
            if not self._wishes.force:
                raise ConfigError(f"{error} Correct it, or replace it with --force.") from error

    # ── choosing ────────────────────────────────────────────────────────────────────────

    def _chosen(self) -> Draft:
        place = self._place()
        protocol = checked_protocol(self._wishes.protocol)
        if protocol is not None:
            place = replace(place, protocol=protocol)
        draft = Draft(
            provider=place.name,
            base_url=self._wishes.base_url or place.base_url,
            protocol=protocol or (place.protocol if place.protocol != "chat" else None),
            model="",
            name="",
        )
        variable, key = self._key(place)
        draft = replace(draft, key_env=variable, key=key)
        offer = self._model(place, draft)
        name = drafts.own_name(offer.name)
        return replace(draft, model=offer.name, name=name, context_tokens=offer.context_tokens)

    def _place(self) -> Place:
        wishes = self._wishes
        found = ()
        if wishes.base_url is None:
            self._talk.say("Looking for model servers on this machine …", "dim")
            found = asyncio.run(look(self._parts.offers, self._ports))
        known = candidates(found, os.environ)
        if wishes.provider is not None and (place := named(wishes.provider, known)):
            return place if wishes.base_url is None else replace(place, address=wishes.base_url)
        if wishes.base_url is not None:
            return custom(wishes.base_url, wishes.protocol, wishes.provider)
        if wishes.provider is not None:
            address = self._talk.ask(f"Address of {wishes.provider}", None, "--base-url")
            return custom(address, wishes.protocol, wishes.provider)
        return self._picked(known)

    def _picked(self, known: Sequence[Place]) -> Place:
        if self._wishes.yes and (known[0].needs_key and known[0].variable is None):
            raise RequestError(
                "No model server was found on this machine, and no provider's key is in the "
                "environment; give --provider or --base-url."
            )
        lines = (*(place.line for place in known), _OTHER)
        number = self._talk.choose("Where is the model?", lines)
        if number < len(known):
            return known[number]
        address = self._talk.ask("Address, such as http://127.0.0.1:9100/v1", None, "--base-url")
        return custom(address, self._wishes.protocol)

    def _key(self, place: Place) -> tuple[str | None, Secret | None]:
        """A variable that holds it, or the key itself."""
        if self._wishes.key_env is not None:
            return self._wishes.key_env, None
        if self._wishes.key:
            return None, self._typed(f"Key for {place.title}")
        if place.variable is not None:
            return place.variable, None
        if self._wishes.yes or not (place.needs_key or place.may_need_key):
            if place.needs_key:
                raise RequestError(f"{place.title} needs a key; give --key-env or --key.")
            return None, None
        if place.needs_key:
            return None, self._typed(f"Key for {place.title}")
        return None, _secret(self._talk.secret("Key, or nothing if it needs none"))

    def _typed(self, question: str) -> Secret:
        while True:
            if (key := _secret(self._talk.secret(question))) is not None:
                return key
            if self._wishes.yes:
                raise RequestError("The key is empty.")

    def _model(self, place: Place, draft: Draft) -> Offer:
        """Chosen from what the provider offers, as far as it tells."""
        if self._wishes.model is not None and not self._wishes.test:
            return Offer(self._wishes.model)
        models = self._offers(draft)
        usual = place.usual if place.usual in models or not models else next(iter(models))
        name = self._wishes.model or self._talk.name(
            "Model, by number or name" if models else "Model", tuple(models), usual, "--model"
        )
        return models.get(name, Offer(name))

    def _offers(self, draft: Draft) -> dict[str, Offer]:
        provider = self._settled(replace(draft, model="trial", name="trial")).provider
        match asyncio.run(self._parts.offers(provider, PATIENCE)):
            case NoOffers(message=message):
                self._talk.say(f"! {message}", "yellow")
                return {}
            case Offers(models=models):
                return {offer.name: offer for offer in models}

    def _settled(self, draft: Draft) -> ModelSettings:
        text = drafts.whole(draft)
        return drafts.settled(text, draft, os.environ, self._home).chain[0]

    # ── trying and writing ──────────────────────────────────────────────────────────────

    def _works(self, draft: Draft) -> bool:
        if not self._wishes.test:
            return True
        self._talk.say(f"Asking {draft.model} for a word …", "dim")
        begun = time.perf_counter()
        try:
            reported = asyncio.run(self._parts.ask_once(self._settled(draft)))
        except UpstreamError as error:
            self._talk.say(f"✗ {error.message}", "red")
            return False
        seconds = time.perf_counter() - begun
        known_as = f" as {reported}" if reported and reported != draft.model else ""
        self._talk.say(f"✓ {draft.model} answers{known_as}, in {seconds:.1f} s", "green")
        return True

    def _written(self, draft: Draft, file: Path, old: str | None) -> Exit:
        text, shown = self._text(draft, old)
        if text == old:
            self._talk.say(f"✓ {file} says so already", "green")
            return Exit.COMPLETED
        verb = "Add this to" if old is not None and not self._wishes.force else "Write this to"
        self._talk.say()
        self._talk.show(shown)
        self._talk.say()
        if not self._talk.confirm(f"{verb} {file}?"):
            self._talk.say("Nothing was written.", "yellow")
            return Exit.FAILED
        backup = keeping.write(file, text, private=draft.key is not None)
        self._talk.say(f"✓ {file} is written", "green")
        if backup is not None:
            self._talk.say(f"  what was there is in {backup.name}", "dim")
        for variable in _STRONGER:
            if os.environ.get(variable):
                self._talk.say(f"! {variable} is set and goes before the file", "yellow")
        self._talk.say()
        self._talk.say("Next: angelia models, then angelia serve")
        return Exit.COMPLETED

    def _text(self, draft: Draft, old: str | None) -> tuple[str, str]:
        """The file to be, and what is shown of it."""
        if old is None or self._wishes.force:
            drafts.settled(text := drafts.whole(draft), draft, os.environ, self._home)
            return text, drafts.shown(draft)
        draft = drafts.fitted(draft, old)
        text = drafts.added(old, draft)
        drafts.settled(text, draft, os.environ, self._home)
        if not drafts.kept(old, text, draft):
            raise ConfigError(f"{FILE} cannot be added to; replace it with --force.")
        return text, drafts.shown(draft)


def _secret(text: str) -> Secret | None:
    return Secret(text) if text else None
