"""What a surface is given to work with."""

from msgspec import Struct

from angelia.config import Settings
from angelia.ports import Clock, OutputStore
from angelia.runtime.keyring import Keyring
from angelia.runtime.runs import Runs


class Services(Struct, frozen=True):
    """`secret` is the key of the home folder; `fresh_key` says that this start made it."""

    settings: Settings
    runs: Runs
    keyring: Keyring
    outputs: OutputStore
    clock: Clock
    sandbox_level: str
    secret: str
    fresh_key: bool
