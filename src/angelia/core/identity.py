"""Ids of tool calls that hold for a whole run, whatever a provider repeats or leaves out."""

from collections.abc import Collection, Iterable
from hashlib import sha256

from angelia.core.messages import Assistant, Message, Reply, ToolCall, ToolSpec


def used_ids(messages: Iterable[Message]) -> set[str]:
    return {
        call.id for message in messages if isinstance(message, Assistant) for call in message.calls
    }


def client_call_id(run_id: str, step: int, index: int) -> str:
    """An id that leads back to its run, since a client brings results with nothing but ids."""
    return f"call_{run_id.removeprefix('run_')}_{step}_{index}"


def run_of_call(call_id: str) -> str | None:
    """The run that minted a client's call id; None for an id of somebody else."""
    parts = call_id.removeprefix("call_").rsplit("_", 2)
    minted = call_id.startswith("call_") and len(parts) == 3 and parts[1].isdigit()
    return f"run_{parts[0]}" if minted and parts[2].isdigit() else None


# Nothing that looks like something else when it is read out or typed.
_TYPEABLE = "23456789ACDEFGHJKMNPQRTUVWXYZ"
_DIGITS = _TYPEABLE[:8]
_CODE_LENGTH = 3


def approval_code(run_id: str, call_id: str, taken: Collection[str]) -> str:
    """A few characters that mean one call of a run, longer only where shorter ones are taken.

    One of them is a digit: no word that people say otherwise is a code.
    """
    digest = sha256(f"{run_id}\0{call_id}".encode(errors="surrogatepass")).digest()
    letters = "".join(_TYPEABLE[byte % len(_TYPEABLE)] for byte in digest)
    if not any(mark in _DIGITS for mark in letters[:_CODE_LENGTH]):
        letters = _DIGITS[digest[0] % len(_DIGITS)] + letters[1:]
    lengths = range(_CODE_LENGTH, len(letters) + 1)
    return next((code for n in lengths if (code := letters[:n]) not in taken), letters)


class Naming:
    """Gives every call of one model reply the id it keeps, the same one each time it is asked."""

    def __init__(
        self, run_id: str, step: int, tools: Iterable[ToolSpec], used: Iterable[str]
    ) -> None:
        self._run_id = run_id
        self._step = step
        self._client = {tool.name for tool in tools if tool.owner == "client"}
        self._used = set(used)
        self._given: dict[int, str] = {}

    def name(self, index: int, tool: str, given: str) -> str:
        if index not in self._given:
            fresh = given
            if tool in self._client or given in self._used:
                fresh = client_call_id(self._run_id, self._step, index)
            self._used.add(fresh)
            self._given[index] = fresh
        return self._given[index]

    def apply(self, reply: Reply) -> Reply:
        """The reply with its calls renamed."""
        index = 0
        parts = list(reply.message.parts)
        for place, part in enumerate(parts):
            if isinstance(part, ToolCall):
                fresh = self.name(index, part.name, part.id)
                parts[place] = ToolCall(fresh, part.name, part.arguments, part.extras)
                index += 1
        return Reply(Assistant(tuple(parts)), reply.finish, reply.usage, reply.model)
