"""Positions with exact scores, to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from fourfold._arrays import batch_to_numpy
from fourfold._errors import OptionError
from fourfold._native import Game, Sampler
from fourfold._solver import Solver, default_solver

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Chunk = tuple[NDArray[Any], NDArray[np.float32]]

__all__ = ["Dataset", "dataset"]


class Dataset:
    """Positions with the exact score of every move, made chunk by chunk while it is read.

    Each reading starts from the beginning and gives the same positions in the same order.
    """

    def __init__(
        self,
        count: int,
        game: Game,
        plies: tuple[int, int],
        seed: int,
        unique: bool,
        layout: str,
        chunk: int,
        skip: int,
        solver: Solver,
    ) -> None:
        self.count, self.game, self.plies, self.seed = count, game, plies, seed
        self.unique, self.layout, self.chunk, self.skip = unique, layout, chunk, skip
        self._solver = solver
        self._sampler()  # what is wrong is told at once

    def _sampler(self) -> Sampler:
        return Sampler(self.game, self.plies[0], self.plies[1], self.seed, self.unique)

    def __iter__(self) -> Iterator[Chunk]:
        """Pairs of arrays: positions in the layout, and a row of scores for each."""
        return self.share(0, 1)

    def share(self, index: int, count: int) -> Iterator[Chunk]:
        """The same, but only every ``count``-th chunk, from number ``index`` on: for processes that
        share the work."""
        sampler = self._sampler()
        number = 0
        skipped = 0
        while skipped < self.skip:
            drawn = len(sampler.draw(min(self.chunk, self.skip - skipped)))
            if drawn == 0:
                return
            skipped += drawn
        left = self.count - self.skip
        while left > 0:
            batch = sampler.draw(min(self.chunk, left))
            if len(batch) == 0:
                return
            if number % count == index:
                scores = self._solver.solve_batch(batch, columns=True)
                yield batch_to_numpy(batch.to_cells(), self.game, self.layout), scores
            number += 1
            left -= len(batch)

    def numpy(self) -> Chunk:
        """All of it as two arrays."""
        import numpy as np

        chunks = list(self)
        if not chunks:
            empty = batch_to_numpy(b"", self.game, self.layout)
            return empty, np.empty((0, self.game.actions), dtype=np.float32)
        boards, scores = zip(*chunks)
        return np.concatenate(boards), np.concatenate(scores)

    def torch(self) -> Any:
        """A PyTorch ``IterableDataset`` of pairs of tensors, one pair per position.

        The workers of a ``DataLoader`` share the chunks. Needs ``torch``.
        """
        torch: Any = import_module("torch")
        data: Any = import_module("torch.utils.data")
        dataset = self

        class Positions(data.IterableDataset):  # type: ignore[misc]
            def __iter__(self) -> Iterator[Any]:
                worker = data.get_worker_info()
                index, count = (0, 1) if worker is None else (worker.id, worker.num_workers)
                for boards, scores in dataset.share(index, count):
                    yield from zip(torch.from_numpy(boards), torch.from_numpy(scores))

        return Positions()

    def to_parquet(self, path: str | PathLike[str]) -> int:
        """Writes it to a file chunk by chunk, and returns how many rows that are.

        The columns are ``cells`` (a list of 0, 1 and 2 from the top left, whatever the layout) and
        ``scores`` (a list; null where no disc can go). Needs ``pyarrow``.
        """
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
        fields = {"cells": arrow.list_(arrow.int8()), "scores": arrow.list_(arrow.int8())}
        schema = arrow.schema(list(fields.items()))
        rows = 0
        flat = Dataset(
            self.count,
            self.game,
            self.plies,
            self.seed,
            self.unique,
            "cells",
            self.chunk,
            self.skip,
            self._solver,
        )
        with parquet.ParquetWriter(path, schema) as writer:
            for boards, scores in flat:
                lists = [[int(x) if x == x else None for x in row] for row in scores]
                columns = [boards.reshape(len(boards), -1).tolist(), lists]
                writer.write_table(arrow.table(columns, schema=schema))
                rows += len(boards)
        return rows


def dataset(
    count: int,
    *,
    plies: tuple[int, int] | None = None,
    game: Game | str | None = None,
    seed: int = 0,
    unique: bool = True,
    layout: str = "cells",
    chunk: int = 4096,
    skip: int = 0,
    solver: Solver | None = None,
) -> Dataset:
    """Positions out of random games, with the exact score of every move.

    >>> for boards, scores in dataset(100, game="5x4c4", plies=(6, 12), chunk=50):
    ...     print(boards.shape, scores.shape)
    (50, 4, 5) (50, 5)
    (50, 4, 5) (50, 5)

    ``plies`` is the least and the greatest number of discs. The games are random, but nobody wins
    while there is another move, and positions that are won at once are left out. With ``unique``,
    a position and its mirror image come once; a small game may then have fewer positions than asked
    for. ``layout`` is one of `Board.to_numpy`. ``skip`` goes on where an earlier run ended: the
    first positions are drawn again, but not solved.
    """
    rules = game if isinstance(game, Game) else Game(game)
    if plies is None:
        plies = (rules.cells // 5, rules.cells * 6 // 7)
    if count < 0 or chunk < 1 or skip < 0:
        raise OptionError("count and skip are at least 0, and chunk at least 1")
    return Dataset(
        count, rules, plies, seed, unique, layout, chunk, skip, solver or default_solver()
    )
