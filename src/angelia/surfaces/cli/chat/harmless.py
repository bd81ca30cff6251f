"""Text of models and tools as a terminal may have it: nothing in it is obeyed, nothing is hidden.

Each character is judged alone, so that it does not matter where a stream was cut.
"""

import re

# What moves the cursor has a picture in Unicode.
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "␡"}
# The second set of controls, what turns the order of letters around, line ends that are none.
_ODD = (*range(0x80, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
_SPELLED = {code: f"\\u{code:04x}" for code in (*_ODD, *range(0xD800, 0xE000))}
_TABLE = {**_PICTURES, **_SPELLED, 0x0A: "\n", 0x09: "    ", 0x0D: ""}
# Colours of a program are no attack; they go without a trace, also one that was cut off.
_SEQUENCES = re.compile(
    r"\x1b\[[0-?]*[ -/]*(?:[@-~]|\Z)|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|\Z)|\x1b\Z"
)


def harmless(text: str) -> str:
    """What a model wrote. Carriage returns go, tabs are four spaces."""
    return text.translate(_TABLE)


def printed(text: str) -> str:
    """What a program printed, as a terminal would leave it: a line starts again at a return."""
    lines = _SEQUENCES.sub("", text).replace("\r\n", "\n").split("\n")
    return harmless("\n".join(_overwritten(line) for line in lines))


def _overwritten(line: str) -> str:
    return line.rstrip("\r").rpartition("\r")[2]
