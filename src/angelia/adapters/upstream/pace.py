"""How quick an endpoint has been of late, and how long one answer of it may be waited for."""

import asyncio
from collections import deque

from angelia.adapters.upstream.watch import Watch
from angelia.core.providers.patience import LIFE_SIGNS, Observed, Patience

_REMEMBERED = 128


class Pace:
    """The last answers of an endpoint. A stall counts as an answer that took as long as it did:

    otherwise a provider that has become slower than what was learnt of it would stay too slow.
    """

    def __init__(self) -> None:
        self._first_tokens: deque[float] = deque(maxlen=_REMEMBERED)
        self._gaps: deque[float] = deque(maxlen=_REMEMBERED)

    def began(self, seconds: float) -> None:
        self._first_tokens.append(seconds)

    def went_on(self, longest_gap: float) -> None:
        self._gaps.append(longest_gap)

    @property
    def seen(self) -> Observed:
        return Observed(tuple(self._first_tokens), tuple(self._gaps))


class Vigil:
    """Moves the limit of a watch along with one answer, and tells the pace what it took."""

    def __init__(self, watch: Watch, patience: Patience, pace: Pace, *, stream: bool) -> None:
        self._watch = watch
        self._patience = patience
        self._pace = pace
        self._stream = stream
        self._time = asyncio.get_running_loop().time
        self._since = self._time()
        self._longest = 0.0
        self.begun = False

    def begin(self) -> None:
        """The question is on its way; connecting has a limit of its own."""
        self._since = self._time()
        patience = self._patience
        self._watch.allow(patience.first_token if self._stream else patience.whole)

    def come_whole(self) -> None:
        """The answer comes in one piece although a stream was asked for."""
        if self._stream:
            self._stream = False
            self._watch.allow(self._patience.whole)

    def pause(self) -> None:
        """There is something to show; the time that takes is not the provider's."""
        self._watch.pause()
        waited = self._time() - self._since
        if self.begun:
            if waited > self._longest:
                self._longest = waited
            return
        if self._stream:
            self._pace.began(waited)
        self.begun = True

    def resume(self) -> None:
        self._since = self._time()
        self._watch.allow(self._patience.between_chunks)

    def go_on(self) -> None:
        """The model writes what cannot be shown yet."""
        self.pause()
        self.resume()

    def heard(self) -> None:
        """Bytes came that show nothing: a sign of life, but no reason to wait forever."""
        if self.begun:
            between = self._patience.between_chunks
            left = self._since + between * LIFE_SIGNS - self._time()
            self._watch.allow(min(between, left))

    def end(self) -> None:
        self._watch.pause()
        if self._stream and self.begun:
            self._pace.went_on(self._longest)

    def stalled(self) -> str:
        """What happened, for people."""
        waited = self._time() - self._since
        if self.begun:
            self._pace.went_on(waited)
            return f"fell silent in the middle of its answer for {waited:.3g} s."
        if self._stream:
            self._pace.began(waited)
        return f"sent no answer for {waited:.3g} s."
