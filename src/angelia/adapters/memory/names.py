"""Names of hosts that mean what a script says, and something else the next time."""

from collections.abc import Mapping, Sequence


class ScriptedNames:
    """Each name has a list of answers, given one after another; the last one stays.

    `asked` holds every name that was looked up.
    """

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._answers = {
            name: [tuple(answer) for answer in given] for name, given in answers.items()
        }
        self.asked: list[str] = []

    async def find(self, host: str) -> tuple[str, ...]:
        self.asked.append(host)
        left = self._answers.get(host, [])
        if len(left) > 1:
            return left.pop(0)
        return left[0] if left else ()
