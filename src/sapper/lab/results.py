"""Result files: SQLite databases with a row for each shard.

A file never contains a seed of a campaign twice. It uses SQLite's rollback journal, so that a
closed database is a single file, which can be copied and read on a read-only disk. The module is
long because all SQL of result files is in one place.
"""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sapper.errors import NotationError, SapperError, Unavailable
from sapper.games.campaign import Campaign
from sapper.lab.runners import build_id
from sapper.lab.shards import (
    MAX_SHARD_GAMES,
    Bits,
    PlayedShard,
    Shard,
    add_histograms,
    format_ranges,
    join_shards,
    merge_ranges,
    missing_ranges,
    overlap,
    parse_campaign,
    play_shard,
)

T = TypeVar("T")

VERSION = 1
APPLICATION_ID = 0x53415050
"""`SAPP`: distinguishes a result file from other SQLite files."""

SCHEMA = f"""
create table campaign (
    id integer primary key,
    text text not null unique
);
create table shard (
    campaign integer not null references campaign (id),
    seed text not null,
    games integer not null check (games between 1 and {MAX_SHARD_GAMES}),
    won blob not null,
    guesses text not null,
    seconds real not null,
    version text not null,
    unique (campaign, seed)
);
pragma application_id = {APPLICATION_ID};
pragma user_version = {VERSION};
"""


@dataclass(frozen=True)
class CampaignTotals:
    """The totals of a campaign; the campaign's seeds range from the first to the last."""

    campaign: Campaign
    ranges: tuple[range, ...]
    wins: int
    by_guesses: tuple[int, ...]
    seconds: float
    versions: tuple[str, ...]

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(map(len, self.ranges))

    @property
    def guesses(self) -> int:
        """The number of guesses in all games."""
        return sum(number * games for number, games in enumerate(self.by_guesses))


