"""Agents for Kaggle's ConnectX: every board size and ``inarow``, within the clock.

>>> from fourfold import kaggle
>>> play = kaggle.agent()
>>> play({"board": [0] * 42, "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4})
3

A submission is one file, with the package inside:

    python -m fourfold.kaggle submission.py
    python -m fourfold.kaggle submission.py --level 5
"""

from __future__ import annotations

import argparse
import base64
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fourfold._errors import UnfinishedError
from fourfold._native import Board, Game
from fourfold._play import Player
from fourfold._search import search
from fourfold._solver import Solver

__all__ = ["agent", "board_of", "submission"]

MARGIN = 0.5
"""Seconds of a move that are left to the environment."""
RESERVE = 20.0
"""Seconds in reserve below which moves take half of their time: the machine is slow."""


def board_of(observation: Any, configuration: Any) -> Board:
    """The board that an observation shows."""
    get = _getter(configuration)
    game = Game.of(int(get("columns", 7)), int(get("rows", 6)), int(get("inarow", 4)))
    return Board.from_cells(bytes(_getter(observation)("board", ())), game)


def agent(
    level: int | None = None, *, seconds: float | None = None, seed: int = 0
) -> Callable[[Any, Any], int]:
    """An agent for ``kaggle_environments``.

    Without a level it plays as well as it can: exactly, where the solver is done in time, else by
    the deepest search that the time allows. A move takes at most ``seconds``, by default what the
    environment allows for a move less a margin. The reserve is for a machine that is busy.
    """
    solver = Solver()
    player = None if level is None else Player.level(level, seed=seed)

    def play(observation: Any, configuration: Any) -> int:
        board = board_of(observation, configuration)
        if player is not None:
            return player.choose(board)
        allowed = seconds
        if allowed is None:
            allowed = float(_getter(configuration)("actTimeout", 2)) - MARGIN
            if float(_getter(observation)("remainingOverageTime", 60)) < RESERVE:
                allowed /= 2
        return best_within(board, max(allowed, 0.05), solver)

    return play


def best_within(board: Board, seconds: float, solver: Solver) -> int:
    """A legal move: the best there is, or the best that a search finds in time."""
    # Half the time for the solver: a search as long finds nearly as much as one twice as long.
    analysis = solver.analyse(board, time=seconds / 2)
    if analysis.stopped is None:
        return analysis.best
    try:
        report = search(
            board, time=seconds / 2, mid_col=True, early_win=True, table=16, deepening=True
        )
    except UnfinishedError:
        return board.legal_moves[len(board.legal_moves) // 2]
    lost = {found.move for found in analysis.moves if found.upper < 0}
    if report.best is None or report.best in lost:
        kept = [move for move in board.legal_moves if move not in lost]
        return (kept or board.legal_moves)[0]
    return report.best


def _getter(given: Any) -> Callable[[str, Any], Any]:
    """Observations are dicts whose keys are attributes as well, or either alone."""

    def get(name: str, default: Any) -> Any:
        try:
            return given[name]
        except (KeyError, TypeError):
            return getattr(given, name, default)

    return get


_SUBMISSION = '''\
"""An agent for Kaggle's ConnectX with the package fourfold inside.

Made by: python -m fourfold.kaggle{arguments}
"""

import base64
import io
import sys
import tempfile
import zipfile

_PACKAGE = "{package}"


def _unpack():
    folder = tempfile.mkdtemp()
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(_PACKAGE))) as archive:
        archive.extractall(folder)
    sys.path.insert(0, folder)


_unpack()
from fourfold.kaggle import agent as _agent

_play = _agent({options})


def act(observation, configuration):
    return _play(observation, configuration)
'''


def submission(path: str | Path, *, level: int | None = None, seconds: float | None = None) -> int:
    """Writes a submission as one file, and returns its size in bytes.

    The native module inside is the one that is installed here, so make it on Linux, with the
    release build.
    """
    packed = io.BytesIO()
    folder = Path(__file__).parent
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            if file.suffix in (".py", ".so", ".pyd"):
                archive.write(file, f"fourfold/{file.name}")
    given = {"level": level, "seconds": seconds}
    chosen = {name: value for name, value in given.items() if value is not None}
    text = _SUBMISSION.format(
        arguments="".join(f" --{name} {value}" for name, value in chosen.items()),
        package=base64.b64encode(packed.getvalue()).decode(),
        options=", ".join(f"{name}={value!r}" for name, value in chosen.items()),
    )
    return Path(path).write_text(text, encoding="utf-8")


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m fourfold.kaggle",
        description="Write a submission for Kaggle's ConnectX as one file.",
    )
    parser.add_argument("file", help="the file to write, such as submission.py")
    parser.add_argument("--level", type=int, help="a level from 1 to 12 instead of best play")
    parser.add_argument("--seconds", type=float, help="the most seconds for a move")
    given = parser.parse_args()
    size = submission(given.file, level=given.level, seconds=given.seconds)
    print(f"Wrote {given.file}, {size / 1e6:.1f} MB.")


if __name__ == "__main__":
    _main()
