"""The player `learned`: network files, games and explanations."""

import numpy as np
import pytest
from tests.error_messages import assert_refused
from training.weights import random_weights, read_weights, risk_only

import sapper
from sapper import NotationError, Unavailable
from sapper.cli.main import run
from sapper.games.play_many import play_each
from sapper.players import learned, networks
from sapper.players.networks import Weights, bundled
from sapper.players.player import StatePool


def test_file_gives_back_the_network_in_16_bits():
    one = random_weights("square", 81, 6, 5, seed=1)
    data = one.to_bytes()
    again = Weights.from_bytes(data)
    assert again.to_bytes() == data
    for name, array in one.arrays.items():
        assert (again.arrays[name] == array).all()
    shapes = Weights.shapes(81, 4, 3, 20)
    given = {n: np.random.default_rng(2).normal(0, 0.3, shape) for n, shape in shapes.items()}
    one = Weights.of("square", given)
    for name, wanted in given.items():
        assert np.abs(one.real(name) - wanted).max() <= 2.0 ** -(one.shifts[name] + 1)


def test_damaged_or_missing_file_is_refused_in_one_line(tmp_path, monkeypatch):
    good, path = risk_only("square", 81), tmp_path / "one.network"
    data = good.to_bytes()

    def read(data):
        path.write_bytes(data)
        return read_weights(path)

    cases = [
        (b"", "expected a network of sapper"),
        (b"PK" + data, "expected a network of sapper"),
        (data[:-40], "expected an undamaged network, got a wrong checksum"),
        (data[:500] + b"x" + data[501:], "got a wrong checksum"),
        (
            Weights("square", 80, 8, 8, 20, good.arrays, good.shifts).to_bytes(),
            "expected the sizes",
        ),
    ]
    assert_refused(read, cases)
    with pytest.raises(Unavailable, match="cannot read the network"):
        read_weights(tmp_path / "none.network")
    monkeypatch.setattr(networks, "BUNDLED", ("square", "torus"))
    bundled.cache_clear()
    with pytest.raises(Unavailable, match=r"cannot read the network torus\.network"):
        sapper.advise(sapper.Position.initial(sapper.tiling("torus", 6, 6), mines=5), "learned")
    bundled.cache_clear()


# A size that no other test uses: states of other boards may be kept from tests before.
DAMAGED_SIZE = "17x15/60"


@pytest.fixture
def damaged(monkeypatch):
    """Damage the network of the package; return the message."""

    def refuse(data, name):
        raise NotationError(f"{name}: expected an undamaged network, got a wrong checksum")

    monkeypatch.setattr(Weights, "from_bytes", refuse)
    # States that other tests have used contain the network.
    monkeypatch.setattr(learned, "_POOL", StatePool(learned._make_state))
    bundled.cache_clear()
    yield "square.network: expected an undamaged network, got a wrong checksum"
    bundled.cache_clear()


def test_damaged_network_of_the_package_is_reported_in_one_line(damaged, capsys, tmp_path):
    with pytest.raises(Unavailable, match=damaged):
        play_each(DAMAGED_SIZE, "learned", 5)
    game = [DAMAGED_SIZE, "--player", "learned", "--seed", "1"]
    for command in (["watch"], ["lab", "run", "--games", "5", "--out", str(tmp_path / "a.db")]):
        assert run(command + game) == 1
        assert capsys.readouterr().err == f"sapper: {damaged}\n"


def test_networks_of_the_package_are_small_and_say_how_they_were_made():
    sizes = [len(bundled(name).to_bytes()) for name in networks.BUNDLED]
    assert sum(sizes) <= 2_000_000
    assert all(bundled(name).card for name in networks.BUNDLED)
