"""How `shrewd` guesses: networks and two moves ahead, in the words of `thoughtful`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.engine.budget import Limit
from sapper.kernels.players.shrewd import ShrewdState
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.players.guess import Guess
from sapper.players.learned import explain_fallback
from sapper.players.shrewd_settings import ShrewdSettings
from sapper.players.shrewd_state import choose_shrewd, make_shrewd_state, uses_networks
from sapper.players.thoughtful import IdleStates, ThoughtfulGuesser, borrow_state, describe_choice
from sapper.players.thoughtful_settings import ThoughtfulSettings

_idle: IdleStates[ShrewdSettings, ShrewdState] = {}


def default_guesser(board: Board) -> ThoughtfulGuesser:
    """Who is asked for a number: `shrewd` where it has a network, else `thoughtful`."""
    usual = ShrewdSettings()
    return (
        ShrewdGuesser(usual)
        if uses_networks(board, usual)
        else ThoughtfulGuesser(ThoughtfulSettings())
    )


class ShrewdGuesser(ThoughtfulGuesser):
    """Guesses by these settings; as `thoughtful` where there is no network, and then it says so."""

    def __init__(self, settings: ShrewdSettings):
        super().__init__(settings)
        self._judgement = settings

    @contextmanager
    def _guesser_state(self, position: Position, limit: Limit) -> Iterator[ThoughtfulState | None]:
        if not uses_networks(position.board, self._judgement):
            with super()._guesser_state(position, limit) as thoughtful_state:
                yield thoughtful_state
            return
        with borrow_state(_idle, (position.board, self._judgement), make_shrewd_state) as shrewd:
            assert position.mines is not None
            failed = choose_shrewd(shrewd, position.marks, position.mines, True, limit)
            yield None if failed else shrewd.t

    def _decide(self, position: Position, thoughtful_state: ThoughtfulState, limit: Limit) -> Guess:
        found = describe_choice(position, thoughtful_state)
        if uses_networks(position.board, self._judgement) or not self._judgement.network:
            return found
        return explain_fallback(found, position.board)
