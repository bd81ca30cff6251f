"""Seals on what the scripted model thought: whoever minted one knows it again."""

from hashlib import sha256

from msgspec import Struct


class Mint(Struct, frozen=True):
    """Servers with the same mint take each other's seals, as those of one vendor do."""

    name: str = "script"

    def seal(self, *words: str) -> str:
        """Holds for these words alone."""
        return sha256("\0".join((self.name, *words)).encode()).hexdigest()[:32]
