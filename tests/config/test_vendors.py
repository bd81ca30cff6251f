import pytest

from angelia.config import VENDORS, Secret
from angelia.config.vendors import in_variable, vendor_at


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", ()),
        (" , ", ()),
        ("a", ("a",)),
        (" a ,b,", ("a", "b")),
        ("a,a", ("a",)),
    ],
)
def test_a_variable_holds_one_key_or_several(text: str, keys: tuple[str, ...]) -> None:
    assert in_variable("K", {"K": text}) == tuple(map(Secret, keys))
    assert in_variable("K", {}) == ()


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_vendor_is_known_by_its_host(vendor) -> None:
    assert vendor_at(vendor.base_url + "/more") == vendor
    assert vendor_at("http://127.0.0.1:1/v1") is None
