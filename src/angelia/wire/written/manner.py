"""How a model writes: what of its text is thought, and whether it writes its calls as text."""

from typing import Literal

from msgspec import Struct

from angelia.core.messages import ToolSpec

ThinkTags = Literal["auto", "open", "off"]


class Manner(Struct, frozen=True):
    """`open` is for a model whose template has opened the block of thought already.

    `tools` are what it was told of: an object that names one of them may be a call.
    """

    think_tags: ThinkTags = "auto"
    text_calls: bool = False
    tools: tuple[ToolSpec, ...] = ()


PLAIN = Manner()
