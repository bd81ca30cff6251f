"""What the demo model answers: calls first, then a summary of what came of them."""

from collections.abc import Sequence

from angelia.core.demo.plan import Plan, Wanted, plan
from angelia.core.messages import (
    Assistant,
    AssistantPart,
    FinishReason,
    Image,
    Message,
    Prompt,
    Reasoning,
    Reply,
    System,
    Text,
    ToolCall,
    ToolResult,
    Usage,
    User,
)
from angelia.core.unfold import words

NAME = "demo"
_LINES = 5
_WIDTH = 200

_INTRODUCTION = """\
Hello! I am Angelia's built-in demo model: a few fixed rules, offline, the same answer every time. \
There is no language model behind me, but the tools I call are real.

Try me:
- put a command in backticks, such as `ls -la`; several run side by side
- `list`, `read FILE`, `write FILE: text`, `sleep 2`, `fail`
- `call NAME {"some": "json"}` for any other tool, yours included
- `think`, `long 200`, or send an image

To talk to a real model, set OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY, or point \
ANGELIA_BASE_URL at any compatible server, or write it down in angelia.toml; then start again."""


def answer(prompt: Prompt) -> Reply:
    """The same prompt always has the same answer."""
    asked, turn = _last_turn(prompt.messages)
    results = [message for message in turn if isinstance(message, ToolResult)]
    parts = _summary(turn, results) if results else _opening(prompt, asked)
    parts, finish = _within(parts, prompt.sampling.max_tokens)
    return Reply(Assistant(parts), finish, _usage(prompt, parts), NAME)


def text_of(message: User) -> str:
    return "\n".join(part.text for part in message.parts if isinstance(part, Text))


def _last_turn(messages: Sequence[Message]) -> tuple[User, Sequence[Message]]:
    """The last thing the user said, and all that came behind it."""
    for place in reversed(range(len(messages))):
        message = messages[place]
        if isinstance(message, User):
            return message, messages[place + 1 :]
    return User(()), messages


# ── the first answer ────────────────────────────────────────────────────────────────────────


def _opening(prompt: Prompt, asked: User) -> tuple[AssistantPart, ...]:
    wishes = plan(text_of(asked))
    known = _known_tools(prompt)
    wanted = _forced(prompt, known) if not wishes.calls else wishes.calls
    able = [call for call in wanted if call.tool in known]
    missing = sorted({call.tool for call in wanted} - known)
    parts: list[AssistantPart] = []
    if wishes.think:
        parts.append(Reasoning(_thoughts(able, missing)))
    if missing:
        parts.append(Text(_without(missing, known)))
    elif not able:
        parts.append(Text(_chat(wishes, asked)))
    step = 1 + sum(isinstance(message, Assistant) for message in prompt.messages)
    calls = (
        ToolCall(f"call_{step}_{number}", call.tool, call.arguments)
        for number, call in enumerate(able, 1)
    )
    return (*parts, *calls)


def _known_tools(prompt: Prompt) -> set[str]:
    if prompt.sampling.tool_choice.mode == "none":
        return set()
    return {tool.name for tool in prompt.tools}


def _forced(prompt: Prompt, known: set[str]) -> tuple[Wanted, ...]:
    """The call that `tool_choice` demands though the message asks for none."""
    choice = prompt.sampling.tool_choice
    if choice.mode == "named" and choice.name in known:
        return (Wanted(choice.name, "{}"),)
    if choice.mode == "required" and known:
        return (Wanted(prompt.tools[0].name, "{}"),)
    return ()


def _thoughts(able: Sequence[Wanted], missing: Sequence[str]) -> str:
    if able:
        names = ", ".join(call.tool for call in able)
        return f"The message asks for {_count(len(able), 'tool call')}: {names}."
    if missing:
        return "The message asks for tools that I do not have, so I say which."
    return "The message asks for no tool, so I answer right away."


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _without(missing: Sequence[str], known: set[str]) -> str:
    have = f"I have {', '.join(sorted(known))}." if known else "I have no tools here."
    return f"I cannot call {', '.join(missing)}: no such tool here. {have}"


def _chat(wishes: Plan, asked: User) -> str:
    images = sum(isinstance(part, Image) for part in asked.parts)
    if wishes.words:
        return " ".join(f"word{number}" for number in range(1, wishes.words + 1))
    if wishes.images or images:
        return f"I saw {_count(images, 'image')} in your message."
    if wishes.think:
        return "I have thought about it, and I am still a demo model."
    return _INTRODUCTION


# ── the answer to results ───────────────────────────────────────────────────────────────────


def _summary(turn: Sequence[Message], results: Sequence[ToolResult]) -> tuple[AssistantPart, ...]:
    made = [message for message in turn if isinstance(message, Assistant)]
    names = {call.id: call.name for message in made for call in message.calls}
    failed = [names.get(result.call_id, "tool") for result in results if result.failed]
    count = _count(len(results), "tool call")
    verdict = f"{len(failed)} failed: {', '.join(failed)}." if failed else "all went well."
    quotes = (_quote(names.get(result.call_id, "tool"), result) for result in results)
    return (Text("\n\n".join((f"I made {count}; {verdict}", *quotes))),)


def _quote(name: str, result: ToolResult) -> str:
    lines = result.output.strip().splitlines()
    shown = [line[:_WIDTH] for line in lines[:_LINES]]
    if len(lines) > _LINES:
        shown.append(f"… {len(lines) - _LINES} more lines")
    body = "\n".join(shown) or "(no output)"
    return f"**{name}**{' (failed)' if result.failed else ''}:\n```\n{body}\n```"


# ── counting ────────────────────────────────────────────────────────────────────────────────


def _within(
    parts: tuple[AssistantPart, ...], limit: int | None
) -> tuple[tuple[AssistantPart, ...], FinishReason]:
    """A text of more words than `limit` is cut; calls are always whole."""
    if any(isinstance(part, ToolCall) for part in parts):
        return parts, "tool_calls"
    last = parts[-1]
    if limit is None or not isinstance(last, Text) or len(words(last.text)) <= limit:
        return parts, "stop"
    return (*parts[:-1], Text("".join(words(last.text)[:limit]))), "length"


def _usage(prompt: Prompt, parts: Sequence[AssistantPart]) -> Usage:
    """One token for each word."""
    said = len(prompt.instructions.split()) + sum(map(_message_words, prompt.messages))
    thought = sum(_part_words(part) for part in parts if isinstance(part, Reasoning))
    return Usage(input=said, output=sum(map(_part_words, parts)), reasoning=thought)


def _message_words(message: Message) -> int:
    match message:
        case System(text=text) | ToolResult(output=text):
            return len(text.split())
        case User():
            return len(text_of(message).split())
        case Assistant(parts=parts):
            return sum(map(_part_words, parts))


def _part_words(part: AssistantPart) -> int:
    text = part.arguments if isinstance(part, ToolCall) else part.text
    return len(text.split())
