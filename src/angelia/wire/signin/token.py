"""What stands for a key in a browser's cookie: signed, and good for a while.

key_first.1790000000.5f0c…
│         │          └ HMAC of what stands before it
│         └ when it ends, in seconds since the epoch
└ the id of the key, which need not be secret
"""

import hashlib
import hmac

from msgspec import Struct

LIFETIME = 30 * 24 * 3600
_PURPOSE = b"angelia: signed in from a browser"


class Signer(Struct, frozen=True):
    """Made of a secret that only this server has."""

    seal: bytes

    @property
    def cookie(self) -> str:
        """Browsers tell servers apart by their host alone, so the name tells which one it is."""
        return f"angelia-{hashlib.sha256(self.seal).hexdigest()[:8]}"

    def sign(self, key_id: str, now: float) -> str:
        text = f"{key_id}.{int(now) + LIFETIME}"
        return f"{text}.{self._mark(text)}"

    def key_of(self, token: str, now: float) -> str | None:
        """The id of the key, or None if the token is not ours or is over."""
        text, _, mark = token.rpartition(".")
        key_id, _, end = text.rpartition(".")
        # Compared as bytes: a cookie may hold anything.
        if not hmac.compare_digest(_bytes(self._mark(text)), _bytes(mark)):
            return None
        return key_id if float(end) > now else None

    def _mark(self, text: str) -> str:
        return hmac.new(self.seal, _bytes(text), hashlib.sha256).hexdigest()


def _bytes(text: str) -> bytes:
    """Of any text, also of one that cannot be sent."""
    return text.encode(errors="surrogatepass")


def signer(secret: str) -> Signer:
    return Signer(hmac.new(secret.encode(), _PURPOSE, hashlib.sha256).digest())
