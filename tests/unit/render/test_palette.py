import pytest

from sapper.errors import NotationError
from sapper.render.palette import CALM, PALETTE, check_colour, contrast, dark, ink_on, light, ramp

HINTS = [role for role in PALETTE if role.startswith("hint-") and role != "hint-0"]


@pytest.mark.parametrize("page", [light, dark])
@pytest.mark.parametrize("ground", ["revealed", "proof"])
@pytest.mark.parametrize("role", HINTS)
def test_hints_can_be_read_where_they_stand(role, ground, page):
    assert contrast(page(role), page(ground)) >= 4.5


@pytest.mark.parametrize("page", [light, dark])
@pytest.mark.parametrize("ground", ["reveal", "mark", "guess", "lost", "blank"])
def test_ink_can_be_read_on_every_overlay(ground, page):
    assert contrast(page("ink"), page(ground)) >= 4.5


@pytest.mark.parametrize("page", [light, dark])
def test_flags_blanks_and_revealed_cells_are_told_apart_by_lightness(page):
    assert contrast(page("flag"), page("blank")) >= 3
    assert contrast(page("revealed"), page("blank")) >= 1.8


@pytest.mark.parametrize("percent", range(0, 101, 5))
def test_labels_can_be_read_on_the_ramp_of_odds(percent):
    ground = ramp(percent / 100)
    assert contrast(ink_on(ground, "ink"), ground) >= 4.5


def test_certain_reveals_and_certain_mines_differ_for_colour_blind_eyes():
    # Red-green blindness leaves blue against yellow: the ends differ most in their blue part.
    def blue(colour: str) -> int:
        return int(colour[5:7], 16)

    assert blue(ramp(0)) - blue(ramp(1)) > 150
    assert blue(PALETTE["reveal"].light) - blue(PALETTE["mark"].light) > 100
    assert blue(PALETTE["reveal"].dark) - blue(PALETTE["mark"].dark) > 100


def test_every_colour_of_the_table_is_a_colour_and_every_style_is_one_of_rich():
    from rich.style import Style

    for row in PALETTE.values():
        assert check_colour(row.light) and check_colour(row.dark)
        Style.parse(row.terminal)
    assert set(PALETTE) > CALM


@pytest.mark.parametrize("colour", ["", "red", "#fff", "#12345g", "#1234567", "url(#x)"])
def test_what_is_no_colour_is_refused(colour):
    with pytest.raises(NotationError, match="expected a colour"):
        check_colour(colour)
