from angelia.surfaces.cli.chat.told import first_sentence, plain, tools
from angelia.surfaces.cli.server import Tool


def test_what_others_wrote_is_no_markdown_and_moves_no_cursor() -> None:
    assert plain("**bold** `x`\n\n# head \x1b[31mred") == r"\*\*bold\*\* \`x\` \# head red"
    assert len(plain("word " * 100)) == 80


def test_a_description_is_cut_at_its_first_sentence() -> None:
    assert first_sentence("Runs a\ncommand. Then more.") == "Runs a command."
    assert first_sentence("no end") == "no end"


def test_a_tool_that_is_switched_off_says_so() -> None:
    off = Tool("a", "Does. More.", "🔧", "pure", "files", enabled=False)
    assert tools([off]) == "**files**\n\n- 🔧 `a` (off): Does."
    assert tools([]) == "There are no tools."
