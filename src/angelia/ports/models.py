"""Who answers: a model, asked once per step."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

from angelia.core.events import Delta
from angelia.core.messages import Prompt, Reply

Emit = Callable[[Sequence[Delta]], Coroutine[Any, Any, None]]


class ModelClient(Protocol):
    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        """Deltas through `emit` as they arrive, then the whole reply.

        Raises UpstreamError. Whatever it opened is closed when it returns, raises or is cancelled.
        """
        ...
