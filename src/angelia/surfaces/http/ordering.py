"""What holds for every order, whatever surface it comes in by."""

from msgspec.structs import replace
from starlette.requests import HTTPConnection

from angelia.core.messages import Message
from angelia.ports import ApiKey, Claim
from angelia.runtime.orders import Order, order_under
from angelia.surfaces.http.requests import services, session_key, toolsets
from angelia.surfaces.http.users import end_user


def order_of(
    connection: HTTPConnection,
    key: ApiKey,
    surface: str,
    messages: tuple[Message, ...],
    *,
    user: str | None = None,
    claim: Claim | None = None,
) -> Order:
    """An order under the rules of its key; `user` is whom the body names."""
    return replace(
        order_under(key, surface, messages),
        session_key=session_key(connection),
        user=end_user(connection, user),
        claim=claim,
        when_busy=services(connection).settings.sessions.when_busy,
        toolsets=toolsets(connection),
    )
