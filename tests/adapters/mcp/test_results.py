import mcp_types as mcp
import pytest

from angelia.adapters.mcp import results
from angelia.ports import ToolOutput

TEXT = mcp.TextContent(text="hi")
PICTURE = mcp.ImageContent(data="AAAA", mime_type="image/png")
SOUND = mcp.AudioContent(data="AAA=", mime_type="audio/wav")
FILE = mcp.EmbeddedResource(
    resource=mcp.TextResourceContents(uri="file:///a", mime_type="text/plain", text="inside")
)
BLOB = mcp.EmbeddedResource(resource=mcp.BlobResourceContents(uri="file:///b", blob="AA=="))
LINK = mcp.ResourceLink(uri="file:///c", name="c")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "[no output]"),
        ([TEXT, TEXT], "hi\nhi"),
        ([PICTURE], "[image: image/png, 3 bytes, not shown]"),
        ([SOUND], "[audio: audio/wav, 2 bytes, not shown]"),
        ([FILE], "[resource file:///a, text/plain]\ninside"),
        ([BLOB], "[resource file:///b] [data: unknown type, 1 bytes, not shown]"),
        ([LINK], "[resource file:///c, c]"),
    ],
)
def test_every_kind_of_content_is_told(content: list[mcp.ContentBlock], said: str) -> None:
    assert results.told(mcp.CallToolResult(content=content)) == ToolOutput(said)


def test_what_went_wrong_is_an_error() -> None:
    assert results.told(mcp.CallToolResult(content=[TEXT], is_error=True)).outcome == "error"


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], '{"a":1}'),
        (['{"a": 1}'], '{"a": 1}'),
        (["one"], 'one\n{"a":1}'),
    ],
)
def test_structured_content_is_told_once(texts: list[str], said: str) -> None:
    content: list[mcp.ContentBlock] = [mcp.TextContent(text=text) for text in texts]
    result = mcp.CallToolResult(content=content, structured_content={"a": 1})
    assert results.told(result).text == said
