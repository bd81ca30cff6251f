import pytest

from angelia.adapters.no_sandbox import NoSandbox
from angelia.errors import ToolError
from angelia.ports import Command


async def test_every_command_is_refused_with_the_reason_and_the_ways_out():
    sandbox = NoSandbox("bubblewrap is not installed")
    assert (sandbox.level, sandbox.reason) == ("unavailable", "bubblewrap is not installed")
    with pytest.raises(ToolError) as refused:
        await sandbox.start(Command("true"))
    for words in ("bubblewrap is not installed", "apt-get install bubblewrap", 'sandbox = "none"'):
        assert words in str(refused.value)
    await sandbox.leave("any")
    await sandbox.close()
