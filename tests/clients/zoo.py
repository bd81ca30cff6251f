"""The clients: how each is started, what it is asked, and what its users get to see."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tests.clients.cases import APIS, WAYS, Api, Case, Way

# Where a program runs: with Node, with the Python of the tests, or in an environment of its own.
Runtime = Literal["node", "python", "agents", "litellm"]

EVERYWHERE = tuple(f"{api} {way}" for api in APIS for way in WAYS)


class Client(Struct, frozen=True):
    """A program, and what its package makes of an answer.

    `errors` says what it raises, by the first words of a case's name, the longest that fit.
    """

    name: str
    runtime: Runtime
    program: tuple[str, ...]
    errors: Mapping[str, str]
    apis: tuple[Api, ...] = APIS
    ways: tuple[Way, ...] = WAYS
    dialects: tuple[str, ...] = ("carrier", "mcp")  # that it gets if it asks for none
    refuses: tuple[str, ...] = ()  # dialects that it would execute or reject
    loses_reasoning: tuple[str, ...] = ()  # of some of it keeps the last piece
    hands_on: bool = True  # what it does not know itself, so that its user can read it
    always_counts: bool = False  # asks for the usage of every stream
    unwatched: tuple[Way, ...] = ()  # over a transport of its own, so its socket is not seen

    def is_asked(self, case: Case) -> bool:
        fits = case.api in self.apis and case.way in self.ways
        return fits and case.dialect not in self.refuses

    def error(self, name: str) -> str:
        return self.errors[max((key for key in self.errors if name.startswith(key)), key=len)]


OPENAI_ERRORS = {
    "chat cut": "APIError",
    "chat cut whole": "InternalServerError",
    "chat stranger": "AuthenticationError",
    "responses cut chunks": "ResponseError",
    "responses cut gathered": "RuntimeError",
    "responses cut whole": "InternalServerError",
    "responses stranger": "AuthenticationError",
}
AI_SDK_ERRORS = {
    "chat cut": "StreamProviderError",
    "chat cut whole": "APICallError",
    "chat stranger": "APICallError",
    "responses cut": "StreamProviderError",
    "responses cut whole": "APICallError",
    "responses stranger": "APICallError",
}

CLIENTS = (
    Client("openai-python", "python", ("openai_python",), OPENAI_ERRORS),
    Client(
        "openai-node",
        "node",
        ("openai_node.mjs",),
        {
            **OPENAI_ERRORS,
            "responses cut chunks": "failed",
            "responses cut gathered": "failed",
        },
        loses_reasoning=("chat gathered",),
    ),
    Client(
        "ai-sdk-compatible",
        "node",
        ("ai_sdk.mjs", "openai-compatible"),
        AI_SDK_ERRORS,
        apis=("chat",),
    ),
    Client(
        "ai-sdk-openai",
        "node",
        ("ai_sdk.mjs", "openai"),
        AI_SDK_ERRORS,
        refuses=("pair",),
        loses_reasoning=EVERYWHERE,
        always_counts=True,
    ),
    Client(
        "langchain",
        "python",
        ("langchain_python",),
        {
            **OPENAI_ERRORS,
            "chat cut whole": "OpenAIAPIError",
            "chat stranger": "OpenAIAuthenticationError",
            "responses cut chunks": "ValueError",
            "responses cut gathered": "ValueError",
            "responses cut whole": "OpenAIAPIError",
            "responses stranger": "OpenAIAuthenticationError",
        },
        refuses=("pair",),
        loses_reasoning=EVERYWHERE,
        hands_on=False,
    ),
    Client(
        "litellm",
        "litellm",
        ("litellm_python",),
        {
            "chat cut": "MidStreamFallbackError",
            "chat cut whole": "BadGatewayError",
            "chat stranger": "AuthenticationError",
        },
        apis=("chat",),
        hands_on=False,
        unwatched=("gathered",),
    ),
    Client(
        "agents",
        "agents",
        ("agents_python",),
        {
            **OPENAI_ERRORS,
            "responses cut chunks": "ModelBehaviorError",
            "responses cut gathered": "ModelBehaviorError",
        },
        refuses=("pair",),
        hands_on=False,
    ),
    Client(
        "httpx-sse",
        "python",
        ("httpx_sse_python",),
        {
            "chat cut": "error",
            "responses cut": "error",
            "chat stranger": "HTTPStatusError",
            "responses stranger": "HTTPStatusError",
        },
        ways=("chunks",),
        dialects=("named", "pair", "mcp"),  # the last one if it brings tools of its own
    ),
)
