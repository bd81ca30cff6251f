"""Sandboxes for tests: in bubblewrap where it works, else the test is skipped loudly."""

import tempfile
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from angelia.adapters.bubblewrap import Bubblewrap, Limits, means


@cache
def sandbox_works() -> bool:
    found = means()
    if isinstance(found, str):
        return False
    with tempfile.TemporaryDirectory() as folder:
        return Bubblewrap(Path(folder) / "w", Path(folder) / "h", means=found).fault() is None


def bubblewrapped(
    workspace: Path,
    home: Path,
    limits: Limits = Limits(),  # noqa: B008 -- frozen
    egress: Path | None = None,
) -> Bubblewrap:
    found = means()
    if isinstance(found, str):
        _skip(found)
    sandbox = Bubblewrap(workspace, home, means=found, limits=limits, egress=egress)
    fault = sandbox.fault()
    if fault is not None:
        _skip(fault)
    return sandbox


def _skip(reason: str) -> NoReturn:
    print(f"NO SANDBOX: {reason}. Nothing here shows that commands are kept apart.")
    pytest.skip(f"NO SANDBOX: {reason}")
