"""Estimates of tokens: near enough to plan with, and never less for more."""

import pytest
from hypothesis import given
from msgspec import Raw
from msgspec.structs import replace

from angelia.core.messages import (
    Assistant,
    Image,
    Message,
    Prompt,
    Reasoning,
    Refusal,
    System,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    user,
)
from angelia.core.tokens import (
    BYTES_PER_TOKEN,
    PER_IMAGE,
    PER_MESSAGE,
    PER_TOOL,
    estimate,
    of_message,
    of_text,
)
from tests.core.transcripts import messages, prompts, texts

WORDS = "The quick brown fox jumps over the lazy dog. " * 10


def test_english_takes_about_four_bytes_a_token() -> None:
    # A common tokenizer makes 101 of these.
    assert of_text(WORDS) == pytest.approx(101, rel=0.25)


def test_text_of_other_scripts_counts_by_its_bytes() -> None:
    assert of_text("ω" * 100) == of_text("w" * 200)
    assert of_text("語" * 100) == of_text("w" * 300)


def test_half_a_character_counts_too() -> None:
    assert of_text("\ud800") == 1


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (System(WORDS), of_text(WORDS)),
        (user(WORDS), of_text(WORDS)),
        (ToolResult("c1", WORDS), of_text(WORDS)),
        (Assistant((Text(WORDS), Reasoning(WORDS), Refusal(WORDS))), 3 * of_text(WORDS)),
        (
            User((Image("data:image/png;base64," + "A" * 9999), Text(WORDS))),
            PER_IMAGE + of_text(WORDS),
        ),
        (
            Assistant((ToolCall("c1", "read", WORDS),)),
            PER_MESSAGE + of_text("read") + of_text(WORDS),
        ),
    ],
)
def test_every_part_of_a_message_counts(message: Message, expected: int) -> None:
    assert of_message(message) == PER_MESSAGE + expected


def test_instructions_and_tools_are_part_of_a_prompt() -> None:
    empty = Prompt("m", "", ())
    assert estimate(empty) == 0
    told = replace(empty, instructions=WORDS)
    assert estimate(told) == PER_MESSAGE + of_text(WORDS)
    schema = Raw(b'{"type":"object"}')
    tool = ToolSpec("read", WORDS, schema)
    expected = PER_TOOL + of_text("read") + of_text(WORDS) + round(17 / BYTES_PER_TOKEN)
    assert estimate(replace(empty, tools=(tool,))) == expected


@given(prompts, messages)
def test_a_prompt_with_one_more_message_is_that_much_longer(
    prompt: Prompt, message: Message
) -> None:
    longer = replace(prompt, messages=(*prompt.messages, message))
    assert estimate(longer) == estimate(prompt) + of_message(message)
    assert of_message(message) >= PER_MESSAGE


@given(texts, texts)
def test_two_texts_are_as_long_as_both(first: str, second: str) -> None:
    assert abs(of_text(first + second) - of_text(first) - of_text(second)) <= 1
