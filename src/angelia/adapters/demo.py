"""A model without a model: fixed rules, offline, real tool calls."""

from angelia.core.demo.answer import answer
from angelia.core.messages import Prompt, Reply
from angelia.core.unfold import unfold
from angelia.ports import Clock, Emit

PAUSE = 0.015


class DemoModel:
    """Streams word by word, with `pause` seconds between words so that it looks like writing."""

    def __init__(self, clock: Clock, pause: float = PAUSE) -> None:
        self._clock = clock
        self._pause = pause

    async def ask(self, prompt: Prompt, emit: Emit) -> Reply:
        reply = answer(prompt)
        for delta in unfold(reply):
            await emit((delta,))
            if self._pause:
                await self._clock.sleep(self._pause)
        return reply
