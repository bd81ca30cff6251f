import pytest
from msgspec.structs import replace

from angelia.surfaces.cli.doctor.clients.known import CLIENTS
from angelia.surfaces.cli.doctor.names import ClientName
from angelia.surfaces.cli.doctor.shown import Card, Errand, Said, Shown, Tokens, Trouble
from angelia.surfaces.cli.doctor.truth import Truth
from angelia.surfaces.cli.doctor.verdict import judge

DRAWS = CLIENTS[ClientName.OPENWEBUI].views[0]
HIDES = CLIENTS[ClientName.LIBRECHAT].views[0]
TRUTH = Truth("one two", "", ("ls",), 0, None, Tokens(1, 2))
CARD = Card("ls", ("running", "ok"))
SHOWN = Shown((Said("one"), CARD, Said("\n\ntwo")), Tokens(1, 2), "stop")


def test_what_happened_and_is_shown_is_no_problem():
    verdict = judge(DRAWS, TRUTH, SHOWN)
    assert (verdict.problems, verdict.warnings) == ((), ())


@pytest.mark.parametrize(
    ("truth", "shown", "problem"),
    [
        (TRUTH, replace(SHOWN, pieces=(CARD, Said("one"))), "3 of 6 letters"),
        (TRUTH, replace(SHOWN, pieces=(Said("one two"),)), "1 tool call became 0 cards."),
        (
            TRUTH,
            replace(SHOWN, pieces=(Said("one two"), Card("ls", ("running",)))),
            "The card of ls never ends.",
        ),
        (
            TRUTH,
            replace(SHOWN, pieces=(*SHOWN.pieces, Errand("ls", "{}"))),
            "execute 1 tools; 0 are its own",
        ),
        (TRUTH, replace(SHOWN, pieces=(*SHOWN.pieces, Trouble("odd"))), "An error is shown: odd"),
        (replace(TRUTH, failure="no"), SHOWN, "the answer looks finished"),
        (TRUTH, replace(SHOWN, tokens=Tokens(2, 4)), "It counts 2 + 4 tokens; it was 1 + 2."),
    ],
)
def test_what_a_client_gets_wrong_is_a_problem(truth: Truth, shown: Shown, problem: str):
    (found,) = judge(DRAWS, truth, shown).problems
    assert problem in found


def test_a_failure_that_is_shown_is_no_problem():
    shown = replace(SHOWN, pieces=(*SHOWN.pieces, Trouble("no")), tokens=None)
    verdict = judge(DRAWS, replace(TRUTH, failure="no"), shown)
    assert (verdict.problems, verdict.warnings) == ((), ())


def test_what_a_client_cannot_show_is_a_warning():
    truth = replace(TRUTH, reasoning="r", tools=("ls", "cat"))
    shown = Shown((Said("one two"),), None, "stop", ("a remark",))
    verdict = judge(HIDES, truth, shown)
    assert verdict.problems == ()
    assert [warning.partition(":")[0] for warning in verdict.warnings] == [
        "a remark",
        "2 tool calls not shown",
        "Reasoning is not shown",
        "No token counts",
    ]
