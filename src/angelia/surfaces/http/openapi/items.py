"""Items and tools as clients of the Responses API write them, each under its `type`.

The reader looks at the type before it knows what to expect, so its own Structs have none.
"""

from typing import Literal

from msgspec import Struct

from angelia.wire.functions import FunctionIn
from angelia.wire.responses import request_shapes as wire

Message = Literal["message"]


class UserMessage(wire.UserIn, tag_field="role", tag="user"):
    type: Message | None = None


class AssistantMessage(wire.AssistantIn, tag_field="role", tag="assistant"):
    type: Message | None = None


class SystemMessage(wire.SystemIn, tag_field="role", tag="system"):
    type: Message | None = None


class DeveloperMessage(wire.DeveloperIn, tag_field="role", tag="developer"):
    type: Message | None = None


class FunctionCall(wire.FunctionCallIn, tag_field="type", tag="function_call"):
    pass


class FunctionCallOutput(wire.FunctionCallOutputIn, tag_field="type", tag="function_call_output"):
    pass


class ReasoningItem(wire.ReasoningIn, tag_field="type", tag="reasoning"):
    pass


class McpCall(wire.McpCallIn, tag_field="type", tag="mcp_call"):
    pass


class McpApprovalRequest(wire.McpApprovalRequestIn, tag_field="type", tag="mcp_approval_request"):
    pass


class McpApprovalResponse(
    wire.McpApprovalResponseIn, tag_field="type", tag="mcp_approval_response"
):
    pass


class Compaction(wire.CompactionIn, tag_field="type", tag="compaction"):
    pass


class ItemReference(wire.ReferenceIn, tag_field="type", tag="item_reference"):
    pass


ITEMS: tuple[type[Struct], ...] = (
    UserMessage,
    AssistantMessage,
    SystemMessage,
    DeveloperMessage,
    FunctionCall,
    FunctionCallOutput,
    ReasoningItem,
    McpCall,
    McpApprovalRequest,
    McpApprovalResponse,
    Compaction,
    ItemReference,
)


class FunctionTool(FunctionIn, tag_field="type", tag="function"):
    pass


class CountTokensIn(wire.CreateIn):
    """What a response would be asked for, none of it required."""
