"""What a browser sends to sign in, read strictly into a value."""

from msgspec import json

from angelia.wire import fields
from angelia.wire.signin.shapes import SignInIn

_sign_in = json.Decoder(SignInIn)


def parse_sign_in(body: bytes) -> SignInIn:
    """Raises BadRequest, which names the path of the field that is wrong."""
    return fields.decode(body, _sign_in)
