"""Campaigns: values that determine every game, and texts that name them."""

import pickle

import numpy as np
import pytest
from tests.error_messages import assert_refused

from sapper import PLAYERS, TILINGS, Board, NotationError, Rules, RulesError
from sapper.games.batch import play_games
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each


def campaign(player="human", settings=None, **options):
    entry = PLAYERS.find(player).with_settings(settings or {})
    return Campaign.of(
        **{"size": "6x5/5", "player": entry, "games": 40, "seed": 3, "rule": "safe", **options}
    )


def test_equal_campaigns_have_the_same_name_and_others_do_not():
    one, same = campaign(), campaign()
    assert one == same and hash(one) == hash(same) and one.name == same.name
    others = [
        campaign(size="6x5/6"),
        campaign(rule="zero"),
        campaign(tiling="torus"),
        campaign(player="careful"),
        campaign(first="r1c1"),
        campaign(seed=4),
        campaign(games=41),
        campaign(player="thoughtful"),
        campaign(player="thoughtful", settings={"blend": 0.5}),
    ]
    assert len({other.name for other in [one, *others]}) == len(others) + 1
    assert all(other != one for other in others)
    assert campaign(seed=4, games=9).slug == campaign().slug
    assert campaign().name.startswith(campaign().slug)
    assert campaign(games=0).name.endswith("no-seeds")


def test_text_round_trips_on_every_tiling_and_a_graph():
    for tiling in TILINGS:
        one = campaign(tiling=tiling, player="thoughtful", settings={"blend": 1, "end_game": 500})
        assert Campaign.parse(one.text, one.seeds) == one
        assert Campaign.parse(one.text, one.seeds).text == one.text
        assert pickle.loads(pickle.dumps(one)) == one
    path = Board.from_edges([("ö1", "ö2"), ("ö2", "ö3")])
    one = campaign(size=Rules(path, 2, "any"), rule=None, first="ö3")
    again = Campaign.parse(one.text, one.seeds)
    assert again == one and again.first == path.cell("ö3")
    assert one.name.isascii()


def test_campaign_holds_all_settings_and_names_the_chosen_ones():
    default, chosen = campaign(player="thoughtful"), {"nodes": 1000, "blend": 0.5}
    one = campaign(player="thoughtful", settings=chosen)
    assert one == campaign(player="thoughtful", settings=dict(reversed(chosen.items())))
    assert dict(one.settings) == dict(default.settings) | chosen
    assert campaign(player="thoughtful", settings={"blend": 0.8}) == default
    assert default.player_label == "thoughtful"
    assert one.player_label == "thoughtful blend=0.5 nodes=1000"
    assert str(one) == "thoughtful blend=0.5 nodes=1000 on square 6x5/5 safe r3c3"


@pytest.mark.parametrize("player", list(PLAYERS))
def test_games_are_those_of_play_each_for_any_division_into_shards(player):
    settings = {"samples": 20} if player == "patient" else {}  # roll-outs take most of its time
    one = campaign(player=player, settings=settings, games=12)
    entry = PLAYERS.find(player).with_settings(settings)
    whole = play_each("6x5/5", entry, 12, seed=3, rule="safe")
    assert (play_games(one) == whole).all()
    shards = [range(9, 15), range(3, 5), range(5, 9)]
    parts = {shard.start: play_games(one.with_seeds(shard)) for shard in shards}
    assert (np.concatenate([parts[start] for start in sorted(parts)]) == whole).all()


def test_impossible_campaign_is_refused_when_it_is_made():
    wrong = [
        {"player": "chess"},
        {"first": "r9c9"},
        {"settings": {"blend": 0.5}},
        {"player": "thoughtful", "settings": {"weight": 1}},
        {"player": "thoughtful", "settings": {"nodes": "many"}},
        {"games": -1},
        {"seed": -1},
        {"seed": 2**64 - 5, "games": 6},
        {"size": "6x5/30"},
        {"size": "6x5/25", "rule": "zero"},
    ]
    cases = [(options, "expected |no such |has no settings") for options in wrong]
    assert_refused(lambda options: campaign(**options), cases, (RulesError, NotationError))


def test_text_that_is_no_campaign_is_refused():
    cases = [
        (text, r"expected |no such |invalid JSON")
        for text in ["", "{}", "[]", '{"board": "square 3x3", "mines": 1}']
    ]
    assert_refused(lambda text: Campaign.parse(text, range(3)), cases, NotationError)
