"""What models and people say to each other: messages, their parts, tools and usage."""

from typing import Literal

from msgspec import UNSET, Raw, Struct, UnsetType, field

EMPTY_OBJECT = Raw(b"{}")


class Seal(Struct, frozen=True, omit_defaults=True):
    """An opaque token (signature, encrypted trace) that only the dialect that minted it may read.

    `data` is that dialect's own JSON, kept verbatim. `mint` is the provider it came from, since
    two that speak the same dialect do not read each other's seals; empty if nobody knows.
    """

    dialect: str
    data: str
    mint: str = ""


class Text(Struct, frozen=True, tag="text"):
    text: str


class Image(Struct, frozen=True, tag="image", omit_defaults=True):
    """`url` is http(s) or a data URL."""

    url: str
    detail: str | None = None


class Reasoning(Struct, frozen=True, tag="reasoning", omit_defaults=True):
    """What the model thought. May be empty text with a seal (redacted or encrypted)."""

    text: str
    seal: Seal | None = None


class Refusal(Struct, frozen=True, tag="refusal"):
    text: str


class ToolCall(Struct, frozen=True, tag="tool_call", omit_defaults=True):
    """A call the model made. `arguments` is the model's own JSON text, never re-serialised.

    `extras` is JSON of provider fields on the call that go back verbatim to `Seal.dialect`.
    """

    id: str
    name: str
    arguments: str
    extras: Seal | None = None


UserPart = Text | Image
AssistantPart = Text | Reasoning | Refusal | ToolCall


class System(Struct, frozen=True, tag="system"):
    text: str


class User(Struct, frozen=True, tag="user", omit_defaults=True):
    parts: tuple[UserPart, ...]
    name: str | None = None


class Assistant(Struct, frozen=True, tag="assistant"):
    """Parts stand in the order the model produced them."""

    parts: tuple[AssistantPart, ...]

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


class ToolResult(Struct, frozen=True, tag="tool_result", omit_defaults=True):
    """`note` is what the model reads behind the output that the tool itself did not say."""

    call_id: str
    output: str
    failed: bool = False
    note: str = ""


Message = System | User | Assistant | ToolResult


def user(text: str) -> User:
    return User((Text(text),))


Effect = Literal["pure", "idempotent", "irreversible"]
Owner = Literal["server", "client"]


class ToolSpec(Struct, frozen=True, omit_defaults=True):
    """A tool as a model is told of it. A `client` tool is executed by whoever asked for the run.

    `parameters` is a JSON schema, verbatim.
    """

    name: str
    description: str = ""
    parameters: Raw = EMPTY_OBJECT
    owner: Owner = "server"
    effect: Effect = "irreversible"
    strict: bool | None = None


class Usage(Struct, frozen=True, omit_defaults=True):
    """Tokens of one or more model calls. `input` includes cached tokens, `output` reasoning."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cache_written: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cache_written + other.cache_written,
            self.reasoning + other.reasoning,
        )


FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]


class ToolChoice(Struct, frozen=True, omit_defaults=True):
    """`mode` is `named` when exactly the tool `name` must be called."""

    mode: Literal["auto", "none", "required", "named"] = "auto"
    name: str | None = None


class Sampling(Struct, frozen=True, omit_defaults=True):
    """What a client may ask of the model's manner. None means the provider's own default.

    `response_format` is the chat-completions JSON, verbatim. It is UNSET where others are None,
    since msgspec cannot read a union of Raw and None.
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    reasoning_effort: str | None = None
    response_format: Raw | UnsetType = UNSET
    parallel_tool_calls: bool | None = None
    tool_choice: ToolChoice = field(default_factory=ToolChoice)
    user: str | None = None


class Prompt(Struct, frozen=True):
    """Everything one model call needs to know."""

    model: str
    instructions: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)


class Reply(Struct, frozen=True, omit_defaults=True):
    """What one model call came to. `model` is the name the provider reported, if any."""

    message: Assistant
    finish: FinishReason
    usage: Usage | None = None
    model: str | None = None
