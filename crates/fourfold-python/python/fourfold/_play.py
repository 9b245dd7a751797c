"""Players, matches, reviews and puzzles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from fourfold import _native
from fourfold._errors import OptionError
from fourfold._frames import frame
from fourfold._native import Board, Game
from fourfold._solver import Solver, default_solver

__all__ = [
    "MatchResult",
    "MoveReview",
    "Player",
    "Puzzle",
    "Review",
    "Seat",
    "SideReview",
    "match",
    "puzzle",
    "review",
]

PlayerLike: TypeAlias = "str | Callable[[Board], int | str] | Player"


class Player:
    """A player: one of `players()` with its options as text, a level, or a function of a board.

    >>> Player("perfect").choose("445366")
    6
    >>> Player.level(1, seed=7).spec
    'level:1'
    >>> Player(lambda board: board.legal_moves[0]).choose(Board("444444"))
    0

    It keeps its tables and its random numbers from move to move; the same seed gives the same game.
    """

    def __init__(self, spec: str | Callable[[Board], int | str], *, seed: int = 0) -> None:
        self.given = spec
        self._core = _native.PlayerCore(spec, seed)

    @staticmethod
    def level(level: int, *, seed: int = 0) -> Player:
        """A level of measured strength, from 1 to 12; `level_elo()` has their ratings."""
        return Player(f"level:{level}", seed=seed)

    @property
    def spec(self) -> str:
        """What it is called: its text, or the name of the function."""
        return self._core.spec

    def choose(self, board: Board | str) -> int:
        """The move it makes. It must be its turn in a game that is not over."""
        return self._core.choose(board if isinstance(board, Board) else Board(board))

    def __call__(self, board: Board) -> int:
        return self.choose(board)

    def __repr__(self) -> str:
        return f"Player({self.spec!r})"


@dataclass(frozen=True)
class Seat:
    """One player's totals over a match."""

    player: str
    """The player."""
    wins: int
    """Games won."""
    wins_as_first: int
    """Games won when moving first."""
    games_as_first: int
    """Games in which it moved first."""
    forfeits: int
    """Games lost by a forfeit."""
    win_rate: float
    """The share of games won."""
    win_rate_interval: tuple[float, float] | None
    """Its 95 % confidence interval; None if games repeat because nothing is left to chance."""
    moves: int
    """Moves made."""
    time_ms: float
    """Time spent, in milliseconds."""
    nodes: int
    """Positions visited."""
    evaluations: int
    """Calls of the evaluator."""


@dataclass(frozen=True)
class MatchResult:
    """How a match went."""

    first: Seat
    """The player named first."""
    second: Seat
    """The player named second."""
    games: int
    """Games finished."""
    draws: int
    """Games drawn."""
    first_wins: int
    """Games won by the side that moved first."""
    distinct: int
    """Games that differ in their moves or in who began."""
    records: list[dict[str, Any]]
    """The games, one dict each: game, first, second, seed, moves, result, times and counts."""

    def frame(self, library: str | None = None) -> Any:
        """The records as a pandas or polars frame, whichever is installed."""
        return frame(self.records, library)


def match(
    first: PlayerLike,
    second: PlayerLike,
    *,
    games: int = 100,
    game: Game | str | None = None,
    seed: int = 0,
    threads: int | None = None,
    swap: bool = True,
    openings: Iterable[Board | str] = (),
    progress: Callable[[int], object] | None = None,
) -> MatchResult:
    """Plays games between two players, who take turns to begin unless ``swap`` is off.

    >>> result = match("naive", "random", games=20, seed=7)
    >>> result.first.wins > result.second.wins
    True
    >>> result.records[0]["result"]
    'first'

    Games begin from the openings in turn, or from the empty board. They are played on all cores,
    and are the same whatever the number of threads. Functions hold the interpreter lock, so more
    threads do not help them. ``progress`` is told how many games are finished.
    """
    boards = boards_given(openings, game)
    one, two = player_given(first), player_given(second)
    found, interrupted = _native.play_match(
        one, two, game, games, seed, threads, swap, boards, progress
    )
    if interrupted is not None:
        raise interrupted
    records = [json.loads(line) for line in found.pop("lines")]
    return MatchResult(
        Seat(**found.pop("first")), Seat(**found.pop("second")), records=records, **found
    )


def boards_given(openings: Iterable[Board | str], game: Game | str | None) -> list[Board]:
    """The boards of openings, for the package's own use."""
    return [
        opening if isinstance(opening, Board) else Board(opening, game=game) for opening in openings
    ]


