"""Why a player prefers one candidate to another."""

from fractions import Fraction

from sapper.players.guess import Candidate
from sapper.serialize.positions import why_not


def test_reason_names_the_first_difference_that_decides():
    for best, other, reason in [
        ({}, {"risk": 0.3}, "riskier"),
        ({}, {}, "as risky"),
        ({}, {"risk": 0.1}, "safer, but the search preferred the other"),
        ({"influence": 0.1}, {}, "as risky, but it leaves a fifty-fifty unsettled"),
        ({"score": 0.8}, {"score": 0.7}, "as risky, but its score two moves ahead is lower"),
        (
            {"relative_value": 0.0},
            {"risk": 0.1, "relative_value": -0.1},
            "safer now, but it is worth less in the long",
        ),
        ({"value": Fraction(1, 2)}, {}, "as risky, but only the other is known to be perfect play"),
    ]:
        first, second = (
            Candidate(**{"cell": 0, "risk": 0.2, **fields}) for fields in (best, other)
        )
        assert why_not(first, second).startswith(reason)
