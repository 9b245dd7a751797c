"""Exact results: who wins, how soon, and with which moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from os import PathLike
from time import monotonic
from typing import TYPE_CHECKING, Any

from fourfold._errors import Interrupted
from fourfold._native import Batch, Board, Game, SolverCore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Boards = Iterable[Board | str] | NDArray[Any]

__all__ = [
    "Analysis",
    "MoveResult",
    "Result",
    "Solver",
    "analyse",
    "analyse_many",
    "solve",
    "solve_many",
]


_PATIENCE = 1.0
"""Seconds that work lasts before a bar appears that nobody asked for."""


@dataclass(frozen=True)
class Result:
    """An exact result, for the side to move."""

    score: int
    """k for a win with the winner's k-th last disc, 0 for a draw, negative for a loss."""
    result: str
    """``"win"``, ``"draw"`` or ``"loss"``."""
    plies: int | None
    """Moves of both sides until the win; None for a draw and in weak solutions."""
    verdict: str
    """The same in words: ``wins in 7 moves``."""
    nodes: int
    """Nodes searched."""


@dataclass(frozen=True)
class MoveResult:
    """What is known of a move, for the side that makes it."""

    move: int
    """Its number, from 0."""
    lower: int
    """The score is at least this."""
    upper: int
    """The score is at most this; the same as ``lower`` if the score is exact."""
    result: str | None
    """``"win"``, ``"draw"`` or ``"loss"``; None if it is not known exactly."""
    plies: int | None
    """Moves of both sides until the win, this one included."""
    verdict: str | None
    """The same in words: ``wins in 7 moves``."""

    @property
    def score(self) -> int | None:
        """The exact score, if it is known."""
        return self.lower if self.result is not None else None


