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

from fourfold._dataset import Dataset, dataset
from fourfold._errors import (
    FourfoldError,
    GameError,
    IllegalMoveError,
    Interrupted,
    NotationError,
    OptionError,
    PlayerError,
    UnfinishedError,
)
from fourfold._native import (
    Board,
    Game,
    Outcome,
    __version__,
    evaluate,
    evaluators,
    formats,
    games,
    level_elo,
    players,
    switches,
)
from fourfold._play import (
    MatchResult,
    MoveReview,
    Player,
    Puzzle,
    Review,
    Seat,
    SideReview,
    match,
    puzzle,
    review,
)
from fourfold._search import SearchMove, SearchReport, search
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
from fourfold._tournament import (
    Grade,
    GradeFigures,
    Pairing,
    Rating,
    Tournament,
    grade,
    tournament,
)
from fourfold._trace import Trace, random_tree, trace

__all__ = [
    "Analysis",
    "Board",
    "Dataset",
    "FourfoldError",
    "Game",
    "GameError",
    "Grade",
    "GradeFigures",
    "IllegalMoveError",
    "Interrupted",
    "MatchResult",
    "MoveResult",
    "MoveReview",
    "NotationError",
    "OptionError",
    "Outcome",
    "Pairing",
    "Player",
    "PlayerError",
    "Puzzle",
    "Rating",
    "Result",
    "Review",
    "SearchMove",
    "SearchReport",
    "Seat",
    "SideReview",
    "Solver",
    "Tournament",
    "Trace",
    "UnfinishedError",
    "__version__",
    "analyse",
    "analyse_many",
    "dataset",
    "evaluate",
    "evaluators",
    "formats",
    "games",
    "grade",
    "level_elo",
    "match",
    "players",
    "puzzle",
    "random_tree",
    "review",
    "search",
    "solve",
    "solve_many",
    "switches",
    "tournament",
    "trace",
]
