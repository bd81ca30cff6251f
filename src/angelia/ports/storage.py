"""Whether anything can be written down at the moment, and what a salvage has found."""

from typing import Protocol

from angelia.errors import LogUnavailable


class Storage(Protocol):
    @property
    def trouble(self) -> LogUnavailable | None:
        """Why nothing can be written at the moment; None if all is well."""
        ...
