import pytest

from angelia.surfaces.upstream.strictness.names import bad_image, bad_name


@pytest.mark.parametrize("name", ["terminal", "a-b_C9", "x" * 64])
def test_names_that_every_provider_takes(name: str):
    assert bad_name(name) is None


@pytest.mark.parametrize("name", ["", "a.b", "a b", "x" * 65, "é"])
def test_names_that_providers_refuse(name: str):
    assert "does not match" in (bad_name(name) or "")


@pytest.mark.parametrize(
    "url",
    ["https://x/y.png", "http://x/y", "data:image/png;base64,AAAA", "data:image/webp;base64,AA=="],
)
def test_images_that_can_be_read(url: str):
    assert bad_image(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "no address"),
        ("file:///etc/passwd", "no address"),
        ("data:image/png,AAAA", "no address"),
        ("data:image/tiff;base64,AAAA", "no kind of image"),
        ("data:image/png;base64,A*", "not base64"),
        ("data:image/png;base64,", "is empty"),
    ],
)
def test_images_that_cannot_be_read(url: str, reason: str):
    assert reason in (bad_image(url) or "")
