"""Result files: SQLite, a row for each shard, whole transactions only.

A file grows by whole shards, and never holds a seed of a campaign twice. The journal is SQLite's
rollback journal, so that a closed file is one file: it can be copied, and read on a disk that
cannot be written. All that speaks SQL stands here: it is long.
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
from sapper.lab.runners import build
from sapper.lab.seed_ranges import joined, missing, written
from sapper.lab.shards import LONGEST, Bits, PlayedShard, Shard, added, bits_of, join, play_shard

T = TypeVar("T")

VERSION = 1
MARK = 0x53415050
"""`SAPP`, the application id by which a result file is known from any other SQLite file."""

SCHEMA = f"""
create table campaign (
    id integer primary key,
    text text not null unique
);
create table shard (
    campaign integer not null references campaign (id),
    seed text not null,
    games integer not null check (games between 1 and {LONGEST}),
    won blob not null,
    guesses text not null,
    seconds real not null,
    version text not null,
    unique (campaign, seed)
);
pragma application_id = {MARK};
pragma user_version = {VERSION};
"""


@dataclass(frozen=True)
class CampaignTotals:
    """What a file holds of a campaign, added up; the campaign's seeds run from first to last."""

    campaign: Campaign
    spans: tuple[range, ...]
    wins: int
    by_guesses: tuple[int, ...]
    seconds: float
    versions: tuple[str, ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(map(len, self.spans))

    @property
    def guesses(self) -> int:
        """Guesses in all games together."""
        return sum(number * games for number, games in enumerate(self.by_guesses))


class ResultFile:
    """A result file that is open for reading, or for reading and writing."""

    def __init__(self, path: Path, *, write: bool = False):
        self.path = path
        self._write = write
        self._ids: dict[str, int] = {}
        self.trusted: set[str] = set()
        """Texts of campaigns whose results here have been played into or checked."""
        if write and not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
        if not write and not path.exists():
            raise FileNotFoundError(errno.ENOENT, "no such file", str(path))
        # A run that was killed may have left its journal, and only a writer can roll it back.
        mode = "rwc" if write else "rw" if os.access(path, os.W_OK) else "ro"
        self._file = self._guarded(
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
        """Close the file; nothing is waiting to be written."""
        self._file.close()

    # Reading.

    def campaigns(self) -> list[Campaign]:
        """The campaigns of the file, without seeds, in the order in which they came."""
        rows = self._all("select text from campaign order by id")
        return self._read(_campaign, rows)

    def only_campaign(self) -> Campaign:
        """The one campaign of the file."""
        found = self.campaigns()
        if len(found) != 1:
            raise NotationError(f"expected a file of one campaign, got {len(found)} in {self.path}")
        return found[0]

    def shards(self, campaign: Campaign) -> Iterator[Shard]:
        """The shards of a campaign in the order of their seeds."""
        # All at once: between two questions another run may join shards, and games be passed over.
        rows = self._all(f"{_SELECT} where text = ? order by seed", (campaign.text,))
        return iter(self._read(_shard, rows))

    def held(self, campaign: Campaign) -> list[range]:
        """The seeds that the file holds of a campaign."""
        rows = self._all(
            "select seed, games from shard join campaign on campaign = id "
            "where text = ? order by seed",
            (campaign.text,),
        )
        return joined(self._read(_seeds, rows))

    def sums(self, campaign: Campaign, seeds: range | None = None) -> CampaignTotals:
        """What the file holds of a campaign, or of some of its seeds, added up."""
        spans: list[range] = []
        wins, seconds, versions = 0, 0.0, {}
        by_guesses: list[int] = []
        for whole in self.shards(campaign):
            shard = whole if seeds is None else cut(campaign, whole, seeds)
            if shard is None:
                continue
            spans.append(shard.seeds)
            wins += shard.wins
            seconds += shard.seconds
            versions[shard.version] = True
            by_guesses = added((by_guesses, shard.by_guesses))
        spans = joined(spans)
        ends = range(spans[0].start, spans[-1].stop) if spans else range(0)
        return CampaignTotals(
            *(campaign.on(ends), tuple(spans), wins, tuple(by_guesses), seconds, tuple(versions))
        )

    def bits(self, campaign: Campaign, seeds: range) -> Bits:
        """Whether each game of these seeds, all of which must be held, was won."""
        found = np.zeros(len(seeds), dtype=np.bool_)
        for shard in self._touching(campaign, seeds):
            both = _overlap(shard.seeds, seeds)
            found[both.start - seeds.start : both.stop - seeds.start] = _bits(shard, both)
        return found

    # Writing.

    def add(self, campaign: Campaign, played: Iterable[PlayedShard]) -> None:
        """Keep games that were played, all of them or, where that fails, none.

        Games that are held already are compared and passed over.
        """
        with self._transaction():
            for one in played:
                for span in self._new(campaign, one, f"{self.path} and those played now"):
                    self._insert(campaign, one.part(span))

    def add_shards(self, campaign: Campaign, shards: Iterable[Shard]) -> None:
        """Keep the shards of another file; those that are held already must agree.

        A shard of which only a part is new is cut, and for that its new games are played again.
        """
        with self._transaction():
            for shard in shards:
                for span in self._new(campaign, shard, "the two files"):
                    part = cut(campaign, shard, span)
                    assert part is not None
                    self._insert(campaign, part)

    def tidy(self, campaign: Campaign) -> None:
        """Join short shards that follow each other, so that the file stays small."""
        with self._transaction():
            for group in _neighbours(self.shards(campaign)):
                for shard in group:
                    self._do(
                        "delete from shard where campaign = ? and seed = ?",
                        (self._id(campaign), _seed_text(shard.seeds.start)),
                    )
                self._insert(campaign, join(group))

    def expect(self, campaigns: Iterable[Campaign]) -> None:
        """Refuse a file that was begun for other campaigns than these."""
        wanted = [campaign.on(range(0)) for campaign in campaigns]
        found = self.campaigns()
        others = [campaign for campaign in found if campaign not in wanted]
        if others and any(campaign not in found for campaign in wanted):
            names = "; ".join(map(str, wanted))
            got = f"{others[0]}{' of other usual settings' if str(others[0]) == names else ''}"
            raise NotationError(f"expected results of {names:.200} in {self.path}, got {got}")

    # The file.

    def _prepare(self) -> None:
        if self._write and self._one("pragma schema_version") == 0:
            # Two runs may begin a file at the same moment: the second finds it begun.
            with self._transaction():
                if self._one("pragma schema_version") == 0:
                    for statement in SCHEMA.split(";"):
                        self._do(statement)
        if self._one("pragma application_id") != MARK:
            raise NotationError(f"expected a result file of the lab, got {self.path}")
        version = self._one("pragma user_version")
        if version != VERSION:
            raise NotationError(
                f"expected results of version {VERSION} in {self.path}, got version {version}"
            )
        # A commit is on the disk before it counts as done: it outlives a loss of power.
        self._do("pragma synchronous = full")

    def _id(self, campaign: Campaign) -> int:
        text = campaign.text
        if text not in self._ids:
            self._do("insert or ignore into campaign (text) values (?)", (text,))
            self._ids[text] = self._one("select id from campaign where text = ?", (text,))
        return self._ids[text]

    def _insert(self, campaign: Campaign, shard: Shard) -> None:
        self._do(
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

    def _new(self, campaign: Campaign, games: PlayedShard | Shard, where: str) -> list[range]:
        """The seeds that the file does not hold yet; those that it holds must agree."""
        held = []
        for shard in self._touching(campaign, games.seeds):
            both = _overlap(shard.seeds, games.seeds)
            held.append(both)
            if not np.array_equal(_bits(shard, both), _bits(games, both)):
                raise _differ(campaign, both, where)
        return list(missing(games.seeds, held))

    def _touching(self, campaign: Campaign, seeds: range) -> list[Shard]:
        """The shards that hold some of these seeds."""
        rows = self._all(
            f"{_SELECT} where text = ? and seed > ? and seed < ? order by seed",
            (campaign.text, _seed_text(seeds.start - LONGEST), _seed_text(seeds.stop)),
        )
        return [shard for shard in self._read(_shard, rows) if _overlap(shard.seeds, seeds)]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._do("begin immediate")
        try:
            yield
            self._do("commit")
        except BaseException:
            self._ids.clear()
            # Where the disk is full, SQLite has rolled back by itself.
            if self._file.in_transaction:
                self._do("rollback")
            raise

    def _all(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return self._guarded(lambda: self._file.execute(statement, values).fetchall())

    def _one(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        return self._all(statement, values)[0][0]

    def _do(self, statement: str, values: tuple[Any, ...] = ()) -> None:
        self._guarded(lambda: self._file.execute(statement, values))

    def _read(self, read: Callable[..., T], rows: list[Any]) -> list[T]:
        """What rows say; SQLite does not notice where a disk has changed what they hold."""
        try:
            return [read(*row) for row in rows]
        except SapperError as error:
            raise self._damaged(error) from None
        except (ValueError, TypeError, AttributeError):
            raise self._damaged("a row that cannot be") from None

    def _damaged(self, what: object) -> NotationError:
        return NotationError(f"expected a result file of the lab, got {self.path}: {what}")

    def _guarded(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except sqlite3.OperationalError as error:
            raise OSError(errno.EIO, str(error), str(self.path)) from None
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._damaged(error) from None


_SELECT = (
    "select seed, games, won, guesses, seconds, version from shard join campaign on campaign = id"
)


def cut(campaign: Campaign, shard: Shard, seeds: range) -> Shard | None:
    """The part of a shard on these seeds, None where there is none.

    A shard does not say which of its games took how many guesses, so a part is played again; that
    its games are won and lost as before is checked.
    """
    both = _overlap(shard.seeds, seeds)
    if not both or both == shard.seeds:
        return shard if both else None
    played = play_shard(campaign.text, both.start, both.stop, build())
    if not np.array_equal(_bits(played, both), _bits(shard, both)):
        raise _differ(campaign, both, "the file and those played now")
    part = played.part(both)
    seconds = shard.seconds * len(both) / len(shard.seeds)
    return Shard(both, part.won, part.by_guesses, seconds, shard.version)


def merge(paths: Iterable[Path], output: Path) -> None:
    """Put result files together into a new one; the same games in two of them must agree.

    The new file appears whole or not at all, and may take the place of one of the others.
    """
    paths = list(paths)
    if output.exists() and not any(output.samefile(path) for path in paths):
        raise NotationError(f"expected a new file for the results, got {output}, which is there")
    if not output.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(output.parent))
    work = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        with ResultFile(work, write=True) as merged:
            for path in paths:
                with ResultFile(path) as other:
                    for campaign in other.campaigns():
                        merged.add_shards(campaign, other.shards(campaign))
                        merged.tidy(campaign)
        os.replace(work, output)
    finally:
        for rest in (work, work.with_name(work.name + "-journal")):
            rest.unlink(missing_ok=True)


def _neighbours(shards: Iterable[Shard]) -> Iterator[list[Shard]]:
    """Runs of two or more shards that can be one: in a row, of one version, not too long."""
    group: list[Shard] = []
    for shard in shards:
        fits = (
            group
            and shard.seeds.start == group[-1].seeds.stop
            and shard.version == group[-1].version
            and shard.seeds.stop - group[0].seeds.start <= LONGEST
        )
        if fits:
            group.append(shard)
            continue
        if len(group) > 1:
            yield group
        group = [shard]
    if len(group) > 1:
        yield group


def _overlap(a: range, b: range) -> range:
    start = max(a.start, b.start)
    return range(start, max(start, min(a.stop, b.stop)))


def _bits(games: PlayedShard | Shard, seeds: range) -> Bits:
    start = games.seeds.start
    return bits_of(games.won, len(games.seeds))[seeds.start - start : seeds.stop - start]


def _differ(campaign: Campaign, seeds: range, where: str) -> Unavailable:
    return Unavailable(
        f"expected the same games of {campaign} on the seeds {written([seeds])} "
        f"in {where}, got different ones"
    )


def _seed_text(seed: int) -> str:
    """A seed as text that sorts as numbers do: SQLite's integers are signed."""
    return f"{max(seed, -1):020d}"


def _campaign(text: str) -> Campaign:
    return Campaign.parse(text, range(0))


def _seeds(seed: str, games: int) -> range:
    return range(int(seed), int(seed) + games)


def _shard(seed: str, games: int, won: bytes, guesses: str, seconds: float, version: str) -> Shard:
    by_guesses = json.loads(guesses)
    if len(won) != -(-games // 8) or sum(by_guesses) != games or seconds < 0:
        raise ValueError(f"expected {games} games in the row of seed {seed}, got others")
    return Shard(_seeds(seed, games), won, by_guesses, seconds, version)
