"""A policy for PettingZoo's ``connect_four_v3``.

>>> import numpy as np
>>> from fourfold import Board, pettingzoo
>>> policy = pettingzoo.policy("naive")
>>> policy({"observation": Board("445366").to_numpy("pettingzoo"), "action_mask": np.ones(7)})
6
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fourfold._native import Board
from fourfold._play import Player

__all__ = ["board_of", "policy"]


def board_of(observation: Mapping[str, Any]) -> Board:
    """The board that an observation shows; the agent is the side to move."""
    return Board.from_numpy(observation["observation"], "pettingzoo", game="7x6c4")


def policy(
    player: str | Callable[[Board], int | str] = "perfect", *, seed: int = 0
) -> Callable[[Mapping[str, Any]], int]:
    """A function from what ``env.last()`` observes to an action."""
    chooser = Player(player, seed=seed)

    def choose(observation: Mapping[str, Any]) -> int:
        return chooser.choose(board_of(observation))

    return choose
