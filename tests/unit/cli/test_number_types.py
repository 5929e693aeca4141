"""Options that are wrong are told as every error is: one line, what was expected and what came."""

import pytest

WRONG = {
    "deal beginner --count -3": "--count: expected a whole number of at least 1, got '-3'",
    "deal beginner --count abc": "--count: expected a whole number of at least 1, got 'abc'",
    "deal beginner --count 1.5": "--count: expected a whole number of at least 1, got '1.5'",
    "deal beginner --seed -1": "--seed: expected a seed",
    "hint - --degree abc": "--degree: expected a whole number, got 'abc'",
    "watch beginner --pace -3": "--pace: expected a number from 0 to 60, got '-3'",
    "watch beginner --pace nan": "--pace: expected a number from 0 to 60, got 'nan'",
    "demo --pace 61": "--pace: expected a number from 0 to 60, got '61'",
    "web --port -1": "--port: expected a whole number from 0 to 65535, got '-1'",
    "probabilities - --seconds x": "--seconds: expected a number, got 'x'",
    "probabilities - --memory nan": "--memory: expected a number, got 'nan'",
    "perfect 3x3/1 --seconds x": "--seconds: expected a number, got 'x'",
    "table 5x5 --mines-share x": "--mines-share: expected a number, got 'x'",
    "lab run beginner --player careful --games x": "--games: expected a whole number of at "
    "least 1, got 'x'",
    "deal beginner --first": "expected a value for --first, got nothing",
    "deal beginner --frist r1c1": "expected an option such as --first, got '--frist'",
    "deal beginner --qqqq": "expected an option, got '--qqqq'",
    "deal beginner --no-guess=1": "expected --no-guess alone, got it with a value",
    "deal beginner expert": "expected nothing more, got 'expert'",
    "demo one two": "expected nothing more, got 'one two'",
    "web --data /dev/null": "cannot read or write /dev/null: is no folder",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_option_is_one_line_and_status_2(sapper, words):
    status, printed, told = sapper(*words.split())
    assert (status, printed) == (2, "")
    assert told.startswith(f"sapper: {WRONG[words]}") and told.count("\n") == 1


def test_help_shows_the_bounds_of_a_number_that_has_some(sapper):
    assert "0<=x<=60" in sapper("watch", "--help")[1]
    assert "x<=None" not in sapper("hint", "--help")[1]
