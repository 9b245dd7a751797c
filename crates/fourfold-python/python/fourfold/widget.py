"""A board to click on, in notebooks: against a player, or for two people.

>>> from fourfold.widget import BoardWidget
>>> game = BoardWidget("44", opponent="level:3")
>>> game.move(2)
>>> game.board.ply
4

Show it as the last value of a cell; ``game.board`` is the position at any time. Needs
``anywidget``: ``pip install anywidget``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfold._errors import FourfoldError
from fourfold._native import Board, Game
from fourfold._play import Player
from fourfold._solver import default_solver

if TYPE_CHECKING:

    class _Widget:
        def __init__(self) -> None: ...
        def on_msg(self, callback: Callable[..., None]) -> None: ...
else:
    import anywidget

    _Widget = anywidget.AnyWidget

__all__ = ["BoardWidget"]

HINT_SECONDS = 2.0
"""How long an analysis may take before the hints are left out."""


class BoardWidget(_Widget):
    """A board to click on.

    With an opponent (a text, a `Player` or a function), you play ``side`` (1 or 2) and it answers;
    without one, both sides are yours. Hints show what every move is worth.
    """

    _esm = Path(__file__).parent / "widget.js"
    _css = Path(__file__).parent / "widget.css"
    state: Any = import_module("traitlets").Dict().tag(sync=True)

    def __init__(
        self,
        board: Board | str | None = None,
        *,
        opponent: str | Callable[[Board], int | str] | Player | None = None,
        side: int = 1,
        game: Game | str | None = None,
        hints: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__()
        if side not in (1, 2):
            raise ValueError(f"a side is 1 or 2, not {side}")
        self._start = board.copy() if isinstance(board, Board) else Board(board, game=game)
        self._side = side
        self._hints = hints
        self._opponent: Player | None = None
        if opponent is not None:
            self._opponent = (
                opponent if isinstance(opponent, Player) else Player(opponent, seed=seed)
            )
        self._board = self._start.copy()
        self.on_msg(self._asked)
        self._answer()

    @property
    def board(self) -> Board:
        """The position now, a copy."""
        return self._board.copy()

    def move(self, move: int | str) -> None:
        """Makes a move, and has the opponent answer."""
        self._board.push(move)
        self._show()
        self._answer()

    def undo(self) -> None:
        """Takes back the last move or, against an opponent, your last one."""
        moves = len(self._board.moves) - len(self._start.moves)
        if moves == 0:
            return
        self._board.pop()
        while self._opponent and self._board.turn != self._side and len(self._board.moves) > len(
            self._start.moves
        ):
            self._board.pop()
        self._answer()

    def restart(self) -> None:
        """Starts again from where the widget started."""
        self._board = self._start.copy()
        self._answer()

    def _answer(self) -> None:
        """The opponent's move, if it is to move."""
        waits = self._opponent is not None and self._board.turn != self._side
        if waits and self._opponent is not None and not self._board.is_game_over():
            self._show("The opponent is thinking …")
            self._board.push(self._opponent.choose(self._board))
        self._show()

    def _asked(self, _: object, content: Any, buffers: object) -> None:
        """What the page asks for. It may be anything, so nothing is taken for granted."""
        plain: Any = dict
        given: dict[str, Any] = content if isinstance(content, plain) else {}
        asked, move = given.get("ask"), given.get("move")
        try:
            if asked == "move" and isinstance(move, int):
                self.move(move)
            elif asked == "undo":
                self.undo()
            elif asked == "restart":
                self.restart()
            elif asked == "hints":
                self._hints = not self._hints
                self._show()
        except FourfoldError as why:
            self._show(f"{why}.")

    def _show(self, message: str | None = None) -> None:
        board, game = self._board, self._board.game
        last, moves = None, board.moves
        if moves:
            before = board.copy()
            before.pop()
            changed = zip(board.to_cells(), before.to_cells())
            last = next(index for index, (now, then) in enumerate(changed) if now != then)
        winning = [
            (game.height - 1 - row) * game.width + column for column, row in board.winning_cells
        ]
        self.state = {
            "width": game.width,
            "height": game.height,
            "gravity": game.gravity,
            "cells": list(board.to_cells()),
            "legal": board.legal_moves,
            "labels": [board.label(move) for move in range(game.actions)],
            "last": last,
            "winning": winning,
            "turn": board.turn,
            "over": board.is_game_over(),
            "title": game.title,
            "message": message or self._message(),
            "hints": self._hints,
            "scores": self._scores(),
        }

    def _message(self) -> str:
        board = self._board
        names = {1: "Red", 2: "Yellow"}
        if board.winner is not None:
            return f"{names[board.winner]} has won."
        if board.is_game_over():
            return "A draw."
        return f"{names[board.turn]} is to move."

    def _scores(self) -> list[int | None] | None:
        if not self._hints or self._board.is_game_over():
            return None
        analysis = default_solver().analyse(self._board, time=HINT_SECONDS)
        return analysis.scores if analysis.stopped is None else None
