"""Webhook messages over HTTP."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from angelia.ports import Clock
from angelia.ports.deliveries import Posted

if TYPE_CHECKING:
    from aiohttp import ClientSession
    from aiohttp.abc import AbstractResolver

ATTEMPT_SECONDS = 10.0


class WebhookPoster:
    """The connections of a process to all its receivers. Opened by the first message."""

    def __init__(
        self,
        clock: Clock,
        *,
        allow_private: bool,
        seconds: float = ATTEMPT_SECONDS,
        resolver: "AbstractResolver | None" = None,
    ) -> None:
        self._clock = clock
        self._allow_private = allow_private
        self._seconds = seconds
        self._resolver = resolver
        self._session: ClientSession | None = None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Posted:
        from angelia.adapters.webhook_session import open_session, send

        if self._session is None:
            self._session = open_session(
                self._seconds, allow_private=self._allow_private, resolver=self._resolver
            )
        return await send(
            self._session,
            url,
            headers,
            body,
            self._clock.now(),
            allow_private=self._allow_private,
        )

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
