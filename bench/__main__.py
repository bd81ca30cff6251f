"""The command: starts everything, measures in interleaved rounds, prints tables and targets."""

import argparse
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from bench import choice, page, report, scenarios, search, servers
from bench.course import Course

KEPT = servers.ROOT / "build" / "bench.json"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    only = f"what to measure, and on whom, with * and ?, of: {', '.join(choice.names())}"
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help=only)
    parser.add_argument("--all", action="store_true", help="every surface, pace and number")
    parser.add_argument("--rounds", type=int, help="rounds per scenario")
    parser.add_argument(
        "--quick", action="store_true", help="one short round, to see that it works"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", default=KEPT, help="where to keep it")
    args = parser.parse_args(arguments)
    for pattern in args.only:
        if not choice.matching(choice.names(), [pattern]):
            parser.error(f"nothing is called {pattern}")
    return args


def wanted(args: argparse.Namespace) -> choice.Choice:
    found = choice.choose(args.only, whole=args.all)
    some = found.scenarios
    if args.quick:
        some = tuple(map(scenarios.quick, some))
    if args.rounds:
        some = tuple(msgspec.structs.replace(each, rounds=args.rounds) for each in some)
    return msgspec.structs.replace(found, scenarios=some)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["search"]:
        return search.main(arguments[1:])
    if arguments[:1] == ["page"]:
        return page.main(Path(arguments[1]) if arguments[1:] else KEPT)
    args = parse(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console = Console(width=None if sys.stdout.isatty() else 150)
    with tempfile.TemporaryDirectory(prefix="bench-") as home:
        outcome = Course(console, Path(home), quick=args.quick).run(wanted(args))
    report.print_verdicts(console, outcome.verdicts)
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_bytes(msgspec.json.format(msgspec.json.encode(outcome)))
    console.print(f"\nEverything measured is in {args.json}.", highlight=False)
    if not (args.only or args.quick):
        page.main(args.json)
    return outcome.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
