from angelia.tools.live import LIVE_END, LIVE_LIMIT, Live
from tests.tools.watching import Watcher


async def test_output_is_shown_by_stream_up_to_the_limit():
    watcher = Watcher()
    live = Live(watcher)
    await live.show(b"")
    await live.show(b"out")
    await live.show(b"err", "stderr")
    await live.show(b"x" * LIVE_LIMIT)
    await live.show(b"never shown")
    assert watcher.shown[:2] == [("out", "stdout"), ("err", "stderr")]
    assert watcher.text() == "outerr" + "x" * (LIVE_LIMIT - 6) + LIVE_END


async def test_what_fits_to_the_last_byte_needs_no_marker():
    watcher = Watcher()
    await Live(watcher).show(b"x" * LIVE_LIMIT)
    assert watcher.text() == "x" * LIVE_LIMIT
