"""The exceptions. Arguments of a wrong type raise ``TypeError`` as everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class FourfoldError(Exception):
    """What the package raises itself."""


class GameError(FourfoldError, ValueError):
    """No such game.

    >>> import fourfold
    >>> fourfold.Game("3x3c4")
    Traceback (most recent call last):
    ...
    fourfold._errors.GameError: nobody could ever win 3x3c4: a line of 4 does not fit on the board
    """


class NotationError(FourfoldError, ValueError):
    """A text, list or array that is not a position."""


class IllegalMoveError(FourfoldError, ValueError):
    """A move that cannot be made."""


class OptionError(FourfoldError, ValueError):
    """An argument that is out of range, or a name that does not exist."""


class PlayerError(FourfoldError):
    """A player cannot play this game, or gave no move."""


class UnfinishedError(FourfoldError):
    """A limit was reached before the result was proven."""

    lower: int
    """The score is at least this."""
    upper: int
    """The score is at most this."""
    nodes: int
    """Nodes searched."""

    def __init__(self, message: str, lower: int = 0, upper: int = 0, nodes: int = 0) -> None:
        super().__init__(message, lower, upper, nodes)
        self.lower = lower
        self.upper = upper
        self.nodes = nodes

    def __str__(self) -> str:
        return str(self.args[0])


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a batch. What was finished by then is in ``scores``."""

    scores: NDArray[np.float32]
    """As the batch would have returned it, NaN where nothing is known."""
    finished: int
    """How many positions are done."""

    def __init__(self, scores: NDArray[np.float32], finished: int) -> None:
        super().__init__(f"interrupted after {finished} positions")
        self.scores = scores
        self.finished = finished
