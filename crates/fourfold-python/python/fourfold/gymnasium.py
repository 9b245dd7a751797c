"""A Gymnasium environment: a game against any player, with action masks.

Needs ``gymnasium``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fourfold._native import Board, Game
from fourfold._play import Player

if TYPE_CHECKING:
    from numpy.typing import NDArray

    class _Env:
        np_random: Any
        def reset(self, *, seed: int | None = None) -> None: ...
        def close(self) -> None: ...

else:
    import gymnasium

    _Env = gymnasium.Env

__all__ = ["ConnectEnv"]


class ConnectEnv(_Env):
    """One game after another against an opponent that moves at once.

    An observation has ``board``, the layout ``signed`` of `Board.to_numpy` (1 for the agent, -1 for
    the opponent), and ``action_mask``. The reward is 1 for a win, -1 for a loss (an illegal move
    loses at once) and 0 otherwise. ``first`` is whether the agent begins; by default chance
    decides, from the seed of ``reset``.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponent: str | Callable[[Board], int | str] = "level:3",
        *,
        game: Game | str | None = None,
        first: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        import numpy as np

        spaces: Any = import_module("gymnasium.spaces")
        self._game = game if isinstance(game, Game) else Game(game)
        self._opponent = opponent
        self._first = first
        self._player = Player(opponent)
        self._agent = 1
        self.board = Board(game=self._game)
        self.render_mode = render_mode
        shape = (self._game.height, self._game.width)
        self.action_space: Any = spaces.Discrete(self._game.actions)
        self.observation_space: Any = spaces.Dict(
            {
                "board": spaces.Box(-1, 1, shape, np.int8),
                "action_mask": spaces.Box(0, 1, (self._game.actions,), np.int8),
            }
        )

    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """A new game; if the opponent begins, its move is made."""
        super().reset(seed=seed)
        first = self._first
        if first is None:
            first = bool(self.np_random.integers(2))
        self._agent = 1 if first else 2
        self._player = Player(self._opponent, seed=int(self.np_random.integers(2**31)))
        self.board = Board(game=self._game)
        if not first:
            self.board.push(self._player.choose(self.board))
        return self._observation(), {}

    def step(
        self, action: int
    ) -> tuple[dict[str, NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """The agent's move and the opponent's answer."""
        if not self.board.is_legal(action):
            return self._observation(), -1.0, True, False, {"illegal": True}
        self.board.push(action)
        if not self.board.is_game_over():
            self.board.push(self._player.choose(self.board))
        reward = 0.0
        if self.board.winner is not None:
            reward = 1.0 if self.board.winner == self._agent else -1.0
        return self._observation(), reward, self.board.is_game_over(), False, {}

    def render(self) -> str | None:
        """The board as text."""
        return str(self.board) if self.render_mode == "ansi" else None

    def _observation(self) -> dict[str, NDArray[Any]]:
        import numpy as np

        cells = self.board.to_numpy("cells")
        own, other = cells == self._agent, cells == 3 - self._agent
        mask = np.zeros(self._game.actions, dtype=np.int8)
        mask[self.board.legal_moves] = 1
        return {"board": own.astype(np.int8) - other.astype(np.int8), "action_mask": mask}
