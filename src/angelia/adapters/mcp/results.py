"""What an MCP server answers, as text for a model. Pictures and the like are told of, not shown."""

from collections.abc import Iterable
from typing import Any, assert_never, cast

import mcp_types as mcp
import msgspec

from angelia.ports import ToolOutput


def told(result: mcp.CallToolResult) -> ToolOutput:
    parts = [block(each) for each in result.content]
    if (structured := _structured(result)) is not None:
        parts.append(structured)
    text = "\n".join(part for part in parts if part) or "[no output]"
    return ToolOutput(text, "error" if result.is_error else "ok")


def read(result: mcp.ReadResourceResult) -> str:
    return "\n".join(map(_contents, result.contents)) or "[empty]"


def prompt(result: mcp.GetPromptResult) -> str:
    said = [f"{message.role}: {block(message.content)}" for message in result.messages]
    return "\n\n".join(said) or "[empty]"


def block(content: mcp.ContentBlock) -> str:
    match content:
        case mcp.TextContent():
            return content.text
        case mcp.ImageContent():
            return _kept_out("image", content.mime_type, content.data)
        case mcp.AudioContent():
            return _kept_out("audio", content.mime_type, content.data)
        case mcp.ResourceLink():
            return f"[resource {content.uri}{_about(content.mime_type, content.name)}]"
        case mcp.EmbeddedResource():
            return _contents(content.resource)
        case _:
            assert_never(content)


def _contents(resource: mcp.TextResourceContents | mcp.BlobResourceContents) -> str:
    match resource:
        case mcp.TextResourceContents():
            return f"[resource {resource.uri}{_about(resource.mime_type)}]\n{resource.text}"
        case mcp.BlobResourceContents():
            shown = _kept_out("data", resource.mime_type or "unknown type", resource.blob)
            return f"[resource {resource.uri}] {shown}"
        case _:
            assert_never(resource)


def _kept_out(kind: str, mime_type: str, data: str) -> str:
    size = len(data) * 3 // 4 - data[-2:].count("=")
    return f"[{kind}: {mime_type}, {size} bytes, not shown]"


def _about(*words: str | None) -> str:
    return "".join(f", {word}" for word in words if word)


def _structured(result: mcp.CallToolResult) -> str | None:
    """None where a text says the same already, as the protocol asks of servers."""
    value: Any = result.structured_content
    if value is None or any(each == value for each in _decoded(result.content)):
        return None
    # Many wrap their text in an object with a single field.
    texts = [each.text for each in result.content if isinstance(each, mcp.TextContent)]
    if isinstance(value, dict) and list(cast("dict[str, Any]", value).values()) == texts:
        return None
    return msgspec.json.encode(value).decode()


def _decoded(content: Iterable[mcp.ContentBlock]) -> Iterable[Any]:
    for each in content:
        if isinstance(each, mcp.TextContent):
            try:
                yield msgspec.json.decode(each.text)
            except msgspec.DecodeError:
                continue
