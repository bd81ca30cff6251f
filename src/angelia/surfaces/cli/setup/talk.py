"""Questions to a person at a terminal, or to whatever is at the other end of a pipe."""

import getpass
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from angelia.errors import RequestError
from angelia.surfaces.cli.screen import harmless

_MOST_CHOICES = 20


class Talk:
    """With `quiet` nothing is asked: what is usual is taken, and what has none is missing."""

    def __init__(self, console: Console, *, quiet: bool) -> None:
        self._console = console
        self._quiet = quiet

    def say(self, text: str = "", look: str = "") -> None:
        self._console.print(Text(harmless(text), look))

    def show(self, text: str) -> None:
        """Lines that are not broken, so that they can be copied."""
        for line in text.splitlines():
            self._console.print(Text(f"  {harmless(line)}".rstrip(), "cyan"), soft_wrap=True)

    def ask(self, question: str, usual: str | None, option: str) -> str:
        """`option` is how the same is said on the command line."""
        while True:
            shown = f"{question} [{usual}]: " if usual else f"{question}: "
            answer = self._line(shown) if not self._quiet else ""
            if answer or usual:
                return answer or usual or ""
            if self._quiet:
                raise RequestError(f"There is no answer to {question!r}; give {option}.")

    def choose(self, question: str, choices: Sequence[str]) -> int:
        """The place of the chosen one; the first is the usual one."""
        if self._quiet:
            self.say(f"{question} {choices[0]}")
            return 0
        table = Table.grid(padding=(0, 2))
        for number, choice in enumerate(choices, 1):
            table.add_row(f"  {number}", Text(harmless(choice)))
        self.say()
        self.say(question, "bold")
        self._console.print(table)
        while True:
            answer = self._line("Number [1]: ") or "1"
            if answer.isdecimal() and 0 < int(answer) <= len(choices):
                return int(answer) - 1
            self.say(f"A number from 1 to {len(choices)}, please.", "yellow")

    def name(self, question: str, names: Sequence[str], usual: str | None, option: str) -> str:
        """One of the names, by name or by number, or another one."""
        shown = names[:_MOST_CHOICES]
        if shown and not self._quiet:
            table = Table.grid(padding=(0, 2))
            for number, name in enumerate(shown, 1):
                table.add_row(f"  {number}", Text(harmless(name)))
            self._console.print(table)
            if len(names) > len(shown):
                self.say(f"  … and {len(names) - len(shown)} more; type its name", "dim")
        answer = self.ask(question, usual, option)
        by_number = answer.isdecimal() and 0 < int(answer) <= len(shown)
        return shown[int(answer) - 1] if by_number and answer not in names else answer

    def confirm(self, question: str) -> bool:
        return self._quiet or self._line(f"{question} [Y/n]: ").lower() in ("", "y", "yes")

    def secret(self, question: str) -> str:
        """Never shown while it is typed."""
        if not sys.stdin.isatty():
            return self._line(f"{question}: ")
        try:
            return getpass.getpass(f"{question} (not shown): ").strip()
        except EOFError:
            raise _nobody() from None

    def _line(self, shown: str) -> str:
        self._console.print(Text(harmless(shown)), end="", soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            self._console.print()
            raise _nobody()
        if not sys.stdin.isatty():
            # Nobody pressed the key that ends the line.
            self._console.print()
        return line.strip()


def _nobody() -> RequestError:
    return RequestError("Nobody answers; give the answers as options, or --yes for what is usual.")
