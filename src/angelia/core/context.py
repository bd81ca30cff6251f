"""What the model is asked, and what to do when that is more than it can read."""

from msgspec.structs import replace

from angelia.core.actions import Action, AskModel, Compact, Finish
from angelia.core.events import Failed, ModelReplied, Overflowed
from angelia.core.messages import Message, Prompt
from angelia.core.state import RunState
from angelia.core.tokens import estimate
from angelia.core.window import Plan, fitted, least, plan, shown

# Above this part of what the model reads the conversation is made shorter, down to a part of it.
FULL = 0.8
AIM = 0.75
# So often in one step a provider may say that the prompt is too long before the run gives up.
MOST_OVERFLOWS = 2
# Small prompts tell little about a tokenizer, since providers add words of their own.
LEAST_SAMPLE = 200
LOWEST_FACTOR, HIGHEST_FACTOR = 0.5, 3.0


def prompt(state: RunState) -> Prompt:
    """What the model is asked next."""
    asked = _told(state, shown(state.messages, state.digest))
    if state.window is None:
        return asked
    return replace(asked, messages=fitted(asked, round(state.window / state.factor)))


def size(state: RunState) -> int:
    """The tokens of the prompt as the model counts them, estimated."""
    return round(estimate(prompt(state)) * state.factor)


def think(state: RunState) -> Action:
    """Ask the model, or make the conversation shorter first. Comes to an end: see `plan`."""
    if state.overflows > MOST_OVERFLOWS:
        return Finish(_too_long(state))
    asked, limit = prompt(state), _limit(state)
    if limit is None:
        return AskModel(asked)
    tokens = estimate(asked)
    if state.window is None and (shorter := _shorter(state, tokens, limit)) is not None:
        return Compact(shorter)
    hopeless = _hopeless(state, round(tokens * state.factor))
    return Finish(_too_long(state)) if hopeless else AskModel(asked)


def overflowed(state: RunState, fact: Overflowed) -> RunState:
    """What a provider refuses to read tells how much it reads."""
    now = size(state)
    named = fact.limit if fact.limit is not None and fact.limit > 0 else now
    learned = min(named, state.learned or named)
    state = replace(state, learned=learned, overflows=state.overflows + 1, overflowed=now)
    return state if state.window is None else replace(state, window=_bounds(state, learned)[1])


def calibrated(state: RunState, fact: ModelReplied) -> float:
    """How many tokens the model counts for each that we estimate, as its last answer has it."""
    usage = fact.reply.usage
    if state.context is None or usage is None or usage.input <= 0:
        return state.factor
    estimated = estimate(prompt(state))
    if estimated < max(LEAST_SAMPLE, state.context // 20):
        return state.factor
    counted = min(max(usage.input / estimated, LOWEST_FACTOR), HIGHEST_FACTOR)
    return round((state.factor + counted) / 2, 4)


def fits(state: RunState) -> bool:
    """Whether the model can be asked this at all, however much of it is made shorter."""
    if state.context is None:
        return True
    smallest = least(_told(state, state.messages), state.digest, _aims(state, state.context)[1])
    return smallest * state.factor <= state.context


def _told(state: RunState, messages: tuple[Message, ...]) -> Prompt:
    return Prompt(state.model, state.instructions, messages, state.tools, state.sampling)


def _limit(state: RunState) -> int | None:
    known = [limit for limit in (state.context, state.learned) if limit is not None]
    return min(known, default=None)


def _shorter(state: RunState, tokens: int, limit: int) -> Plan | None:
    most, aim = _aims(state, limit)
    if tokens <= most:
        return None
    return plan(_told(state, state.messages), state.digest, most, aim)


def _aims(state: RunState, limit: int) -> tuple[int, int]:
    """The bounds in tokens as we estimate them."""
    most, aim = _bounds(state, limit)
    return int(most / state.factor), int(aim / state.factor)


def _bounds(state: RunState, limit: int) -> tuple[int, int]:
    """How long the prompt may be, and how long it should be once it was too long."""
    room = min(state.sampling.max_tokens or limit // 10, limit // 2)
    most = min(int(limit * FULL), limit - room)
    # A provider that refuses what we think it can read counts otherwise than we do.
    if state.overflows and most > FULL * state.overflowed:
        most = state.overflowed // 2
    return most, int(most * AIM)


def _hopeless(state: RunState, now: int) -> bool:
    """The provider refused as much as this before, or it is more than the model can read."""
    if state.overflows:
        return now >= state.overflowed
    return state.window is None and state.context is not None and now > state.context


def _too_long(state: RunState) -> Failed:
    limit = _limit(state)
    reads = f" The model reads at most {limit:,}." if limit is not None else ""
    return Failed(
        f"The conversation is too long for the model: about {size(state):,} tokens are left after "
        f"all that could be shortened was shortened.{reads}",
        "context_length_exceeded",
    )
