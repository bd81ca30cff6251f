import pytest

from angelia.core.arguments import fault


@pytest.mark.parametrize("arguments", ["", "  ", "{}", '{"a": [1]}', ' {"a":null} '])
def test_an_object_or_nothing_can_be_arguments(arguments: str) -> None:
    assert fault(arguments) is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("[1]", "expected object, got array"),
        ("null", "expected object, got null"),
        ('"x"', "expected object, got string"),
        ("7", "expected object, got int"),
        ('{"a": ', "not valid JSON"),
        ("ls -l", "not valid JSON"),
        ('{"a":1}{"b":2}', "not valid JSON"),
        ('{"a":' + "[" * 5000, "nested too deeply"),
        ('{"a":"\udcff"}', "not valid JSON"),
    ],
)
def test_what_is_wrong_is_named(arguments: str, words: str) -> None:
    assert words in (fault(arguments) or "")