@dataclass(frozen=True)
class Analysis:
    """Every move of a position with what is known of it."""

    board: Board
    """The position, a copy."""
    moves: list[MoveResult]
    """Every legal move, in the order of ``board.legal_moves``."""
    line: list[int] | None
    """Best play to the end of the game; None unless asked for and found."""
    nodes: int
    """Nodes searched."""
    stopped: str | None
    """Why the analysis ended early; None if every score is exact."""

    @property
    def scores(self) -> list[int | None]:
        """A score for each column (or cell): None where no disc can go or nothing is proven."""
        scores: list[int | None] = [None] * self.board.game.actions
        for found in self.moves:
            scores[found.move] = found.score
        return scores

    @property
    def score(self) -> int | None:
        """The score of the position; None if the game is over or the analysis ended early."""
        if not self.moves or self.stopped is not None:
            return None
        return max(found.lower for found in self.moves)

    @property
    def best_moves(self) -> list[int]:
        """All moves that keep the score."""
        return [found.move for found in self.moves if found.score == self.score is not None]

    @property
    def best(self) -> int:
        """The best move; of several the most central.

        Raises ``ValueError`` if there is none: the game is over, or the analysis ended early.
        """
        game = self.board.game

        def off_centre(move: int) -> int:
            return abs(2 * (move % game.width) - game.width + 1) + (
                0 if game.gravity else abs(2 * (move // game.width) - game.height + 1)
            )

        best = sorted(self.best_moves, key=off_centre)
        if not best:
            raise ValueError("there is no best move: the game is over, or the analysis ended early")
        return best[0]

    def _repr_svg_(self) -> str:
        return self.board.svg(scores=self.scores)


class Solver:
    """Solves positions of any game exactly, and remembers what it has proven.

    >>> solver = Solver(memory=16)
    >>> solver.solve(Board("32164625"))
    Result(score=11, result='win', plies=13, verdict='wins in 7 moves', nodes=...)

    Arguments:
        memory: MiB for each transposition table. More helps large boards.
        threads: how many search one position together, and how many share a batch. By default
            one, and all of the processor's.
        book: True for the opening book that comes with the package, False for none, or a file.
        weights: True for the networks that come with the package to order moves, False for none,
            or a file of ``fourfold train order``, for its game alone. Scores do not depend on it.
    """

    def __init__(
        self,
        *,
        memory: int | None = None,
        threads: int | None = None,
        book: bool | str | PathLike[str] = True,
        weights: bool | str | PathLike[str] = True,
    ) -> None:
        embedded = book if isinstance(book, bool) else False
        path = None if isinstance(book, bool) else book
        networks = weights if isinstance(weights, bool) else False
        file = None if isinstance(weights, bool) else weights
        self._made = partial(Solver, memory=memory, threads=threads, book=book, weights=weights)
        self.core = SolverCore(memory, threads, embedded, path, networks, file)

    def __reduce__(self) -> tuple[Callable[[], Solver], tuple[()]]:
        # Without what it has proven. Whoever pickles `solve` for another process pickles this.
        return (default_solver if self is default_solver() else self._made), ()

    def forget(self) -> None:
        """Forgets what it has proven, so that the next question is answered afresh."""
        self.core.forget()

    def solve(
        self,
        board: Board | str,
        *,
        weak: bool = False,
        nodes: int | None = None,
        time: float | None = None,
    ) -> Result:
        """The exact result of a position, for the side to move.

        With ``weak``, only who wins (a score of 1, 0 or -1), which is faster. Limits on nodes and
        seconds raise ``UnfinishedError``, which carries the bounds that are proven.

        >>> solve("32164625").verdict
        'wins in 7 moves'
        >>> solve(Board(game="tictactoe")).result
        'draw'
        """
        return Result(*self.core.solve(_board(board), weak, nodes, time))

    def analyse(
        self,
        board: Board | str,
        *,
        weak: bool = False,
        line: bool = False,
        nodes: int | None = None,
        time: float | None = None,
    ) -> Analysis:
        """The exact result of every move, and with ``line`` best play to the end of the game.

        What a limit leaves unsolved has bounds.

        >>> analyse("").scores
        [-2, -1, 0, 1, 0, -1, -2]
        >>> analyse("444444", line=True).best_moves
        [2, 4]
        """
        board = _board(board)
        found = self.core.analyse(board, weak, line, nodes, time)
        moves = [MoveResult(*move) for move in found["moves"]]
        return Analysis(board.copy(), moves, found["line"], found["nodes"], found["stopped"])

    def solve_many(
        self,
        boards: Boards,
        *,
        game: Game | str | None = None,
        layout: str | None = None,
        weak: bool = False,
        nodes: int | None = None,
        time: float | None = None,
        threads: int | None = None,
        progress: bool | Callable[[int], object] | None = None,
    ) -> NDArray[np.float32]:
        """The scores of many positions, on all cores, in order; NaN where a limit was reached.

        ``boards`` is a list, an iterator, or an array with the positions first and each in one of
        the layouts of `Board.to_numpy`. ``nodes`` and ``time`` (seconds) limit each position.
        ``progress`` is a function that is told how many are done; True asks for a bar by ``tqdm``,
        which by default appears if it is installed and the work lasts; False for none. Ctrl-C
        raises `Interrupted`, which has what is finished.

        >>> solve_many(["32164625", "4455667"])
        array([ 11., -18.], dtype=float32)
        """
        batch = batch_of(boards, game, layout)
        return self.solve_batch(batch, False, weak, nodes, time, threads, progress).reshape(-1)

    def analyse_many(
        self,
        boards: Boards,
        *,
        game: Game | str | None = None,
        layout: str | None = None,
        weak: bool = False,
        nodes: int | None = None,
        time: float | None = None,
        threads: int | None = None,
        progress: bool | Callable[[int], object] | None = None,
    ) -> NDArray[np.float32]:
        """The scores of all moves of many positions: a row each, a column (or cell) each.

        NaN where no disc can go. Everything else is as in `solve_many`.

        >>> analyse_many(["", "444444"])
        array([[-2., -1.,  0.,  1.,  0., -1., -2.],
               [-1.,  0.,  1., nan,  1.,  0., -1.]], dtype=float32)
        """
        batch = batch_of(boards, game, layout)
        return self.solve_batch(batch, True, weak, nodes, time, threads, progress)

    def solve_batch(
        self,
        batch: Batch,
        columns: bool,
        weak: bool = False,
        nodes: int | None = None,
        time: float | None = None,
        threads: int | None = None,
        progress: bool | Callable[[int], object] | None = False,
    ) -> NDArray[np.float32]:
        """The scores of positions that are ready to be solved; for the package's own use."""
        import numpy as np

        shown = _Progress(progress, len(batch))
        try:
            scores, finished, interrupted = self.core.batch(
                batch, columns, weak, nodes, time, threads, shown.tell
            )
            if interrupted is None and shown.tell is not None:
                shown.tell(finished)
        finally:
            shown.close()
        width = batch.game.actions if columns else 1
        array = np.frombuffer(scores, dtype=np.float32).reshape(len(batch), width)
        if isinstance(interrupted, KeyboardInterrupt):
            raise Interrupted(array, finished) from interrupted
        if interrupted is not None:
            raise interrupted
        return array


def batch_of(boards: Boards, game: Game | str | None, layout: str | None) -> Batch:
    """Positions ready to be solved."""
    from fourfold._arrays import cells_of_batch

    if isinstance(boards, (str, Board)):
        raise TypeError("a batch is a list, an iterator or an array of boards, not one board")
    if layout is None and not hasattr(boards, "shape"):
        return Batch.of_boards(boards, game)
    array: Any = boards
    if layout is None:
        layout = {2: "kaggle", 3: "cells"}.get(array.ndim, "pettingzoo")
        if array.ndim == 4 and array.shape[1] == 3:
            layout = "openspiel"
    return Batch.of_cells(*cells_of_batch(array, layout, game))


class _Progress:
    """What is told how many are done: nobody, a function, or a bar by tqdm.

    A bar that nobody asked for appears once the work has lasted a while.
    """

    def __init__(self, wanted: bool | Callable[[int], object] | None, total: int) -> None:
        self._total, self._began, self._wanted = total, monotonic(), wanted
        self._bar: Any = None
        self.tell: Callable[[int], object] | None = None
        if callable(wanted):
            self.tell = wanted
        elif wanted is not False:
            self.tell = self._update
        if wanted is True:
            self._open()

    def _open(self) -> None:
        try:
            tqdm: Any = import_module("tqdm.auto").tqdm
        except ImportError:
            if self._wanted:
                raise ImportError("a progress bar needs tqdm: pip install tqdm") from None
            self.tell = None
            return
        self._bar = tqdm(total=self._total, unit="board", leave=bool(self._wanted))

    def _update(self, done: int) -> None:
        if self._bar is None and monotonic() - self._began > _PATIENCE:
            self._open()
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _board(given: Board | str) -> Board:
    return given if isinstance(given, Board) else Board(given)


_shared = Solver()

# As `random` of the standard library does it: the functions of the module are methods of one object.
solve = _shared.solve
analyse = _shared.analyse
solve_many = _shared.solve_many
analyse_many = _shared.analyse_many


def default_solver() -> Solver:
    """The solver behind the functions of the module."""
    return _shared
