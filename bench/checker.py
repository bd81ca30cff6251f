"""One run as its client sees it, checked delta by delta."""

import msgspec

from bench import framing
from bench.dialects import DIALECTS, Dialect


class Checker:
    """Reads the body of one run; `verdict` says what is wrong with it, or nothing.

    Deltas are found by their text, however a server cuts or joins them.
    """

    def __init__(self, deltas: int, dialect: Dialect = DIALECTS["chat"]) -> None:
        self._deltas = deltas
        self._dialect = dialect
        self._line = b""
        self._text = ""
        self._done = False
        self._fault = ""
        self.seen = 0

    def feed(self, data: bytes) -> list[int]:
        """Takes bytes of the body, returns the send times of the deltas that they complete."""
        *lines, self._line = (self._line + data).split(b"\n")
        sent: list[int] = []
        for line in lines:
            if line.startswith(b"data:"):
                self._take(line[5:].strip(), sent)
        return sent

    def verdict(self) -> str:
        if self._fault:
            return self._fault
        if self._text:
            return f"foreign text {self._text[:80]!r}"
        if self.seen != self._deltas:
            return f"{self.seen} of {self._deltas} deltas arrived"
        missing = self._dialect.ends_with_frame and not self._done
        return "the stream ended without its last frame" if missing else ""

    def _take(self, data: bytes, sent: list[int]) -> None:
        if self._done:
            self._blame("data behind the last frame")
            return
        try:
            reading = self._dialect.read(data)
        except msgspec.MsgspecError as error:
            self._blame(f"unreadable frame: {error}")
            return
        self._done = reading.done
        if reading.fault:
            self._blame(reading.fault)
        if reading.text:
            self._take_text(reading.text, sent)

    def _take_text(self, text: str, sent: list[int]) -> None:
        *tokens, self._text = (self._text + text).split(" ")
        for token in tokens:
            try:
                index, sent_ns = framing.read_token(token)
            except ValueError:
                self._blame(f"foreign text {token[:80]!r}")
                continue
            if index != self.seen:
                self._blame(f"delta {index} came where {self.seen} was due")
            self.seen += 1
            sent.append(sent_ns)

    def _blame(self, fault: str) -> None:
        self._fault = self._fault or fault
