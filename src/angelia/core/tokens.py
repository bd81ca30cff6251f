"""How many tokens a prompt will take, estimated without any model's own tokenizer."""

from collections.abc import Iterable
from typing import assert_never

from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Prompt,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
)

# Common tokenizers take about four bytes of English per token, and one or two characters of
# scripts that take three bytes each; every message and tool has a frame of its own.
BYTES_PER_TOKEN = 3.8
PER_MESSAGE = 4
PER_TOOL = 8
PER_IMAGE = 765


def estimate(prompt: Prompt) -> int:
    said = sum(of_message(message) for message in prompt.messages)
    instructions = PER_MESSAGE + of_text(prompt.instructions) if prompt.instructions else 0
    return instructions + said + sum(_of_tool(tool) for tool in prompt.tools)


def of_text(text: str) -> int:
    return round(len(text.encode(errors="surrogatepass")) / BYTES_PER_TOKEN)


def characters(tokens: int, text: str) -> int:
    """How many characters of a text like this one make so many tokens."""
    return int(tokens * len(text) / of_text(text)) if of_text(text) else tokens


def of_message(message: Message) -> int:
    match message:
        case System(text=text):
            return PER_MESSAGE + of_text(text)
        case ToolResult(output=output, note=note):
            return PER_MESSAGE + of_text(output) + of_text(note)
        case User(parts=parts) | Assistant(parts=parts):
            return PER_MESSAGE + _of_parts(parts)
        case _:
            assert_never(message)


def _of_parts(parts: Iterable[Text | Image | Reasoning | Refusal | ToolCall]) -> int:
    return sum(_of_part(part) for part in parts)


def _of_part(part: Text | Image | Reasoning | Refusal | ToolCall) -> int:
    match part:
        case Text(text=text) | Reasoning(text=text) | Refusal(text=text):
            return of_text(text)
        case ToolCall(name=name, arguments=arguments):
            return PER_MESSAGE + of_text(name) + of_text(arguments)
        case Image():
            return PER_IMAGE
        case _:
            assert_never(part)


def _of_tool(tool: ToolSpec) -> int:
    words = of_text(tool.name) + of_text(tool.description)
    return PER_TOOL + words + round(len(bytes(tool.parameters)) / BYTES_PER_TOKEN)
