"""`angelia.toml` of the demo home: while it is made, and as it is left behind."""

KEPT = """\
[agent]
instructions = "You help with the tide tables in the workspace. Be brief."

[agents.researcher]
instructions = "You look things up and report what you found."

[agents.scribe]
instructions = "You write release notes and minutes."
tools = ["files", "memory"]

[approvals]
mode = "ask"
expires_after = 2592000

[[approvals.rules]]
verdict = "ask"
command = "python3 scripts/publish.py*"

[[approvals.rules]]
verdict = "allow"
tool = "terminal"

[[approvals.rules]]
verdict = "allow"
tool = "mcp__*"

[mcp.almanac]
command = "python3"
args = ["-IS", "../almanac.py"]

[schedule]
timezone = "Europe/Berlin"

[prices."gpt-5.4"]
input = 2.5
output = 15
cached = 0.25

[prices."claude-*"]
input = 3
output = 15
cached = 0.3
cache_written = 3.75
"""


def while_made(upstream: str) -> str:
    """The agents ask the scripted server, under the names of models as people have them."""
    models = f"""
[providers.studio]
base_url = "{upstream}"

[models.big]
provider = "studio"
name = "gpt-5.4"

[models.claude]
provider = "studio"
name = "claude-sonnet-4-5"

[models.small]
provider = "studio"
name = "qwen3:4b"
"""
    asked = KEPT.replace("[agent]\n", '[agent]\nmodel = "big"\nfallback = ["claude"]\n', 1)
    asked = asked.replace("[agents.researcher]\n", '[agents.researcher]\nmodel = "claude"\n', 1)
    asked = asked.replace("[agents.scribe]\n", '[agents.scribe]\nmodel = "small"\n', 1)
    return asked + models
