"""`search_files` against ripgrep and grep on a tree of 100,000 files, in interleaved rounds."""

import argparse
import asyncio
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from angelia.adapters.local_workspace import LocalWorkspace
from angelia.adapters.processes import PlainProcesses
from angelia.adapters.ripgrep_search import RipgrepSearch
from angelia.adapters.walking_search import WalkingSearch
from angelia.core.events import SubagentCompleted, SubagentStarted
from angelia.ports import Caller, Stream, Tool
from angelia.tools.search import search_files

FILES = 100_000
PER_FOLDER = 100
LIMIT = 3.0
QUESTIONS = {
    "rare word": "needle_[0-9]+",
    "common word": "common_[a-z]+_77[0-9]$",
    "nothing": "nowhere_to_be_found",
}


class Alone:
    """A context that nobody watches."""

    run_id = "run_bench"
    call_id = "call_bench"
    caller = Caller("bench")

    async def show(self, text: str, stream: Stream = "stdout") -> None: ...

    async def tell(self, event: SubagentStarted | SubagentCompleted) -> None: ...


def grow(root: Path, files: int) -> None:
    """About 1 KiB of text each; every thousandth file has the rare word in it."""
    for number in range(files):
        folder = root / f"part{number // PER_FOLDER // 100:02}" / f"pack{number // PER_FOLDER:04}"
        if number % PER_FOLDER == 0:
            folder.mkdir(parents=True, exist_ok=True)
        lines = [f"line {n} of file {number}: common_word_{(n * number) % 5000}" for n in range(25)]
        if number % 1000 == 7:
            lines.append(f"here is needle_{number}")
        (folder / f"file{number}.txt").write_text("\n".join(lines) + "\n")
    (root / ".gitignore").write_text("*.log\nnode_modules/\n")


def by_tool(tool: Tool, pattern: str) -> float:
    begun = time.perf_counter()
    asyncio.run(tool.call(json.dumps({"pattern": pattern}), Alone()))
    return time.perf_counter() - begun


def by_command(command: Sequence[str], root: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(command, cwd=root, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begun


def rivals(root: Path, pattern: str) -> dict[str, Callable[[], float]]:
    workspace = LocalWorkspace(root)
    walking = search_files(workspace, WalkingSearch(root))
    found: dict[str, Callable[[], float]] = {
        "grep -r": lambda: by_command(["grep", "-rEn", pattern, "."], root),
        "search_files without rg": lambda: by_tool(walking, pattern),
    }
    if shutil.which("rg"):
        search = RipgrepSearch(PlainProcesses(root), workspace, WalkingSearch(root))
        ours = search_files(workspace, search)
        found["rg"] = lambda: by_command(["rg", "-n", pattern], root)
        found["search_files"] = lambda: by_tool(ours, pattern)
    return found


def measured(root: Path, rounds: int) -> dict[str, dict[str, float]]:
    medians: dict[str, dict[str, float]] = {}
    for name, pattern in QUESTIONS.items():
        times: dict[str, list[float]] = {}
        for _ in range(rounds):
            for rival, ask in rivals(root, pattern).items():
                times.setdefault(rival, []).append(ask())
        medians[name] = {rival: statistics.median(each) for rival, each in times.items()}
    return medians


def ratio(medians: dict[str, float]) -> float:
    """To the faster of the two, which is the harder one to keep up with."""
    ours = medians.get("search_files", medians["search_files without rg"])
    return ours / min(medians[rival] for rival in ("rg", "grep -r") if rival in medians)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.search", description=__doc__)
    parser.add_argument("--files", type=int, default=FILES, help="how many files to make")
    parser.add_argument("--rounds", type=int, default=5, help="rounds per question")
    args = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="bench-search-") as folder:
        root = Path(folder)
        grow(root, args.files)
        by_command(["grep", "-rc", "warm", "."], root)
        medians = measured(root, args.rounds)
    table = Table(title=f"{args.files:,} files, medians of {args.rounds} rounds, seconds")
    names = list(next(iter(medians.values())))
    for heading in ("question", *names, "ratio to the faster"):
        table.add_column(heading)
    for question, times in medians.items():
        shown = (f"{times[name]:.3f}" for name in names)
        mark = "✓" if ratio(times) <= LIMIT else "✗"
        table.add_row(question, *shown, f"{ratio(times):.2f} × {mark}")
    Console(width=None if sys.stdout.isatty() else 120).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
