"""Which step answers which request, and how often a fault has struck."""

from collections import Counter
from collections.abc import Hashable

from msgspec import json
from msgspec.structs import replace

from angelia.core.demo.answer import answer as demo_answer
from angelia.core.messages import Reply
from angelia.surfaces.upstream import chaos
from angelia.surfaces.upstream.asked import Asked
from angelia.surfaces.upstream.mint import Mint
from angelia.surfaces.upstream.script import (
    NO_FAULT,
    Fault,
    Script,
    Step,
    marked_fault,
    parse_fault,
)

_DEMO = Step()


class Playbook:
    """A script under way. `number` counts the answers and makes their ids."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.number = 0
        self.mint = Mint(script.mint)
        self._left = dict(enumerate(script.steps))
        self._struck: Counter[Hashable] = Counter()
        self._seen: Counter[int] = Counter()

    def choose(self, asked: Asked, fault_header: str | None, body: bytes) -> tuple[Step, Reply]:
        """The step for this request, with the fault that strikes it this time, and its reply.

        Raises BadRequest for a fault that cannot be read.
        """
        self.number += 1
        place = self._next(asked.text)
        step = _DEMO if place is None else self._left[place]
        wished = parse_fault(fault_header) if fault_header else marked_fault(asked.text)
        # The same request again is a retry, which is what `times` counts.
        key: Hashable = place if wished is None else (json.encode(wished), body)
        fault = self._strike(wished or step.fault, key)
        if fault == NO_FAULT and self.script.chaos.rate:
            fault = self._chance(body)
        model = asked.prompt.model
        if place is None:
            return Step(fault=fault), replace(demo_answer(asked.prompt), model=model)
        # A fault that strikes only some times leaves the step for the request that comes back.
        if fault.times is None and not step.repeat:
            del self._left[place], self._struck[place]
        return replace(step, fault=fault), step.reply(model, self.number)

    def _next(self, text: str) -> int | None:
        if not self._left and self.script.default == "repeat":
            self._left = dict(enumerate(self.script.steps))
        for place, step in self._left.items():
            if step.when is None or step.when in text:
                return place
        return None

    def _strike(self, fault: Fault, key: Hashable) -> Fault:
        if fault.times is None:
            return fault
        self._struck[key] += 1
        return fault if self._struck[key] <= fault.times else NO_FAULT

    def _chance(self, body: bytes) -> Fault:
        request = hash(body)
        self._seen[request] += 1
        return chaos.strike(self.script.chaos, body, self._seen[request]) or NO_FAULT
