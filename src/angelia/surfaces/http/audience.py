"""Who reads which run as an answer; the last one who leaves may take the run with it."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from angelia.surfaces.http.requests import OnDisconnect


class Audience:
    def __init__(self) -> None:
        self._readers: Counter[str] = Counter()
        self._wishes: dict[str, OnDisconnect] = {}

    @contextmanager
    def watching(self, run_id: str) -> Generator[None]:
        """One more reader, as long as this is open."""
        self._readers[run_id] += 1
        try:
            yield
        finally:
            self._readers[run_id] -= 1
            if not self._readers[run_id]:
                del self._readers[run_id]
                self._wishes.pop(run_id, None)

    def leave(self, run_id: str, wish: OnDisconnect | None) -> OnDisconnect | None:
        """What is to become of a run that one of its readers hangs up on; None while others stay.

        A reader without a wish leaves it to whoever hung up before.
        """
        if wish is not None:
            self._wishes[run_id] = wish
        return None if self._readers[run_id] > 1 else self._wishes.get(run_id)

    def __len__(self) -> int:
        return len(self._readers)
