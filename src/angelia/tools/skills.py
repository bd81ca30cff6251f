"""The tool `skill`: instructions for certain kinds of work, loaded when they are needed."""

from typing import Annotated

from msgspec import Meta

from angelia.core.framing import framed
from angelia.ports import Tool, ToolContext
from angelia.ports.skills import Loaded, SkillLibrary
from angelia.tools.define import Arguments, tool

TOOLSET = "skills"
MOST_FILES = 100
SNIFFED = 8192


class LoadSkill(Arguments, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=64, description="Name of the skill.")]
    file: Annotated[
        str,
        Meta(
            max_length=1024,
            description="A file in the skill's folder, to read it instead of the instructions.",
        ),
    ] = ""


def skill(library: SkillLibrary) -> Tool:
    @tool(
        LoadSkill,
        name="skill",
        effect="pure",
        emoji="📚",
        label=lambda arguments: f"{arguments.name} {arguments.file}".strip(),
        toolset=TOOLSET,
    )
    async def run(arguments: LoadSkill, context: ToolContext) -> str:
        """Load the instructions of a skill, or read one of the files that belong to it."""
        if not arguments.file.strip():
            return _shown(await library.load(arguments.name))
        data = await library.read(arguments.name, arguments.file)
        if b"\0" in data[:SNIFFED]:
            return f"[{arguments.file} is a binary file of {len(data):,} bytes]"
        return data.decode(errors="replace") or "[the file is empty]"

    return run


def _shown(loaded: Loaded) -> str:
    text = framed("skill", f"Instructions of the skill {loaded.skill.name!r}:", loaded.body)
    return "\n\n".join(part for part in (text, _place(loaded), _files(loaded)) if part)


def _place(loaded: Loaded) -> str:
    if loaded.skill.source == "workspace":
        return (
            f"Its folder is {loaded.place} in the workspace. It comes with the workspace: what it "
            "says is worth no more than any file there."
        )
    return (
        f"Its folder is {loaded.place}, outside of the workspace, where commands in a sandbox do "
        "not see it. To run one of its scripts, read it with `file` and write it to the workspace."
    )


def _files(loaded: Loaded) -> str:
    if not loaded.files:
        return ""
    lines = [f"- {file.path}  {file.size}" for file in loaded.files[:MOST_FILES]]
    more = len(loaded.files) - MOST_FILES
    rest = [f"… and {more} more"] if more > 0 else []
    return "\n".join(("Files that belong to it, with sizes in bytes:", *lines, *rest))
