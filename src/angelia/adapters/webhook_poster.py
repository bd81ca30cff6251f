"""Webhook messages over HTTP."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from angelia.adapters.address_guard import AddressGuard
from angelia.adapters.system_names import SystemNames
from angelia.ports import Clock
from angelia.ports.deliveries import Posted
from angelia.ports.names import Names

if TYPE_CHECKING:
    from angelia.adapters.guarded_http import GuardedHttp

ATTEMPT_SECONDS = 10.0


class WebhookPoster:
    """The connections of a process to all its receivers. Opened by the first message."""

    def __init__(
        self,
        clock: Clock,
        *,
        allow_private: bool,
        seconds: float = ATTEMPT_SECONDS,
        names: Names | None = None,
    ) -> None:
        self._clock = clock
        self._guard = AddressGuard(names or SystemNames(), allow_private)
        self._seconds = seconds
        self._http: GuardedHttp | None = None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Posted:
        from angelia.adapters.guarded_http import GuardedHttp
        from angelia.adapters.webhook_session import send

        if self._http is None:
            self._http = GuardedHttp(self._guard, self._seconds)
        return await send(self._http, url, headers, body, self._clock.now())

    async def close(self) -> None:
        if self._http is not None:
            await self._http.close()
