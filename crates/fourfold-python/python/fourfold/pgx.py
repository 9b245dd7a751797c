"""Exact labels for batches of pgx states of ``connect_four``.

    state = jax.vmap(pgx.make("connect_four").init)(keys)
    scores = fourfold.pgx.labels(state)

Needs ``pgx`` only to make the states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fourfold._native import Board
from fourfold._solver import Solver, default_solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["board_of", "labels"]


def board_of(state: Any) -> Board:
    """The board of a single state that is not over."""
    import numpy as np

    return Board.from_numpy(np.asarray(state.observation), "pgx", game="7x6c4")


def labels(state: Any, *, solver: Solver | None = None) -> NDArray[np.float32]:
    """The exact score of every action of every state of a batch, for the player to move.

    NaN where an action is illegal; all of them are once the game is over. The batch may have any
    number of dimensions, which come first in the result.
    """
    import numpy as np

    observation: Any = np.asarray(state.observation)
    over: Any = np.asarray(state.terminated).reshape(-1)
    batch = observation.reshape(-1, *observation.shape[-3:])
    scores: NDArray[np.float32] = np.full((len(batch), 7), np.nan, dtype=np.float32)
    if not over.all():
        found = (solver or default_solver()).analyse_many(
            batch[~over], layout="pgx", game="7x6c4", progress=False
        )
        scores[~over] = found
    return scores.reshape(*observation.shape[:-3], 7)
