"""What model calls are charged for that never came to say how much it was."""

from collections.abc import Iterable
from typing import Protocol

from angelia.core.messages import Prompt, Usage
from angelia.core.tokens import estimate, of_text
from angelia.ports import Bill
from angelia.runtime.step import Attempt


class Pricing(Protocol):
    def __call__(self, usage: Usage, *names: str | None) -> float:
        """What tokens cost by the first of these names of their model that has a price."""
        ...


def estimated(
    model: str, prompt: Prompt, cut_off: Iterable[Attempt], price: Pricing
) -> Bill | None:
    """What a provider has done is paid for, though it was cut off."""
    bill: Bill | None = None
    for attempt in cut_off:
        usage = Usage(estimate(prompt), of_text(attempt.written))
        bill = summed(Bill(model, usage, price(usage, attempt.model)), bill)
    return bill


def summed(bill: Bill, more: Bill | None) -> Bill:
    """Under the name, and with the time, of the later one."""
    if more is None:
        return bill
    return Bill(more.model, bill.usage + more.usage, bill.cost + more.cost, more.took)
