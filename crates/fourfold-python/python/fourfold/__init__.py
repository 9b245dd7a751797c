"""Connection games, played, solved and searched: Connect Four on any board, and more.

>>> import fourfold
>>> board = fourfold.Board("32164625")
>>> fourfold.solve(board).score
11
>>> board.push(fourfold.analyse(board).best)
>>> board.turn
2

Moves are numbers from 0, as in numpy and in the frameworks: columns from the left or, in games
without gravity, cells row by row from the top left. Text counts as people do, from 1:
``board.push(3)`` and ``board.push("4")`` are the same move.
"""

from fourfold._errors import (
    FourfoldError,
    GameError,
    IllegalMoveError,
    Interrupted,
    NotationError,
    OptionError,
    UnfinishedError,
)
from fourfold._native import Board, Game, Outcome, __version__, formats, games
from fourfold._solver import (
    Analysis,
    MoveResult,
    Result,
    Solver,
    analyse,
    analyse_many,
    solve,
    solve_many,
)

__all__ = [
    "Analysis",
    "Board",
    "FourfoldError",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Interrupted",
    "MoveResult",
    "NotationError",
    "OptionError",
    "Outcome",
    "Result",
    "Solver",
    "UnfinishedError",
    "__version__",
    "analyse",
    "analyse_many",
    "formats",
    "games",
    "solve",
    "solve_many",
]
