"""Fitting a conversation into what a model can read at once."""

from collections.abc import Sequence

from angelia.core.messages import Message, Prompt, User
from angelia.core.tokens import estimate, of_message


def fitted(prompt: Prompt, tokens: int) -> tuple[Message, ...]:
    """The messages of a prompt without its oldest turns, as many as are too much.

    A turn begins with what a person says; the last one stays, however long it is.
    """
    excess = estimate(prompt) - tokens
    start = 0
    for place in _later_turns(prompt.messages):
        if excess <= 0:
            break
        excess -= sum(of_message(message) for message in prompt.messages[start:place])
        start = place
    return prompt.messages[start:]


def _later_turns(messages: Sequence[Message]) -> list[int]:
    """Where turns begin, but for the first."""
    begins = [
        place
        for place, message in enumerate(messages)
        if isinstance(message, User) and not isinstance(messages[place - 1], User)
    ]
    return [place for place in begins if place > 0]
