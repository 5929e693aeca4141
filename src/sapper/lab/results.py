"""Result files: SQLite databases with a row for each shard.

A file never contains a seed of a campaign twice. It uses SQLite's rollback journal, so that a
closed database is a single file, which can be copied and read on a read-only disk.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from sapper.board.random_stream import SEED_COUNT
from sapper.errors import NotationError, Unavailable
from sapper.games.campaign import Campaign
from sapper.lab.shards import (
    Shard,
    count_by_guesses,
    merge_ranges,
    missing_ranges,
    overlap,
    parse_campaign,
    unpack_games,
    won_games,
)

VERSION = 2
MAX_ROW_GAMES = 8192
"""The most games in a row, so that all rows with some seeds are found by their first seeds."""
APPLICATION_ID = 0x53415050
"""`SAPP`: distinguishes a result file from other SQLite files."""

SCHEMA = f"""
begin immediate;
create table if not exists campaign (
    id integer primary key,
    text text not null unique
);
create table if not exists shard (
    campaign integer not null references campaign (id),
    seed text not null,
    games blob not null,
    seconds real not null,
    version text not null,
    checksum integer not null,
    unique (campaign, seed)
);
pragma application_id = {APPLICATION_ID};
pragma user_version = {VERSION};
commit;
"""

_SELECT = (
    "select text, seed, games, seconds, version, checksum "
    "from shard left join campaign on campaign = id"
)
ALL_SEEDS = range(SEED_COUNT)


@dataclass(frozen=True)
class CampaignTotals:
    """The totals of a campaign; the campaign's seeds range from the first to the last."""

    campaign: Campaign
    ranges: tuple[range, ...]
    wins: int
    by_guesses: tuple[int, ...]
    """The number of games with 0, 1, 2, ... guesses."""
    seconds: float
    versions: tuple[str, ...]

    @classmethod
    def of(cls, campaign: Campaign, shards: list[Shard]) -> CampaignTotals:
        """Add up shards, given in the order of their seeds."""
        ranges = merge_ranges(shard.seeds for shard in shards)
        return cls(
            campaign.with_seeds(range(ranges[0].start, ranges[-1].stop) if ranges else range(0)),
            tuple(ranges),
            int(won_games(shards).sum()),
            count_by_guesses(shards),
            sum(shard.seconds for shard in shards),
            tuple(dict.fromkeys(shard.version for shard in shards)),
        )

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(map(len, self.ranges))

    @property
    def guesses(self) -> int:
        """The number of guesses in all games."""
        return sum(number * games for number, games in enumerate(self.by_guesses))


