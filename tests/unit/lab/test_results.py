"""Result files: no game counted twice, atomic writes, damaged and foreign files."""

import random
import re
import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from tests.sampling import SCALE

from sapper import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab.results import MAX_ROW_GAMES, ResultFile, merge
from sapper.lab.shards import play_shard, won_games

SEED = 2**63 - 20  # beyond SQLite's signed integers


def campaign(**options):
    return Campaign.of(
        **{"size": "6x5/6", "player": "human", "games": 60, "seed": SEED, "rule": "safe", **options}
    )


def played(one, start, stop):
    return play_shard(one.text, range(SEED + start, SEED + stop))


def filled(path, one, *spans):
    with ResultFile(path, write=True) as results:
        for start, stop in spans:
            results.add(one, [played(one, start, stop)])
    return path


def assert_contains(path, one, start, stop):
    """Check that a file has these games of a campaign and no others, and all of its parts."""
    rows = play_each(one.rules, one.player, stop - start, SEED + start, first=one.first)
    won, guesses = rows[:, 0].astype(bool), rows[:, 1]
    middle = (stop - start) // 2
    with ResultFile(path) as results:
        totals = results.totals(one)
        assert totals.ranges == (range(SEED + start, SEED + stop),)
        assert (totals.games, totals.wins, totals.guesses) == (len(won), won.sum(), guesses.sum())
        assert totals.by_guesses == tuple(np.bincount(guesses).tolist())
        assert (won_games(results.shards(one)) == won).all()
        rest = range(SEED + start + middle, 2**64)
        totals = results.totals(one, rest)
        assert (totals.wins, totals.guesses) == (won[middle:].sum(), guesses[middle:].sum())


def test_overlapping_shards_in_any_order_are_counted_once(tmp_path):
    one = campaign()
    path = filled(tmp_path / "r", one, (40, 60), (0, 7), (5, 25), (20, 45), (10, 12), (0, 60))
    assert_contains(path, one, 0, 60)
    with ResultFile(path) as results:
        nothing = results.totals(one, range(5))
    assert (nothing.games, nothing.campaign.seeds) == (0, range(0))


def test_different_results_are_refused_and_nothing_is_stored(tmp_path):
    one, other = campaign(), campaign(player="random")
    path = filled(tmp_path / "r", one, (0, 20))
    before = path.read_bytes()
    with (
        ResultFile(path, write=True) as results,
        pytest.raises(Unavailable, match="differ between"),
    ):
        # The games of another player under this one's name.
        results.add(one, [played(one, 40, 50), played(other, 10, 30)])
    assert path.read_bytes() == before


def test_merged_files_contain_every_game_once(tmp_path):
    one, other = campaign(), campaign(player="careful")
    a = filled(tmp_path / "a", one, (0, 20), (30, 40))
    b = filled(tmp_path / "b", one, (15, 33), (38, 60))
    filled(b, other, (0, 9))
    c = tmp_path / "c"
    for paths in ((a, b), (c, a)):
        c.write_bytes(merge(paths))
        assert_contains(c, one, 0, 60)
        assert_contains(c, other, 0, 9)
    with ResultFile(c) as results:
        assert [found.player for found in results.campaigns()] == ["human", "careful"]
        with pytest.raises(NotationError, match=r"expected one campaign in .*, got 2"):
            results.only_campaign()


def test_merging_different_results_is_refused(tmp_path):
    one, other = campaign(), campaign(player="random")
    a = filled(tmp_path / "a", one, (0, 20))
    with ResultFile(tmp_path / "b", write=True) as results:
        results.add(one, [played(other, 10, 30)])
    with pytest.raises(Unavailable, match="differ between the files"):
        merge([a, tmp_path / "b"])


# Foreign and damaged files, and failing disks.


def test_foreign_files_are_refused_and_unchanged(tmp_path):
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be read as one\n" * 20)
    foreign = tmp_path / "foreign"
    with sqlite3.connect(foreign) as file:
        file.execute("create table other (x)")
    newer = filled(tmp_path / "newer", campaign(), (0, 5))
    with sqlite3.connect(newer) as file:
        file.execute("pragma user_version = 3")
    for path in (text, foreign, newer):
        before = path.read_bytes()
        for write in (False, True):
            with pytest.raises(NotationError, match=r"is not a result file|version 3"):
                ResultFile(path, write=write)
        assert path.read_bytes() == before


def test_missing_file_is_not_created(tmp_path):
    with pytest.raises(NotationError, match="no such file"):
        ResultFile(tmp_path / "none")
    with pytest.raises(FileNotFoundError, match="no such folder"):
        ResultFile(tmp_path / "none" / "r", write=True)
    with pytest.raises(IsADirectoryError):
        ResultFile(tmp_path, write=True)
    assert list(tmp_path.iterdir()) == []


