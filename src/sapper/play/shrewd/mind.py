"""How `shrewd` guesses: networks and two moves ahead, in the words of `thoughtful`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sapper.infer.budget import Limit
from sapper.kernels.play.shrewd import Shrewd
from sapper.kernels.play.thoughtful import Thought
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.play.guess import Guess
from sapper.play.learned.mind import instead
from sapper.play.shrewd.memory import asks_networks, judge, make_shrewd
from sapper.play.shrewd.settings import ShrewdSettings
from sapper.play.thoughtful.mind import Idle, Thinking, lent, told
from sapper.play.thoughtful.settings import ThoughtfulSettings

_idle: Idle[ShrewdSettings, Shrewd] = {}


def adviser(board: Board) -> Thinking:
    """Who is asked for a hint: `shrewd` where it has a network, else `thoughtful`."""
    usual = ShrewdSettings()
    return Judging(usual) if asks_networks(board, usual) else Thinking(ThoughtfulSettings())


class Judging(Thinking):
    """Guesses by these settings; as `thoughtful` where there is no network, and then it says so."""

    def __init__(self, settings: ShrewdSettings):
        super().__init__(settings)
        self._judgement = settings

    @contextmanager
    def _thought(self, frame: Frame, limit: Limit) -> Iterator[Thought | None]:
        if not asks_networks(frame.board, self._judgement):
            with super()._thought(frame, limit) as thought:
                yield thought
            return
        with lent(_idle, (frame.board, self._judgement), make_shrewd) as shrewd:
            assert frame.mines is not None
            failed = judge(shrewd, frame.marks, frame.mines, True, limit)
            yield None if failed else shrewd.t

    def _decide(self, frame: Frame, thought: Thought, limit: Limit) -> Guess:
        found = told(frame, thought)
        if asks_networks(frame.board, self._judgement) or not self._judgement.network:
            return found
        return instead(found, frame.board)
