"""Result files: no game counted twice, atomic writes, damaged and foreign files."""

import shutil
import sqlite3

import numpy as np
import pytest

from sapper import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.games.play_many import play_each
from sapper.lab.results import ResultFile, merge
from sapper.lab.runners import build_id
from sapper.lab.shards import MAX_SHARD_GAMES, play_shard

SEED = 2**63 - 20  # beyond SQLite's signed integers


def campaign(**options):
    return Campaign.of(
        **{"size": "6x5/6", "player": "human", "games": 60, "seed": SEED, "rule": "safe", **options}
    )


def played(one, start, stop):
    return play_shard(one.text, SEED + start, SEED + stop, build_id())


def filled(path, one, *spans):
    with ResultFile(path, write=True) as results:
        for start, stop in spans:
            results.add(one, [played(one, start, stop)])
    return path


def replayed(one, start, stop):
    rows = play_each(one.rules, one.player, stop - start, SEED + start, first=one.first)
    return rows[:, 0].astype(bool), int(rows[:, 1].sum()), np.bincount(rows[:, 1]).tolist()


def assert_contains(path, one, start, stop):
    won, guesses, by_guesses = replayed(one, start, stop)
    with ResultFile(path) as results:
        totals = results.totals(one)
        assert totals.ranges == (range(SEED + start, SEED + stop),)
        assert (totals.games, totals.wins, totals.guesses) == (stop - start, won.sum(), guesses)
        assert list(totals.by_guesses) == by_guesses
        assert (results.won_bits(one, range(SEED + start, SEED + stop)) == won).all()


def test_overlapping_shards_in_any_order_are_counted_once(tmp_path):
    one = campaign()
    path = filled(tmp_path / "r", one, (40, 60), (0, 7), (5, 25), (20, 45), (10, 12), (0, 60))
    assert_contains(path, one, 0, 60)


def test_totals_are_complete_while_another_run_compacts_the_file(tmp_path):
    one, path = campaign(games=300), tmp_path / "r"
    with ResultFile(path, write=True) as writing, ResultFile(path) as reading:
        writing.add(one, [played(one, at, at + 1) for at in range(300)])
        shards = reading.shards(one)
        first = next(shards)
        writing.compact(one)
        assert len(first.seeds) + sum(len(shard.seeds) for shard in shards) == 300


def test_totals_of_some_of_the_seeds(tmp_path):
    one = campaign()
    path = filled(tmp_path / "r", one, (0, 60))
    won, guesses, _ = replayed(one, 13, 31)
    with ResultFile(path) as results:
        totals = results.totals(one, range(SEED + 13, SEED + 31))
        nothing = results.totals(one, range(5))
    assert (totals.games, totals.wins, totals.guesses) == (18, won.sum(), guesses)
    assert (nothing.games, nothing.campaign.seeds) == (0, range(0))


def test_compact_joins_short_shards(tmp_path):
    one = campaign()
    path = filled(tmp_path / "r", one, *[(i, i + 3) for i in range(0, 60, 3)])
    with ResultFile(path, write=True) as results:
        assert len(list(results.shards(one))) == 20
        results.compact(one)
        assert len(list(results.shards(one))) == 1
    assert_contains(path, one, 0, 60)


