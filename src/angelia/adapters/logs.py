"""Log lines on stderr, as text or JSON, with every key taken out."""

import json
import logging
import sys
import time

from angelia.core.redact import SHAPES_ONLY, Redactor


class TextLines(logging.Formatter):
    def __init__(self, redact: Redactor = SHAPES_ONLY) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S")
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


class JsonLines(logging.Formatter):
    converter = time.gmtime

    def __init__(self, redact: Redactor = SHAPES_ONLY) -> None:
        super().__init__()
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%SZ"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._redact(record.getMessage()),
        }
        if record.exc_info:
            line["traceback"] = self._redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def configure(level: str, form: str, redact: Redactor = SHAPES_ONLY) -> None:
    """For the whole process; called by whoever owns it."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines(redact) if form == "json" else TextLines(redact))
    logging.basicConfig(level=level.upper(), handlers=[lines], force=True)
