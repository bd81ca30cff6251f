"""What the models of the demo say: steps of the scripted server, found by words of the question."""

from typing import Any

Step = dict[str, Any]


def step(
    when: str,
    text: str = "",
    *calls: tuple[str, dict[str, Any]],
    tokens: tuple[int, int] = (3200, 180),
    **more: Any,
) -> Step:
    """`tokens` are those of the prompt and of the answer; most of a prompt is in a cache."""
    read, written = tokens
    usage = {"input": read, "output": written, "cached": read * 3 // 4 if read > 4000 else 0}
    named = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return {"when": when, "text": text, "calls": named, "usage": usage, "pace": 0.004, **more}


ABOUT = "What is in this workspace?"
SUMMER = "The table for north-pier is an hour off in summer. Why, and can you fix it?"
REBUILD = "Rebuild the tables of all stations."
SPRING = "When are the next spring tides?"
IMAGE = "What does this curve show?"
RELEASE = "Is everything ready for 0.4.0? Check code and docs side by side."
PUBLISH = "Publish 0.4.0."
NOTES = "Write release notes for 0.4.0."
SHORTER = "Write release notes for 0.4.0, three lines at most."
BUSY = "Summarise the open questions about datums."
LOST = "Compare the two datums in a table."
WATCH = "Watch the gauge until it falls."
CODE_GOAL = "Run the tests of the package and report what fails."
DOCS_GOAL = "Check that README and CHANGELOG agree with the code."
CSV_GOAL = "List the stations of data/stations.csv with their zones."


def with_image(address: str) -> list[dict[str, Any]]:
    """The question about the curve, with the curve."""
    parts = [
        {"type": "text", "text": IMAGE},
        {"type": "image_url", "image_url": {"url": address}},
    ]
    return [{"role": "user", "content": parts}]


OVERLOADED = {"status": 503, "body": {"error": {"message": "The model is overloaded."}}}

FIXED = '''\
from datetime import datetime, timezone
from zoneinfo import ZoneInfo


def local(moment: datetime, zone: str) -> datetime:
    """What the clocks at the station show."""
    return moment.astimezone(ZoneInfo(zone))
'''
BROKEN = '''\
from datetime import datetime, timedelta, timezone

OFFSETS = {"Europe/Berlin": 1, "Europe/London": 0}


def local(moment: datetime, zone: str) -> datetime:
    """What the clocks at the station show."""
    return moment + timedelta(hours=OFFSETS[zone])
'''

CONVERSATIONS: list[Step] = [
    step(
        ABOUT,
        "",
        ("list_files", {"path": ".", "depth": 2}),
        ("read_file", {"path": "README.md"}),
        tokens=(2100, 64),
    ),
    step(
        ABOUT,
        """\
A small package that computes **tide tables** for harbours.

| part | what it holds |
|---|---|
| `tides/table.py` | high water by station, in local time |
| `data/stations.csv` | four stations with zone and datum |
| `scripts/rebuild.py` | writes all tables anew |
| `tests/` | two tests of local times |

To see a table:

```bash
python3 -m tides --station north-pier --days 2
```
""",
        tokens=(2900, 140),
    ),
    step(
        SUMMER,
        "I will look at how local times are made, and at the tests.",
        ("read_file", {"path": "tides/table.py"}),
        ("search_files", {"pattern": "OFFSETS|zone", "glob": "*.py"}),
        ("terminal", {"command": "python3 -m unittest 2>&1 | tail -n 12; exit ${PIPESTATUS[0]}"}),
        reasoning="An hour off in summer only: that smells of a fixed offset where a time zone "
        "belongs. The tests should show it, if there is one for summer.",
        tokens=(4300, 210),
        delay=0.4,
    ),
    step(
        SUMMER,
        "The offset is fixed, so summer time is ignored. `zoneinfo` knows it.",
        (
            "patch",
            {"edits": [{"path": "tides/table.py", "old": BROKEN, "new": FIXED}]},
        ),
        tokens=(5600, 320),
        delay=0.3,
    ),
    step(
        SUMMER,
        "",
        (
            "patch",
            {
                "edits": [
                    {
                        "path": "tides/table.py",
                        "old": "from datetime import datetime, timezone\n",
                        "new": "from datetime import datetime, timedelta\n",
                    }
                ]
            },
        ),
        ("terminal", {"command": "python3 -m unittest -v 2>&1"}),
        tokens=(6100, 90),
    ),
    step(
        SUMMER,
        """\
Fixed. `local` added a **fixed offset** per zone, so every time between March and October was an \
hour early. It asks the time zone now:

```python
def local(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone))
```

- `test_summer` failed before and passes now; `test_winter` is unchanged
- `OFFSETS` is gone: a new zone in `stations.csv` needs no change in the code
""",
        tokens=(6900, 190),
    ),
    step(
        REBUILD,
        "This takes a moment.",
        ("terminal", {"command": "python3 scripts/rebuild.py"}),
        tokens=(2400, 40),
    ),
    step(REBUILD, "All 12 tables of the 4 stations are written anew.", tokens=(2700, 24)),
    step(
        SPRING,
        "",
        ("mcp__almanac__moon_phase", {"date": "today"}),
        ("mcp__almanac__spring_tides", {"date": "today"}),
        tokens=(2600, 52),
    ),
    step(
        SPRING,
        "On **26 November** and **11 December**, two days after the full and the new moon.",
        tokens=(2800, 40),
    ),
    step(
        IMAGE,
        "Two days of tide: four high waters, each a little over **12 hours** after the last. "
        "The range is even, so this is near neither springs nor neaps.",
        reasoning="Four crests of the same height over the width of the picture.",
        tokens=(3100, 60),
    ),
    step(
        RELEASE,
        "Two parts that need nothing of each other.",
        (
            "delegate",
            {
                "tasks": [
                    {"goal": CODE_GOAL, "toolsets": ["terminal", "files"]},
                    {"goal": DOCS_GOAL, "toolsets": ["files", "delegate"]},
                ]
            },
        ),
        tokens=(4100, 160),
        delay=0.4,
    ),
    step(CODE_GOAL, "", ("terminal", {"command": "python3 -m unittest 2>&1"}), delay=0.5),
    step(CODE_GOAL, "Both tests pass.", delay=0.3),
    step(
        DOCS_GOAL,
        "",
        ("read_file", {"path": "README.md"}),
        ("read_file", {"path": "CHANGELOG.md"}),
        ("delegate", {"tasks": [{"goal": CSV_GOAL, "toolsets": ["files"]}]}),
        delay=0.3,
    ),
    step(CSV_GOAL, "", ("read_file", {"path": "data/stations.csv"}), delay=0.4),
    step(CSV_GOAL, "Four stations, two in each of Europe/Berlin and Europe/London.", delay=0.3),
    step(DOCS_GOAL, "They agree; the fix of summer time is missing from the changelog.", delay=0.3),
    step(
        RELEASE,
        """\
Nearly.

1. **Code**: both tests pass.
2. **Docs**: README is right; `CHANGELOG.md` does not name the fix of summer time yet.
3. **Data**: four stations in two zones, as the changelog says.
""",
        tokens=(5200, 90),
    ),
    step(
        PUBLISH,
        "The tests pass and the changelog is complete. Publishing cannot be undone, so this one "
        "is for you to decide.",
        ("terminal", {"command": "python3 scripts/publish.py --release 0.4.0"}),
        reasoning="Publishing is final. The command goes through the approval of a person.",
        tokens=(4600, 80),
    ),
    step(
        SHORTER,
        "- local times follow summer time\n- stations come from `data/stations.csv`\n"
        "- `--days` says how far a table reaches\n",
        tokens=(1900, 60),
    ),
    step(
        NOTES,
        """\
## tides 0.4.0

**Local times follow summer time.** Tables between March and October were an hour early.

**Stations are data.** They are read from `data/stations.csv`; a new one needs no code.

**Longer tables.** `--days` says how far a table reaches.
""",
        tokens=(1800, 120),
    ),
    step(
        BUSY,
        "Two are open: whether *old-lock* still uses the chart datum of 2019, and who checks the "
        "datum of *lighthouse* after the survey.",
        fault={**OVERLOADED, "retry_after": 0.2, "times": 3},
        tokens=(3300, 70),
    ),
    step(LOST, "", fault={**OVERLOADED, "retry_after": 0.1}, repeat=True),
    step(WATCH, "", ("terminal", {"command": "while true; do echo 1.62 m; sleep 1; done"})),
    step("morning report", "", ("list_files", {"path": "data"})),
    step("morning report", "Nothing has changed since yesterday; all 12 tables are there."),
    step("links", "All links of README lead somewhere."),
    step(
        "Say what a datum is",
        "The level that heights are measured from.",
        tokens=(900, 20),
        repeat=True,
    ),
]
