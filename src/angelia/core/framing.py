"""Text of others within instructions: framed, so that it is seen for what it is."""

import re

_BREAK = re.compile("\r\n|[\r\x85\u2028\u2029]")
# Controls, marks of direction, tags and other characters that have no shape and may hide words.
# The joiners that words and emoji are made with stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Without characters that people do not see, besides line breaks, tabs and joiners."""
    return _UNSEEN.sub("", _BREAK.sub("\n", text))


def framed(tag: str, about: str, text: str) -> str:
    """`text` between tags that it cannot close itself."""
    inner = re.sub(rf"<(?=\s*/?\s*{re.escape(tag)}\b)", "‹", text, flags=re.IGNORECASE)
    return f"<{tag}>\n{about}\n\n{inner}\n</{tag}>"
