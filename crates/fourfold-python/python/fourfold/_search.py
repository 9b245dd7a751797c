"""The textbook search: minimax and alpha-beta with every switch, and what they counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fourfold import _native
from fourfold._native import Board

__all__ = ["SearchMove", "SearchReport", "search"]

DEFAULT_DEPTH = 5
_DEEPEST = 2**32 - 1


@dataclass(frozen=True)
class SearchMove:
    """A legal move and what the search found of it, for the side to move."""

    move: int
    """Its number, from 0."""
    score: int | None
    """What it is worth; None if it was not tried."""
    verdict: str | None
    """The same in words."""
    bound: str
    """How to read the score: ``exact``, ``at-least`` or ``at-most``."""
    same_as: int | None
    """The move that this one mirrors, if it was skipped for that."""
    line: list[int]
    """The principal variation, this move first."""
    nodes: int
    """Nodes visited below it."""


@dataclass(frozen=True)
class SearchReport:
    """What a search found, for the side to move."""

    score: int
    """The value of the position; decided games are worth about 100,000,000."""
    result: str
    """``win``, ``draw``, ``loss`` or ``estimate``."""
    plies: int | None
    """Moves of both sides until the win."""
    verdict: str
    """The same in words."""
    best: int | None
    """The move to play; None if the game is over or the depth was 0."""
    line: list[int]
    """The principal variation."""
    moves: list[SearchMove]
    """Every legal move, in the order of ``Board.legal_moves``."""
    depth: int
    """Plies looked ahead."""
    ended: str
    """Why the search ended: ``completed``, ``decided``, or the limit."""
    counters: dict[str, Any]
    """What it did: nodes, evaluations, ended (games), cuts by the move's index, table_probes,
    table_hits and so on."""
    seconds: float
    """How long it took."""


def search(
    board: Board | str,
    *,
    depth: int | None = None,
    evaluator: str | Callable[[Board, int], int] | None = None,
    seed: int = 0,
    nodes: int | None = None,
    time: float | None = None,
    **switches: bool | int | str,
) -> SearchReport:
    """Searches a position by alpha-beta; `switches()` lists what can be turned on and off.

    >>> report = search("4455", depth=5, mid_col=True, table=16)
    >>> report.verdict, report.line
    ('wins in 2 moves', [2, 3, 1])
    >>> search("4455", depth=5).counters["nodes"] < search(
    ...     "4455", depth=5, alpha_beta=False
    ... ).counters["nodes"]
    True

    An evaluator is one of `evaluators()` or a function of a board and a player (1 or 2) that
    returns a whole number, greater if it likes the position for that player. It must give the same
    board the same number.

    >>> def centre(board, player):
    ...     column = [board.at(3, row) for row in range(6)]
    ...     return column.count(player) - column.count(3 - player)
    >>> search("", depth=1, evaluator=centre).best
    3

    Without a depth, limits on nodes or seconds have the search look further and further ahead;
    without either it looks 5 plies ahead.
    """
    board = board if isinstance(board, Board) else Board(board)
    if depth is None:
        limited = nodes is not None or time is not None
        depth = _DEEPEST if limited else DEFAULT_DEPTH
        if limited:
            switches.setdefault("deepening", True)
    found = _native.search(board, depth, evaluator, switch_texts(switches), seed, nodes, time)
    found["moves"] = [SearchMove(**move) for move in found["moves"]]
    return SearchReport(**found)


def switch_texts(switches: Mapping[str, object]) -> list[tuple[str, str]]:
    """Switches as the library reads them."""
    return [(name, _text(value)) for name, value in switches.items()]


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, (int, str)):
        raise TypeError(f"a switch is a bool, an int or a str, not {type(value).__name__}")
    return str(value)
