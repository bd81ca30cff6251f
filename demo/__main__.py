"""The command: `python -m demo FOLDER` makes a demo home in a folder that does not exist yet."""

import asyncio
import sys
import time
from pathlib import Path

from demo.home import make


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: scripts/demo-home FOLDER", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1]).absolute()
    if folder.exists() and any(folder.iterdir()):
        print(f"{folder} is not empty; name a folder that can be made.", file=sys.stderr)
        return 1
    began = time.monotonic()
    asyncio.run(make(folder))
    print(f"A demo home is in {folder} ({time.monotonic() - began:.0f} s). Open it with")
    print(f"  angelia serve --home {sys.argv[1]}")
    print(f"and sign in at http://127.0.0.1:8642 with the key in {sys.argv[1]}/key.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
