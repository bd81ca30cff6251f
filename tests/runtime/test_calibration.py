from angelia.runtime.calibration import Calibration


def test_a_model_that_nobody_knows_counts_as_we_do() -> None:
    assert Calibration().factor("m") == 1.0


def test_the_latest_answers_count_most_and_each_model_for_itself() -> None:
    known = Calibration()
    known.learn("m", 2.0)
    assert known.factor("m") == 2.0
    known.learn("m", 1.0)
    assert known.factor("m") == 1.8
    for _ in range(40):
        known.learn("m", 1.0)
    assert round(known.factor("m"), 2) == 1.0
    assert known.factor("other") == 1.0
