import pytest
from msgspec import Raw

from angelia.core.demo.answer import answer
from angelia.core.messages import (
    Assistant,
    Image,
    Prompt,
    Reasoning,
    Sampling,
    System,
    Text,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    Usage,
    User,
    user,
)

TOOLS = tuple(ToolSpec(name, parameters=Raw(b"{}")) for name in ("terminal", "read_file", "mine"))


def ask(text: str, **more: object) -> Prompt:
    return Prompt("m", "", (user(text),), TOOLS, Sampling(**more))  # pyright: ignore[reportArgumentType]


def after(prompt: Prompt, *results: ToolResult) -> Prompt:
    """The prompt that follows when the calls have these results."""
    messages = (*prompt.messages, answer(prompt).message, *results)
    return Prompt("m", "", messages, TOOLS)


def test_wishes_become_calls_of_one_reply():
    reply = answer(ask("`ls` and read a.txt"))
    assert reply.finish == "tool_calls"
    assert reply.message.parts == (
        ToolCall("call_1_1", "terminal", '{"command":"ls"}'),
        ToolCall("call_1_2", "read_file", '{"path":"a.txt"}'),
    )


def test_a_tool_of_the_client_is_called_by_its_name():
    assert answer(ask('call mine {"a": 1}')).message.calls == (
        ToolCall("call_1_1", "mine", '{"a": 1}'),
    )


def test_a_tool_that_is_not_there_is_named_and_the_others_are_called():
    reply = answer(ask("`ls` and list"))
    assert [call.name for call in reply.message.calls] == ["terminal"]
    assert "list_files" in reply.message.text
    assert "mine, read_file, terminal" in reply.message.text


def test_without_any_tool_it_says_so():
    reply = answer(Prompt("m", "", (user("`ls`"),)))
    assert "I have no tools here" in reply.message.text
    assert reply.finish == "stop"


def test_tools_are_left_alone_if_the_client_wants_none():
    reply = answer(ask("`ls`", tool_choice=ToolChoice("none")))
    assert reply.message.calls == ()


@pytest.mark.parametrize(
    ("choice", "name"),
    [(ToolChoice("required"), "terminal"), (ToolChoice("named", "mine"), "mine")],
)
def test_a_call_that_is_demanded_is_made(choice: ToolChoice, name: str):
    reply = answer(ask("hello", tool_choice=choice))
    assert [call.name for call in reply.message.calls] == [name]


def test_results_are_summed_up_and_failures_named():
    first = ask("`ls` and read a.txt")
    long = "\n".join(f"line {number}" for number in range(9))
    reply = answer(
        after(
            first,
            ToolResult("call_1_1", long),
            ToolResult("call_1_2", "no such file", failed=True),
        )
    )
    text = reply.message.text
    assert text.startswith("I made 2 tool calls; 1 failed: read_file.")
    assert "line 4\n… 4 more lines" in text
    assert "line 5" not in text
    assert "**read_file** (failed):\n```\nno such file\n```" in text
    assert reply.message.calls == ()


def test_a_result_without_output_is_shown_as_such():
    text = answer(after(ask("`true`"), ToolResult("call_1_1", ""))).message.text
    assert text == "I made 1 tool call; all went well.\n\n**terminal**:\n```\n(no output)\n```"


def test_call_ids_do_not_come_back_within_a_conversation():
    first = after(ask("`ls`"), ToolResult("call_1_1", "a"))
    summary = answer(first).message
    second = answer(Prompt("m", "", (*first.messages, summary, user("`ls`")), TOOLS))
    assert [call.id for call in second.message.calls] == ["call_3_1"]


def test_thoughts_come_before_what_they_lead_to():
    thinking = answer(ask("think, then `ls`")).message.parts
    assert [type(part) for part in thinking] == [Reasoning, ToolCall]
    assert [type(part) for part in answer(ask("think")).message.parts] == [Reasoning, Text]
    assert [type(part) for part in answer(ask("think, then list")).message.parts] == [
        Reasoning,
        Text,
    ]


def test_a_long_answer_has_so_many_words():
    assert len(answer(ask("long 37")).message.text.split()) == 37


def test_a_limit_cuts_the_text_and_says_so():
    reply = answer(ask("long 37", max_tokens=5))
    assert reply.message.text == "word1 word2 word3 word4 word5"
    assert reply.finish == "length"


@pytest.mark.parametrize(("images", "said"), [(0, "0 images"), (1, "1 image "), (2, "2 images")])
def test_images_are_counted(images: int, said: str):
    pictures = (Image("https://a.example/x.png"),) * images
    reply = answer(Prompt("m", "", (User((Text("see the image"), *pictures)),)))
    assert said in reply.message.text


@pytest.mark.parametrize(
    "way", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "ANGELIA_BASE_URL"]
)
def test_a_greeting_tells_the_way_to_a_real_model(way: str):
    text = answer(ask("hello")).message.text
    assert "demo model" in text
    assert way in text
    assert "angelia.toml" in text


def test_a_conversation_without_a_user_is_greeted():
    assert "demo model" in answer(Prompt("m", "", (System("be nice"),))).message.text


def test_usage_counts_words():
    prompt = Prompt(
        "m", "be nice", (System("a b c"), user("d e"), Assistant((Text("f"),)), user("long 7"))
    )
    assert answer(prompt).usage == Usage(input=10, output=7)
    thinking = answer(ask("think")).usage
    assert thinking is not None
    assert 0 < thinking.reasoning < thinking.output
