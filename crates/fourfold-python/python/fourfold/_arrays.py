"""Boards as arrays: the layouts that people and frameworks use.

The drawings show how the position after the moves ``4453`` is laid out on a board of 7x6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fourfold._errors import NotationError, OptionError
from fourfold._native import Board, Game

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_numpy(board: Board, layout: str = "cells") -> NDArray[Any]:
    """The position as a new array."""
    array: NDArray[Any] = batch_to_numpy(board.to_cells(), board.game, layout)[0]
    return array


def batch_to_numpy(cells: bytes, game: Game, layout: str = "cells") -> NDArray[Any]:
    """Many positions as a new array."""
    import numpy as np

    array = np.frombuffer(cells, dtype=np.uint8).astype(np.int8)
    return _layout(layout).write(array.reshape(-1, game.height, game.width))


def from_numpy(array: Any, layout: str = "cells", game: Game | str | None = None) -> Board:
    """The board that an array shows."""
    cells, game = cells_of_batch(_array(array)[None], layout, game)
    return Board.from_cells(cells, game)


def board_from(given: Any, game: Game | str | None, format: str | None) -> Board:
    """A board from a list or an array: moves, or cells in a layout that its shape tells."""
    if format is not None:
        raise OptionError("a format is for text; name the layout of an array with from_numpy")
    plain: Any = (bytes, bytearray, dict, set)
    if isinstance(given, plain) or not hasattr(given, "__iter__"):
        raise TypeError(f"a position is text, a list or an array, not {type(given).__name__}")
    if not hasattr(given, "shape"):
        given = list(given)
    if not hasattr(given, "shape") and not any(isinstance(item, Sequence) for item in given):
        rules = game if isinstance(game, Game) else Game(game)
        if len(given) != rules.cells:
            return Board.from_moves(given, game=rules)
    array = _array(given)
    if array.ndim == 1:
        rules = game if isinstance(game, Game) else Game(game)
        if array.shape[0] != rules.cells:
            return Board.from_moves(array.tolist(), game=rules)
        return from_numpy(array, "kaggle", rules)
    if array.ndim == 3:
        return from_numpy(array, "openspiel" if array.shape[0] == 3 else "pettingzoo", game)
    return from_numpy(array, "cells", game)


def cells_of_batch(array: Any, layout: str, game: Game | str | None) -> tuple[bytes, Game]:
    """An array of positions as bytes, cell by cell from the top left of each; and their game."""
    import numpy as np

    chosen = _layout(layout)
    array = _array(array)
    if array.ndim - 1 != chosen.dimensions:
        raise NotationError(
            f"an array of positions in the layout {layout!r} has {chosen.dimensions + 1} "
            f"dimensions (positions first), not {array.ndim}"
        )
    rules = game if isinstance(game, Game) else Game(game)
    cells: Any = chosen.read(array, rules)
    height, width = cells.shape[1:]
    if (width, height) != (rules.width, rules.height):
        if game is not None:
            raise NotationError(f"the array is {width}x{height}, and the game is {rules}")
        rules = Game.of(width, height)
    if ((cells < 0) | (cells > 2)).any():
        raise NotationError("a cell is 0 (empty), 1 or 2")
    return np.ascontiguousarray(cells, dtype=np.uint8).tobytes(), rules


class _Layout:
    """How cells become an array and back; ``cells`` is (positions, rows from the top, columns)."""

    def __init__(
        self,
        dimensions: int,
        write: Callable[[Any], NDArray[Any]],
        read: Callable[[NDArray[Any], Game], NDArray[Any]],
    ) -> None:
        self.dimensions = dimensions
        self.write = write
        self.read = read


def _array(given: Any) -> NDArray[Any]:
    """An array of small whole numbers."""
    import numpy as np

    try:
        array = np.asarray(given)
    except ValueError:
        raise NotationError("the rows are of different lengths") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"an array of numbers shows a position, not one of {array.dtype}")
    whole = np.clip(np.nan_to_num(array.astype(np.float64), nan=99), -99, 99)
    if (whole != np.floor(whole)).any():
        raise NotationError("a cell is a whole number")
    return whole.astype(np.int8)


def _turn(cells: Any) -> Any:
    """Who moves next, for each position: 1 or 2."""
    return (cells > 0).sum(axis=(1, 2), keepdims=True) % 2 + 1


def _write_own_first(cells: Any, kind: Any) -> NDArray[Any]:
    import numpy as np

    turn = _turn(cells)
    return np.stack([cells == turn, cells == 3 - turn], axis=-1).astype(kind)


def _read_own_first(array: Any, game: Game) -> NDArray[Any]:
    if array.shape[-1] != 2:
        planes = array.shape[-1]
        raise NotationError(f"the last dimension has 2 planes (own, opponent), not {planes}")
    taken = (array != 0).sum(axis=(1, 2, 3))[:, None, None]
    turn = taken % 2 + 1
    own, opponent = array[..., 0], array[..., 1]
    _check_planes(array, (own, opponent))
    result: NDArray[Any] = own * turn + opponent * (3 - turn)
    return result


def _check_planes(array: Any, planes: Sequence[Any]) -> None:
    total: Any = sum(planes)
    if ((array != 0) & (array != 1)).any() or (total > 1).any():
        raise NotationError("every plane has 0 and 1 only, and a cell has one player's disc only")


def _write_openspiel(cells: Any) -> NDArray[Any]:
    import numpy as np

    upward = cells[:, ::-1]
    return np.stack([upward == 1, upward == 2, upward == 0], axis=1).astype(np.float32)


def _read_openspiel(array: Any, game: Game) -> NDArray[Any]:
    if array.shape[1] != 3:
        raise NotationError(f"there are 3 planes (first, second, empty), not {array.shape[1]}")
    first, second, empty = array[:, 0], array[:, 1], array[:, 2]
    _check_planes(array, (first, second, empty))
    if ((first + second + empty) != 1).any():
        raise NotationError("every cell is in one plane of three")
    upward: NDArray[Any] = first + 2 * second
    cells: NDArray[Any] = upward[:, ::-1]
    return cells


def _write_signed(cells: Any) -> NDArray[Any]:
    import numpy as np

    turn = _turn(cells)
    signed: NDArray[Any] = (cells == turn).astype(np.int8) - (cells == 3 - turn).astype(np.int8)
    return signed


def _read_signed(array: Any, game: Game) -> NDArray[Any]:
    if (abs(array) > 1).any():
        raise NotationError("a cell is 0 (empty), 1 (own) or -1 (opponent)")
    turn = (array != 0).sum(axis=(1, 2), keepdims=True) % 2 + 1
    result: NDArray[Any] = (array == 1) * turn + (array == -1) * (3 - turn)
    return result


def _read_flat(array: Any, game: Game) -> NDArray[Any]:
    if array.shape[1] != game.cells:
        raise NotationError(f"{game} has {game.cells} cells, not {array.shape[1]}")
    result: NDArray[Any] = array.reshape(-1, game.height, game.width)
    return result


LAYOUTS: dict[str, _Layout] = {
    "cells": _Layout(2, lambda cells: cells, lambda array, game: array),
    "kaggle": _Layout(1, lambda cells: cells.reshape(len(cells), -1), _read_flat),
    "openspiel": _Layout(3, _write_openspiel, _read_openspiel),
    "pettingzoo": _Layout(3, lambda cells: _write_own_first(cells, "int8"), _read_own_first),
    "pgx": _Layout(3, lambda cells: _write_own_first(cells, "bool"), _read_own_first),
    "signed": _Layout(2, _write_signed, _read_signed),
}


def _layout(name: str) -> _Layout:
    try:
        return LAYOUTS[name]
    except KeyError:
        names = ", ".join(LAYOUTS)
        raise OptionError(f"there is no layout {name!r}: the layouts are {names}") from None
