"""Diffs that tools bring back, in the colours that diffs have."""

import re

from rich.text import Text

_TOOLS = ("patch", "write_file")
_BEGIN = re.compile(r"^--- .*\n\+\+\+ ", re.MULTILINE)
MOST_LINES = 40


def diff_in(tool: str, output: str) -> str:
    """Empty where the output holds none."""
    begun = _BEGIN.search(output) if tool in _TOOLS else None
    return "" if begun is None else output[begun.start() :].rstrip("\n")


def coloured(diff: str) -> Text:
    lines = diff.split("\n")
    shown = Text("\n").join(Text(line, style=_style(line)) for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown.append(f"\n… {len(lines) - MOST_LINES:,} more lines", "dim")
    return shown


def _style(line: str) -> str:
    if line.startswith(("--- ", "+++ ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "dim")
