"""Campaigns: everything that determines a run of games, as one frozen value.

Game i of a campaign is played on the layout of its i-th seed and does not depend on the worker, the
order or the machine. `sapper.games.batch` plays the games; `play_many`, `play_each` and the runners
of the lab sum up their results.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace

from sapper.board.random_stream import SEED_COUNT, check_seed, random_seed
from sapper.board.rules import Rules
from sapper.errors import NotationError, RulesError
from sapper.formats.json_format import board_from_json, board_to_json, read_json
from sapper.players.player import Player, Settings
from sapper.players.registry import PLAYERS
from sapper.values import check_int, check_type

_JSON_KEYS = ("mines", "rule", "first", "player", "settings")


@dataclass(frozen=True)
class Campaign:
    """Rules, a player with its settings, the first cell and the seeds.

    >>> campaign = Campaign.of("expert", "careful", games=100, seed=1, rule="safe", first="r1c1")
    >>> campaign.name
    'careful-square-30x16-99-safe-r1c1-dd9935ec-seeds-1-to-100'
    >>> Campaign.parse(campaign.text, campaign.seeds) == campaign
    True
    """

    rules: Rules
    player: str
    first: int
    seeds: range
    settings: Settings = ()
    """All settings of the player, in the order of their names."""

    def __post_init__(self) -> None:
        check_type(self.seeds, range, "seeds as a range")
        self.rules.check_first(self.first)
        start, stop = self.seeds.start, self.seeds.stop
        if stop < start:
            raise RulesError(f"expected at least 0 games, got {stop - start}")
        if self.seeds.step != 1 or start < 0 or max(stop, start + 1) > SEED_COUNT:
            raise RulesError(
                f"expected seeds from 0 to {SEED_COUNT - 1}, got {start} to {stop - 1}"
            )

    @classmethod
    def of(
        cls,
        size: str | Rules,
        player: str | Player = "careful",
        games: int = 1000,
        seed: int | None = None,
        rule: str | None = None,
        first: str | int | None = None,
        *,
        tiling: str | None = None,
    ) -> Campaign:
        """Make a campaign from the arguments of `play_many`; the default seed is random."""
        rules = Rules.of(size, tiling, rule)
        cell = rules.first_cell(first)
        start = random_seed() if seed is None else check_seed(seed)
        seeds = range(start, start + check_int(games, "a number of games"))
        entry = PLAYERS.find(player)
        return cls(rules, entry.name, cell, seeds, entry.settings.pairs)

    def with_seeds(self, seeds: range) -> Campaign:
        """Return the same campaign on other seeds."""
        return replace(self, seeds=seeds)

    @property
    def text(self) -> str:
        """Everything but the seeds, as one line of JSON that `parse` reads.

        Workers and result files identify a campaign by this text.
        """
        board = self.rules.board
        return json.dumps(
            board_to_json(board)
            | {
                "mines": self.rules.mines,
                "rule": self.rules.rule,
                "first": board.name(self.first),
                "player": self.player,
                "settings": dict(self.settings),
            },
            ensure_ascii=False,
            sort_keys=True,
        )

    @classmethod
    def parse(cls, text: str, seeds: range) -> Campaign:
        """Read a campaign from its `text`, with these seeds."""
        check_type(text, str, "the text of a campaign")
        data = read_json(text)
        values = {key: data.pop(key, None) for key in _JSON_KEYS}
        if None in values.values() or not isinstance(values["settings"], dict):
            raise NotationError(f"expected a campaign ({', '.join(_JSON_KEYS)}), got {text!r:.60}")
        rules = Rules(board_from_json(data), values["mines"], values["rule"])
        settings = tuple(sorted(values["settings"].items()))
        player = PLAYERS.find(values["player"]).name
        return cls(rules, player, rules.board.cell(values["first"]), seeds, settings)

    @property
    def slug(self) -> str:
        """A name for files, from everything but the seeds: readable words, and a hash of `text`."""
        board, rules = self.rules.board, self.rules
        words = f"{self.player} {board} {rules.mines} {rules.rule} {board.name(self.first)}"
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:8]
        return f"{re.sub(r'[^0-9A-Za-z]+', '-', words)[:80]}-{digest}"

    @property
    def name(self) -> str:
        """The slug with the seeds."""
        if not self.seeds:
            return f"{self.slug}-no-seeds"
        return f"{self.slug}-seeds-{self.seeds[0]}-to-{self.seeds[-1]}"

    def make_player(self) -> Player:
        """Return the player with these settings; raise an error if it does not have them."""
        return PLAYERS.find(self.player).with_settings(dict(self.settings))

    @property
    def player_label(self) -> str:
        """The player with the settings that differ from its defaults."""
        defaults = PLAYERS.find(self.player).settings.pairs
        changed = (f"{key}={value}" for key, value in self.settings if (key, value) not in defaults)
        return " ".join((self.player, *changed))

    def __str__(self) -> str:
        rules = self.rules
        first = rules.board.name(self.first)
        return f"{self.player_label} on {rules.board}/{rules.mines} {rules.rule} {first}"
