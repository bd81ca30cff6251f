"""Python environments beside that of the tests, one for each lock file that cannot live in it."""

from pathlib import Path

VENVS = Path(__file__).parent.parent / ".venvs"


def python(name: str) -> tuple[Path, str]:
    """The interpreter that has what requirements/`name`.txt says, or what is missing."""
    found = VENVS / name / "bin" / "python"
    return found, "" if found.exists() else f"{found} is missing, which make test makes"
