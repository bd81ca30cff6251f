"""What there can be to do next in a run."""

from typing import Literal

from msgspec import Struct

from angelia.core.events import Ending
from angelia.core.messages import Prompt, ToolCall
from angelia.core.window import Plan


class AskModel(Struct, frozen=True):
    prompt: Prompt


class Compact(Struct, frozen=True):
    """The conversation is too long for the model: show it in fewer words."""

    plan: Plan


class AskHuman(Struct, frozen=True):
    """These calls may not start before a person agrees; each comes with the reason for asking."""

    calls: tuple[tuple[ToolCall, str], ...]


class CallTools(Struct, frozen=True):
    calls: tuple[ToolCall, ...]


class Refuse(Struct, frozen=True):
    """These calls are not allowed; the model is told so, and why."""

    calls: tuple[tuple[ToolCall, str], ...]


class Dismiss(Struct, frozen=True):
    """These calls name no tool of this run; the model is told so."""

    calls: tuple[ToolCall, ...]


class PassOver(Struct, frozen=True):
    """These calls say the same as another one of their batch, whose id they come with."""

    calls: tuple[tuple[ToolCall, str], ...]


class Settle(Struct, frozen=True):
    """Calls without an owner: run `again` what may run twice, declare the rest `doubtful`."""

    again: tuple[ToolCall, ...]
    doubtful: tuple[ToolCall, ...]


class Await(Struct, frozen=True):
    """Say that everything left is up to somebody outside."""

    on: Literal["approval", "client_tools"]
    calls: tuple[ToolCall, ...]


class Halt(Struct, frozen=True):
    """Stop what is under way; nothing of it is wanted any more."""

    calls: tuple[ToolCall, ...]


class Finish(Struct, frozen=True):
    ending: Ending


class Rest(Struct, frozen=True):
    """Nothing to begin: something under way, or somebody outside, comes next."""


Action = (
    AskModel
    | Compact
    | AskHuman
    | CallTools
    | Refuse
    | Dismiss
    | PassOver
    | Settle
    | Await
    | Halt
    | Finish
    | Rest
)