class ResultFile:
    """An open result file."""

    def __init__(self, path: Path, *, write: bool = False):
        self.path = path
        self._write = write
        self._ids: dict[str, int] = {}
        self.verified: set[str] = set()
        """Texts of the campaigns whose stored games agree with those of this version."""
        if write and not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
        if not write and not path.exists():
            raise NotationError(f"no such file {str(path)!r}")
        # A killed run may have left its journal, which only a writer can roll back.
        mode = "rwc" if write else "rw" if os.access(path, os.W_OK) else "ro"
        self._connection = self._translate_errors(
            lambda: sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}",
                uri=True,
                isolation_level=None,
                timeout=60,
            )
        )
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> ResultFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # Reading.

    def campaigns(self) -> list[Campaign]:
        """Return the campaigns of the file, without seeds, in the order of their addition."""
        rows = self._execute("select text from campaign order by id")
        return self._parse_rows(parse_campaign, rows)

    def only_campaign(self) -> Campaign:
        """Return the campaign of a file that has only one."""
        campaigns = self.campaigns()
        if len(campaigns) != 1:
            raise NotationError(f"expected one campaign in {self.path}, got {len(campaigns)}")
        return campaigns[0]

    def shards(self, campaign: Campaign) -> Iterator[Shard]:
        """Return the shards of a campaign in the order of their seeds."""
        # One query for all rows, because another run may join shards between two queries.
        rows = self._execute(f"{_SELECT} where text = ? order by seed", (campaign.text,))
        return iter(self._parse_rows(_parse_shard, rows))

    def stored_seeds(self, campaign: Campaign) -> list[range]:
        """Return the seeds of a campaign that the file contains."""
        rows = self._execute(
            "select seed, games from shard join campaign on campaign = id "
            "where text = ? order by seed",
            (campaign.text,),
        )
        return merge_ranges(self._parse_rows(_parse_seeds, rows))

    def totals(self, campaign: Campaign, seeds: range | None = None) -> CampaignTotals:
        """Add up the games of a campaign, or those on some of its seeds."""
        shards = list(self.shards(campaign))
        if seeds is not None:
            kept = (shard for shard in shards if overlap(shard.seeds, seeds))
            shards = [slice_shard(campaign, shard, seeds) for shard in kept]
        ranges = merge_ranges(shard.seeds for shard in shards)
        return CampaignTotals(
            campaign.with_seeds(range(ranges[0].start, ranges[-1].stop) if ranges else range(0)),
            tuple(ranges),
            sum(shard.wins for shard in shards),
            tuple(add_histograms(shard.by_guesses for shard in shards)),
            sum(shard.seconds for shard in shards),
            tuple(dict.fromkeys(shard.version for shard in shards)),
        )

    def won_bits(self, campaign: Campaign, seeds: range) -> Bits:
        """Return whether each game of these seeds, which must be stored, was won."""
        bits = np.zeros(len(seeds), dtype=np.bool_)
        for shard in self._overlapping(campaign, seeds):
            common = overlap(shard.seeds, seeds)
            bits[common.start - seeds.start : common.stop - seeds.start] = shard.won_bits(common)
        return bits

    # Writing.

    def add(self, campaign: Campaign, played: Iterable[PlayedShard]) -> None:
        """Store played games in one transaction; games already stored must agree."""
        with self._transaction():
            for shard in played:
                for seeds in self._new_seeds(campaign, shard, f"{self.path} and this run"):
                    self._insert(campaign, shard.part(seeds))

    def add_shards(self, campaign: Campaign, shards: Iterable[Shard]) -> None:
        """Store the shards of another file; games already stored must agree.

        If only some games of a shard are new, those are played again.
        """
        with self._transaction():
            for shard in shards:
                for seeds in self._new_seeds(campaign, shard, "the two files"):
                    self._insert(campaign, slice_shard(campaign, shard, seeds))

    def compact(self, campaign: Campaign) -> None:
        """Join short consecutive shards, so that the file stays small."""
        with self._transaction():
            for group in _joinable(self.shards(campaign)):
                for shard in group:
                    self._execute(
                        "delete from shard where campaign = ? and seed = ?",
                        (self._id(campaign), _seed_text(shard.seeds.start)),
                    )
                self._insert(campaign, join_shards(group))

    def check_campaigns(self, campaigns: Iterable[Campaign]) -> None:
        """Raise NotationError if the file was begun for other campaigns than these."""
        wanted = [campaign.with_seeds(range(0)) for campaign in campaigns]
        stored = self.campaigns()
        others = [campaign for campaign in stored if campaign not in wanted]
        if others and any(campaign not in stored for campaign in wanted):
            names, got = "; ".join(map(str, wanted)), str(others[0])
            if got == names:
                got += " with other default settings"
            raise NotationError(f"expected results of {names:.200} in {self.path}, got {got}")

    # The file.

    def _prepare(self) -> None:
        if self._write and self._query_value("pragma schema_version") == 0:
            # Checked again, because another run may have created the tables meanwhile.
            with self._transaction():
                if self._query_value("pragma schema_version") == 0:
                    for statement in SCHEMA.split(";"):
                        self._execute(statement)
        if self._query_value("pragma application_id") != APPLICATION_ID:
            raise NotationError(f"{self.path} is not a result file")
        version = self._query_value("pragma user_version")
        if version != VERSION:
            raise NotationError(
                f"{self.path} has version {version} of the format; this is version {VERSION}"
            )
        # So that a committed transaction survives a loss of power.
        self._execute("pragma synchronous = full")

    def _id(self, campaign: Campaign) -> int:
        text = campaign.text
        if text not in self._ids:
            self._execute("insert or ignore into campaign (text) values (?)", (text,))
            self._ids[text] = self._query_value("select id from campaign where text = ?", (text,))
        return self._ids[text]

    def _insert(self, campaign: Campaign, shard: Shard) -> None:
        self._execute(
            "insert into shard values (?, ?, ?, ?, ?, ?, ?)",
            (
                self._id(campaign),
                _seed_text(shard.seeds.start),
                len(shard.seeds),
                shard.won,
                json.dumps(list(shard.by_guesses), separators=(",", ":")),
                round(shard.seconds, 6),
                shard.version,
            ),
        )

    def _new_seeds(self, campaign: Campaign, games: PlayedShard | Shard, where: str) -> list[range]:
        """Return the seeds that are not stored yet; the games of the others must agree."""
        stored = []
        for shard in self._overlapping(campaign, games.seeds):
            common = overlap(shard.seeds, games.seeds)
            stored.append(common)
            _check_agreement(campaign, shard, games, common, where)
        return list(missing_ranges(games.seeds, stored))

    def _overlapping(self, campaign: Campaign, seeds: range) -> list[Shard]:
        """Return the shards that contain some of these seeds."""
        rows = self._execute(
            f"{_SELECT} where text = ? and seed > ? and seed < ? order by seed",
            (campaign.text, _seed_text(seeds.start - MAX_SHARD_GAMES), _seed_text(seeds.stop)),
        )
        shards = self._parse_rows(_parse_shard, rows)
        return [shard for shard in shards if overlap(shard.seeds, seeds)]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._execute("begin immediate")
        try:
            yield
            self._execute("commit")
        except BaseException:
            self._ids.clear()
            # When the disk is full, SQLite has rolled back already.
            if self._connection.in_transaction:
                self._execute("rollback")
            raise

    def _execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """Execute a statement and return its rows."""
        return self._translate_errors(
            lambda: self._connection.execute(statement, values).fetchall()
        )

    def _query_value(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        """Return the first column of the first row."""
        return self._execute(statement, values)[0][0]

    def _parse_rows(self, parse: Callable[..., T], rows: list[Any]) -> list[T]:
        """Parse rows; a damaged disk may have changed them without SQLite noticing."""
        try:
            return [parse(*row) for row in rows]
        except SapperError as error:
            raise self._damaged(error) from None
        except (ValueError, TypeError, AttributeError):
            raise self._damaged("impossible values") from None

    def _damaged(self, problem: object) -> NotationError:
        return NotationError(f"the result file {self.path} is damaged: {problem}")

    def _translate_errors(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except sqlite3.OperationalError as error:
            raise OSError(errno.EIO, str(error), str(self.path)) from None
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                raise NotationError(f"{self.path} is not a result file") from None
            raise self._damaged(error) from None


_SELECT = (
    "select seed, games, won, guesses, seconds, version from shard join campaign on campaign = id"
)


def slice_shard(campaign: Campaign, shard: Shard, seeds: range) -> Shard:
    """Return the part of a shard on these seeds; it must contain some of them.

    A shard does not store the guesses of each game, so the games of a part are played again.
    """
    common = overlap(shard.seeds, seeds)
    if common == shard.seeds:
        return shard
    played = play_shard(campaign.text, common.start, common.stop, build_id())
    _check_agreement(campaign, shard, played, common, "the file and this version")
    part = played.part(common)
    seconds = shard.seconds * len(common) / len(shard.seeds)
    return Shard(common, part.won, part.by_guesses, seconds, shard.version)


def merge(paths: Iterable[Path], output: Path) -> None:
    """Merge result files into a new one; games that several of them contain must agree.

    The output is written atomically and may replace one of the inputs.
    """
    paths = list(paths)
    if output.exists() and not any(output.samefile(path) for path in paths):
        raise NotationError(f"the output {output} exists and is not one of the inputs")
    if not output.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(output.parent))
    temporary = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        with ResultFile(temporary, write=True) as merged:
            for path in paths:
                with ResultFile(path) as other:
                    for campaign in other.campaigns():
                        merged.add_shards(campaign, other.shards(campaign))
                        merged.compact(campaign)
        os.replace(temporary, output)
    finally:
        for leftover in (temporary, temporary.with_name(temporary.name + "-journal")):
            leftover.unlink(missing_ok=True)


def _joinable(shards: Iterable[Shard]) -> Iterator[list[Shard]]:
    """Yield groups of shards to join: consecutive, of one version, and not too many games."""
    group: list[Shard] = []
    for shard in shards:
        fits = (
            group
            and shard.seeds.start == group[-1].seeds.stop
            and shard.version == group[-1].version
            and shard.seeds.stop - group[0].seeds.start <= MAX_SHARD_GAMES
        )
        if fits:
            group.append(shard)
            continue
        if len(group) > 1:
            yield group
        group = [shard]
    if len(group) > 1:
        yield group


def _check_agreement(
    campaign: Campaign, a: Shard, b: PlayedShard | Shard, seeds: range, where: str
) -> None:
    if not np.array_equal(a.won_bits(seeds), b.won_bits(seeds)):
        raise Unavailable(
            f"the games of {campaign} on the seeds {format_ranges([seeds])} differ between {where}"
        )


def _seed_text(seed: int) -> str:
    """Return a seed as text in numeric order; SQLite's integers are signed."""
    return f"{max(seed, -1):020d}"


def _parse_seeds(seed: str, games: int) -> range:
    return range(int(seed), int(seed) + games)


def _parse_shard(
    seed: str, games: int, won: bytes, guesses: str, seconds: float, version: str
) -> Shard:
    by_guesses = json.loads(guesses)
    if len(won) != -(-games // 8) or sum(by_guesses) != games or seconds < 0:
        raise ValueError(f"the row of seed {seed} does not have {games} games")
    return Shard(_parse_seeds(seed, games), won, by_guesses, seconds, version)