def player_given(player: PlayerLike) -> str | Callable[[Board], int | str]:
    """What makes a player, for the package's own use."""
    # A match seats players anew for every game, so it needs what makes them.
    return player.given if isinstance(player, Player) else player


@dataclass(frozen=True)
class MoveReview:
    """One move of a reviewed game. Scores are for the side that moved."""

    ply: int
    """Discs on the board before it."""
    player: int
    """Who moved: 1 or 2."""
    move: int
    """The move."""
    judgement: str | None
    """``best``, ``forced``, ``inaccuracy`` or ``blunder``; None if a limit was reached first."""
    score: int | None
    """What the move leads to."""
    best_score: int | None
    """What the best move leads to."""
    verdict: str | None
    """``score`` in words."""
    best_verdict: str | None
    """``best_score`` in words."""
    best_moves: list[int]
    """Every move that reaches the best result."""
    scores: list[int | None]
    """A score for each column (or cell)."""
    only_move: bool
    """True if only one of several moves kept the outcome."""
    refutation: list[int]
    """How best play goes on after a move that was not best."""
    better: list[int]
    """Best play instead of a move that was not best."""


@dataclass(frozen=True)
class SideReview:
    """A side's moves, counted."""

    moves: int
    """Moves made."""
    judged: int
    """Moves that were judged."""
    choices: int
    """Judged moves at which the legal moves were not all equally good."""
    best: int
    """How many of those choices were best."""
    inaccuracies: int
    """Moves that kept the outcome, but not the distance."""
    blunders: int
    """Moves that threw the outcome away."""
    only_moves_found: int
    """Times when only one of several moves kept the outcome, and it was found."""
    accuracy: float | None
    """The share of choices that were best; None if nothing was to be chosen."""


@dataclass(frozen=True)
class Review:
    """A game, judged move by move."""

    board: Board
    """The position at its end, with the moves."""
    moves: list[MoveReview]
    """Its moves, in order."""
    first: SideReview
    """The first player's moves, counted."""
    second: SideReview
    """The second player's."""
    nodes: int
    """Nodes searched."""
    stopped: str | None
    """Why some moves are not judged, if that is so."""
    _svg: str = field(repr=False, compare=False)

    def frame(self, library: str | None = None) -> Any:
        """The moves as a pandas or polars frame, whichever is installed."""
        return frame([asdict(move) for move in self.moves], library)

    def _repr_svg_(self) -> str:
        return self._svg


def review(
    game: Board | str,
    *,
    solver: Solver | None = None,
    nodes: int | None = None,
    time: float | None = None,
) -> Review:
    """Judges every move of a game against exact play; the game is a board made from moves.

    >>> judged = review("4453667")
    >>> [move.judgement for move in judged.moves]
    ['best', 'best', 'blunder', 'best', 'best', 'blunder', 'best']
    """
    board = game if isinstance(game, Board) else Board(game)
    core = (solver or default_solver()).core
    found = _native.review_game(core, board, nodes, time)
    return Review(
        board.copy(),
        [MoveReview(**move) for move in found["moves"]],
        SideReview(**found["first"]),
        SideReview(**found["second"]),
        found["nodes"],
        found["stopped"],
        found["svg"],
    )


@dataclass(frozen=True)
class Puzzle:
    """A position in which a single move keeps the win or the draw."""

    board: Board
    """The position."""
    solution: int
    """The move to find."""
    result: str
    """What it keeps: ``win`` or ``draw``."""
    verdict: str
    """The same in words."""
    scores: list[int | None]
    """A score for each column (or cell)."""
    line: list[int]
    """Best play, the solution first."""
    level: int
    """How hard it is, from 1 to 5."""

    def _repr_svg_(self) -> str:
        return self.board.svg()


def puzzle(
    *,
    game: Game | str | None = None,
    plies: tuple[int, int] | None = None,
    level: int | None = None,
    seed: int = 0,
    solver: Solver | None = None,
) -> Puzzle:
    """A puzzle out of random games: the same for the same arguments.

    >>> found = puzzle(seed=1, level=2)
    >>> found.level, found.solution in analyse(found.board).best_moves
    (2, True)

    ``plies`` is the least and the greatest number of discs on the board.
    """
    rules = game if isinstance(game, Game) else Game(game)
    if plies is None:
        plies = (rules.cells * 2 // 5, rules.cells * 7 // 10)
    try:
        least, most = plies
    except (TypeError, ValueError):
        raise OptionError("plies is a pair: the least and the greatest number of discs") from None
    core = (solver or default_solver()).core
    return Puzzle(**_native.find_puzzle(core, rules, least, most, level, seed))
