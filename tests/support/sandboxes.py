"""Sandboxes for tests: in bubblewrap where it works, else the test is skipped loudly."""

from pathlib import Path
from typing import NoReturn

import pytest

from angelia.adapters.bubblewrap import Bubblewrap, Limits, means


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
