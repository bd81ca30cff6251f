"""The type of an error follows from its code."""

import pytest

from angelia.wire.blame import error_type


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("upstream_refused", "upstream_error"),
        ("invalid_image_url", "invalid_request_error"),
        ("unsupported_parameter", "invalid_request_error"),
        ("context_length_exceeded", "invalid_request_error"),
        ("run_cancelled", "conflict_error"),
        ("internal_error", "server_error"),
        ("server_stopping", "server_error"),
    ],
)
def test_whose_fault_it_is(code: str, kind: str) -> None:
    assert error_type(code) == kind
