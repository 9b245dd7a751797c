"""A bot for OpenSpiel's ``connect_four`` and ``tic_tac_toe``, and its states as boards.

Needs ``open-spiel``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fourfold._errors import GameError
from fourfold._native import Board, Game
from fourfold._play import Player

if TYPE_CHECKING:

    class _Bot:
        def __init__(self) -> None: ...
else:
    import pyspiel

    _Bot = pyspiel.Bot

__all__ = ["Bot", "board_of", "game_of"]


def game_of(game: Any) -> Game:
    """The rules of an OpenSpiel game."""
    name = str(game.get_type().short_name)
    given: dict[str, Any] = dict(game.get_parameters())
    if name == "tic_tac_toe":
        return Game("tictactoe")
    if name == "connect_four":
        columns, rows = int(given.get("columns", 7)), int(given.get("rows", 6))
        return Game.of(columns, rows, int(given.get("x_in_row", 4)))
    raise GameError(f"there is no game for OpenSpiel's {name}: use connect_four or tic_tac_toe")


def board_of(state: Any) -> Board:
    """The board of an OpenSpiel state, with its moves."""
    return Board.from_moves(state.history(), game=game_of(state.get_game()))


class Bot(_Bot):
    """A bot that plays as one of `fourfold.players()`, or as a function of a board."""

    def __init__(
        self, player: str | Callable[[Board], int | str] = "perfect", *, seed: int = 0
    ) -> None:
        super().__init__()
        self._player = Player(player, seed=seed)

    def step(self, state: Any) -> int:
        """The action for a state."""
        return self._player.choose(board_of(state))

    def restart_at(self, state: Any) -> None:
        """Nothing is kept between games."""

    def provides_policy(self) -> bool:
        """It only chooses actions."""
        return False