def test_stored_games_survive_a_full_disk(tmp_path):
    one = campaign(size="1x1/0", rule="any")
    path = filled(tmp_path / "r", one, (0, 5))
    with ResultFile(path, write=True) as results:
        [(pages,)] = results._query("pragma page_count")
        results._query(f"pragma max_page_count = {pages}")
        with pytest.raises(OSError, match="full"):
            results.add(one, [played(one, 10, 10 + MAX_ROW_GAMES)])
        assert results.stored_seeds(one) == [range(SEED, SEED + 5)]
        results._query(f"pragma max_page_count = {pages + 100}")
        results.add(one, [played(one, 5, 9)])
    assert_contains(path, one, 0, 9)


def test_interrupted_commit_is_rolled_back_on_opening(tmp_path):
    one = campaign(size="1x1/0", rule="any")
    path = filled(tmp_path / "r", one, (0, 3 * MAX_ROW_GAMES))
    with sqlite3.connect(path, isolation_level=None) as file:
        file.execute("pragma cache_size = 1")  # so that pages are written before the commit
        file.execute("begin immediate")
        file.execute("update shard set games = zeroblob(16384)")
        for name in ("r", "r-journal"):
            shutil.copy(tmp_path / name, tmp_path / name.replace("r", "killed", 1))
        file.execute("rollback")
    file.close()
    assert (tmp_path / "killed").read_bytes() != path.read_bytes()
    assert_contains(tmp_path / "killed", one, 0, 3 * MAX_ROW_GAMES)


def test_file_of_another_campaign_is_refused(tmp_path):
    path = tmp_path / "r"
    with ResultFile(path, write=True) as results:
        results.add(campaign(player="random"), [])
    filled(path, campaign(), (0, 5))
    with ResultFile(path) as results:
        results.check_campaigns([campaign(seed=7)])
        with pytest.raises(NotationError, match=r"expected results of careful on .* got human on"):
            results.check_campaigns([campaign(player="careful")])


def totals_of(path):
    with ResultFile(path) as results:
        return [results.totals(one) for one in results.campaigns()]


def damage_bytes(path, rng):
    """Truncate a file, or change up to 16 bytes of it."""
    data = bytearray(path.read_bytes())
    start = rng.randrange(len(data)) if rng.random() < 0.7 else rng.randrange(100)
    if rng.random() < 0.2:
        del data[max(1, start) :]
    else:
        end = min(len(data), start + rng.choice((1, 1, 1, 4, 16)))
        data[start:end] = rng.randbytes(end - start)
    path.write_bytes(data)


def damage_value(path, rng):
    """Change a value of a row, or take it from another row."""
    table, columns = rng.choice(
        [
            ("campaign", ("id", "text")),
            ("shard", ("campaign", "seed", "games", "seconds", "version", "checksum")),
        ]
    )
    column = rng.choice(columns)
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        rows = file.execute(f"select rowid, {column} from {table}").fetchall()
        row, value = rng.choice(rows)
        if isinstance(value, bytes):
            changed = bytearray(value)
            changed[rng.randrange(len(value))] ^= 1 << rng.randrange(8)
            new = rng.choice([bytes(changed), value[:-2], value * 2, b"", None, "x"])
        elif isinstance(value, str):
            at, character = rng.randrange(len(value)), rng.choice("0159xé ")
            new = rng.choice([value[:at] + character + value[at + 1 :], "", None, 7])
        else:
            new = rng.choice([value + 1, -value, 1.5, None, "x", b"x"])
        new = rng.choice([new, rng.choice(rows)[1]])
        try:
            file.execute(f"update {table} set {column} = ? where rowid = ?", (new, row))
        except sqlite3.IntegrityError:
            damage_value(path, rng)


@pytest.mark.parametrize("damage", [damage_bytes, damage_value])
def test_damaged_files_are_refused_or_unchanged_in_their_totals(tmp_path, damage):
    rng = random.Random(damage.__name__)
    whole = tmp_path / "whole"
    for one in (campaign(), campaign(player="careful", size="8x8/12")):
        filled(whole, one, *[(start, start + 19) for start in range(0, 190, 19)])
    expected, path, refused = totals_of(whole), tmp_path / "damaged", 0
    for _ in range(60 * SCALE):
        shutil.copy(whole, path)
        damage(path, rng)
        damaged = path.read_bytes()
        try:
            assert totals_of(path) == expected
        except NotationError as error:
            assert re.search("is damaged|is not a result file|has version", str(error))
            refused += 1
            with pytest.raises(NotationError):
                ResultFile(path, write=True)
        assert path.read_bytes() == damaged
    assert refused > 25 * SCALE