class ResultFile:
    """An open result file; without a path, it is in memory."""

    def __init__(self, path: Path | None, *, write: bool = False):
        self.path = path
        if path is None:
            address = ":memory:"
        else:
            if write and not path.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
            if not write and not path.exists():
                raise NotationError(f"no such file {str(path)!r}")
            # A killed run may have left its journal, which only a writer can roll back.
            mode = "rwc" if write else "rw" if os.access(path, os.W_OK) else "ro"
            address = f"{path.absolute().as_uri()}?mode={mode}"
        with self._errors_translated():
            self._connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=60)
        try:
            self._prepare(write)
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
        rows = self._query("select text from campaign order by id")
        return [parse_campaign(text) for (text,) in rows]

    def only_campaign(self) -> Campaign:
        """Return the campaign of a file that has only one."""
        campaigns = self.campaigns()
        if len(campaigns) != 1:
            raise NotationError(f"expected one campaign in {self.path}, got {len(campaigns)}")
        return campaigns[0]

    def shards(self, campaign: Campaign, seeds: range = ALL_SEEDS) -> list[Shard]:
        """Return the games of a campaign on these seeds that are stored, in their order."""
        first, last = _seed_text(seeds.start - MAX_ROW_GAMES + 1), _seed_text(seeds.stop - 1)
        rows = self._query(
            f"{_SELECT} where text = ? and seed between ? and ? order by seed",
            (campaign.text, first, last),
        )
        return [
            shard.part(common)
            for shard in map(self._parse_shard, rows)
            if (common := overlap(shard.seeds, seeds))
        ]

    def stored_seeds(self, campaign: Campaign) -> list[range]:
        """Return the seeds of a campaign that the file contains."""
        return merge_ranges(shard.seeds for shard in self.shards(campaign))

    def totals(self, campaign: Campaign, seeds: range = ALL_SEEDS) -> CampaignTotals:
        """Add up the games of a campaign, or those on some of its seeds."""
        return CampaignTotals.of(campaign, self.shards(campaign, seeds))

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

    # Writing.

    def add(self, campaign: Campaign, shards: Iterable[Shard], between: str | None = None) -> None:
        """Store games in one transaction; games that are stored already must agree.

        *between* names the two sides in the error, by default this file and this run.
        """
        between = between or f"{self.path} and this run: choose another file"
        with self._errors_translated(), self._connection:
            self._connection.execute("begin immediate")
            for shard in shards:
                stored = self.shards(campaign, shard.seeds)
                for same in stored:
                    differ = unpack_games([same]) != unpack_games([shard.part(same.seeds)])
                    if differ.any():
                        seed = same.seeds[int(differ.argmax())]
                        raise Unavailable(
                            f"the games of {campaign} on seed {seed} differ between {between}"
                        )
                for seeds in missing_ranges(shard.seeds, (same.seeds for same in stored)):
                    for start in range(0, len(seeds), MAX_ROW_GAMES):
                        part = shard.part(seeds[start : start + MAX_ROW_GAMES])
                        self._insert(campaign.text, part)

    def to_bytes(self) -> bytes:
        """Return the contents of the file."""
        return self._connection.serialize()

    def _insert(self, text: str, shard: Shard) -> None:
        self._query("insert or ignore into campaign (text) values (?)", (text,))
        row = (_seed_text(shard.seeds.start), shard.games, shard.seconds, shard.version)
        self._query(
            "insert into shard select id, ?, ?, ?, ?, ? from campaign where text = ?",
            (*row, _checksum(text, *row), text),
        )

    # The file.

    def _prepare(self, write: bool) -> None:
        """Make the tables of a new file; check an existing one."""
        self._query("pragma schema_version")  # rolls back what a killed run had begun
        if write and (self.path is None or not self.path.stat().st_size):
            with self._errors_translated():
                self._connection.executescript(SCHEMA)
        if self._query("pragma application_id") != [(APPLICATION_ID,)]:
            raise NotationError(f"{self.path} is not a result file")
        [(version,)] = self._query("pragma user_version")
        if version != VERSION:
            raise NotationError(
                f"{self.path} has version {version} of the format; this is version {VERSION}"
            )
        [(problem,), *_] = self._query("pragma integrity_check(1)")
        if problem != "ok":
            raise self._damaged(problem)
        for row in self._query(_SELECT):
            self._parse_shard(row)

    def _query(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """Execute a statement and return its rows."""
        with self._errors_translated():
            return self._connection.execute(statement, values).fetchall()

    def _parse_shard(self, row: tuple[Any, ...]) -> Shard:
        """Return the shard of a row; a damaged disk may have changed it."""
        *values, checksum = row
        if _checksum(*values) != checksum:
            raise self._damaged("a shard does not agree with its checksum")
        _, seed, games, seconds, version = values
        start = int(seed)
        return Shard(range(start, start + len(games) // 2), games, seconds, version)

    def _damaged(self, problem: object) -> NotationError:
        return NotationError(f"the result file {self.path} is damaged: {problem}")

    @contextmanager
    def _errors_translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            # A statement of this module fails only if the tables are not those that it created.
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            if code == sqlite3.SQLITE_NOTADB:
                raise NotationError(f"{self.path} is not a result file") from None
            if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
                raise OSError(errno.EIO, str(error), str(self.path)) from None
            raise self._damaged(error) from None


def merge(paths: Iterable[Path]) -> bytes:
    """Merge result files into one, and return its contents.

    Games that several of them contain must agree.
    """
    with ResultFile(None, write=True) as merged:
        for path in paths:
            with ResultFile(path) as other:
                for campaign in other.campaigns():
                    merged.add(campaign, other.shards(campaign), "the files")
        return merged.to_bytes()


def _seed_text(seed: int) -> str:
    """Return a seed as text in numeric order; SQLite's integers are signed."""
    return f"{max(seed, 0):020d}"


def _checksum(*row: object) -> int:
    """Return a checksum of the text of a campaign and a row of its shards."""
    return crc32(repr(row).encode())
