"""Who waits for which run by a chat request; the last one who leaves may take the run with it."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager


class Audience:
    def __init__(self) -> None:
        self._readers: Counter[str] = Counter()

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

    def alone(self, run_id: str) -> bool:
        """Whether there is no other reader than the one that asks."""
        return self._readers[run_id] <= 1

    def __len__(self) -> int:
        return len(self._readers)
