import pytest

from angelia.surfaces.cli.amounts import money, tokens


@pytest.mark.parametrize(
    ("cost", "words"), [(0, "0"), (1.234, "1.23"), (0.01234, "0.0123"), (0.0000123, "1.2e-05")]
)
def test_small_sums_keep_the_digits_that_matter(cost: float, words: str) -> None:
    assert money(cost) == words


def test_tokens_are_counted() -> None:
    assert [tokens(1), tokens(12345)] == ["1 token", "12,345 tokens"]