def test_compact_respects_the_largest_shard(tmp_path):
    one = campaign(size="1x1/0", games=3 * MAX_SHARD_GAMES, rule="any")
    with ResultFile(tmp_path / "r", write=True) as results:
        for start in range(0, 3 * MAX_SHARD_GAMES, MAX_SHARD_GAMES // 2):
            results.add(one, [played(one, start, start + MAX_SHARD_GAMES // 2)])
        results.compact(one)
        assert [len(shard.seeds) for shard in results.shards(one)] == [MAX_SHARD_GAMES] * 3


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
    with ResultFile(path) as results:
        assert results.stored_seeds(one) == [range(SEED, SEED + 20)]
    assert path.read_bytes() == before


# Merging.


def test_merged_files_contain_every_game_once(tmp_path):
    one = campaign()
    a = filled(tmp_path / "a", one, (0, 20), (30, 40))
    b = filled(tmp_path / "b", one, (15, 33), (38, 60))
    merge([a, b], tmp_path / "c")
    assert_contains(tmp_path / "c", one, 0, 60)
    merge([tmp_path / "c", a], tmp_path / "c")
    assert_contains(tmp_path / "c", one, 0, 60)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]


def test_files_of_different_campaigns_merge_side_by_side(tmp_path):
    one, other = campaign(), campaign(player="careful")
    a, b = filled(tmp_path / "a", one, (0, 9)), filled(tmp_path / "b", other, (0, 9))
    merge([a, b], tmp_path / "c")
    with ResultFile(tmp_path / "c") as results:
        assert [found.player for found in results.campaigns()] == ["human", "careful"]
        with pytest.raises(NotationError, match=r"expected one campaign in .*, got 2"):
            results.only_campaign()


def test_merging_different_results_is_refused_and_leaves_no_file(tmp_path):
    one = campaign()
    a, b = filled(tmp_path / "a", one, (0, 20)), filled(tmp_path / "b", one, (10, 30))
    with sqlite3.connect(b) as file:
        won = bytearray(file.execute("select won from shard").fetchone()[0])
        won[0] ^= 0x80
        file.execute("update shard set won = ?", (bytes(won),))
    with pytest.raises(Unavailable, match="differ between the two files"):
        merge([a, b], tmp_path / "c")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_merge_does_not_overwrite_another_file(tmp_path):
    one = campaign()
    a, b = filled(tmp_path / "a", one, (0, 20)), filled(tmp_path / "b", one, (20, 30))
    c = filled(tmp_path / "c", one, (50, 60))
    with pytest.raises(NotationError, match="exists and is not one of the inputs"):
        merge([a, b], c)
    assert_contains(c, one, 50, 60)


# Foreign and damaged files, and failing disks.


def test_foreign_files_are_refused_and_unchanged(tmp_path):
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be read as one\n" * 20)
    foreign = tmp_path / "foreign"
    with sqlite3.connect(foreign) as file:
        file.execute("create table other (x)")
    newer = filled(tmp_path / "newer", campaign(), (0, 5))
    with sqlite3.connect(newer) as file:
        file.execute("pragma user_version = 2")
    for path in (text, foreign, newer):
        before = path.read_bytes()
        for write in (False, True):
            with pytest.raises(NotationError, match=r"is not a result file|version 2"):
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


def test_read_only_file_raises_oserror(tmp_path):
    one = campaign()
    path = filled(tmp_path / "r", one, (0, 5))
    results = ResultFile(path, write=True)
    results._execute("pragma query_only = on")
    with pytest.raises(OSError, match="readonly"):
        results.add(one, [played(one, 10, 20)])
    results.close()
    assert_contains(path, one, 0, 5)


def test_stored_games_survive_a_full_disk(tmp_path):
    one = campaign(size="1x1/0", rule="any")
    path = filled(tmp_path / "r", one, (0, 5))
    with ResultFile(path, write=True) as results:
        pages = results._query_value("pragma page_count")
        results._execute(f"pragma max_page_count = {pages}")
        many = [
            played(one, start, start + MAX_SHARD_GAMES)
            for start in range(10, 9 * MAX_SHARD_GAMES, MAX_SHARD_GAMES)
        ]
        with pytest.raises(OSError, match="full"):
            results.add(one, many)
        assert results.stored_seeds(one) == [range(SEED, SEED + 5)]
        results._execute(f"pragma max_page_count = {pages + 100}")
        results.add(one, [played(one, 5, 9)])
    assert_contains(path, one, 0, 9)


def test_interrupted_commit_is_rolled_back_on_opening(tmp_path):
    one = campaign(size="1x1/0", rule="any")
    starts = range(0, 40 * MAX_SHARD_GAMES, MAX_SHARD_GAMES)
    path = filled(tmp_path / "r", one, *[(start, start + MAX_SHARD_GAMES) for start in starts])
    with sqlite3.connect(path, isolation_level=None) as file:
        file.execute("pragma cache_size = 1")  # so that pages are written before the commit
        file.execute("begin immediate")
        file.execute("update shard set won = zeroblob(1024)")
        for name in ("r", "r-journal"):
            shutil.copy(tmp_path / name, tmp_path / name.replace("r", "killed", 1))
        file.execute("rollback")
    file.close()
    assert (tmp_path / "killed").read_bytes() != path.read_bytes()
    assert_contains(tmp_path / "killed", one, 0, 40 * MAX_SHARD_GAMES)


def test_file_of_another_campaign_is_refused(tmp_path):
    path = filled(tmp_path / "r", campaign(), (0, 5))
    with ResultFile(path) as results:
        results.check_campaigns([campaign(seed=7)])
        with pytest.raises(NotationError, match=r"expected results of careful on .* got human on"):
            results.check_campaigns([campaign(player="careful")])


@pytest.mark.parametrize(
    "damage",
    [
        "update shard set won = x'00'",
        "update shard set guesses = '[1]'",
        "update shard set guesses = '[1'",
        "update shard set seed = 'x'",
        "update shard set seconds = 'long'",
        "update campaign set text = x'ff'",
        "update sqlite_master set sql = cast(x'c1' as text), name = cast(x'c1' as text) "
        "where name = 'shard'",
        "update campaign set text = replace(text, '{}', '3')",
    ],
)
def test_damaged_rows_are_refused(tmp_path, damage):
    one = campaign()
    path = filled(tmp_path / "r", one, (0, 20))
    with sqlite3.connect(path) as file:
        file.execute("pragma writable_schema = 1")
        assert file.execute(damage).rowcount == 1
    with (
        pytest.raises(NotationError, match=r"the result file .* is damaged"),
        ResultFile(path) as results,
    ):
        results.totals(*results.campaigns())
