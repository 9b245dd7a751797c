"""Positions with exact scores."""

import fourfold
import numpy as np
import pytest
from fourfold import Board


def test_labels_are_exact_and_the_same_each_time() -> None:
    data = fourfold.dataset(200, game="5x4c4", plies=(5, 14), seed=2, chunk=64)
    boards, scores = data.numpy()
    again, _ = data.numpy()
    np.testing.assert_array_equal(boards, again)
    assert boards.shape == (200, 4, 5) and scores.shape == (200, 5)
    np.testing.assert_array_equal(fourfold.analyse_many(boards, game="5x4c4"), scores)
    keys = {Board(array, game="5x4c4").canonical().key for array in boards}
    assert len(keys) == 200
    discs = (boards > 0).sum(axis=(1, 2))
    assert discs.min() >= 5 and discs.max() <= 14


def test_a_run_can_be_resumed() -> None:
    whole, _ = fourfold.dataset(100, game="5x4c4", chunk=30).numpy()
    rest, _ = fourfold.dataset(100, game="5x4c4", chunk=17, skip=60).numpy()
    np.testing.assert_array_equal(whole[60:], rest)


def test_small_games_run_out() -> None:
    boards, _ = fourfold.dataset(10**6, game="tictactoe", plies=(2, 2)).numpy()
    assert 0 < len(boards) < 20
    repeated, _ = fourfold.dataset(50, game="tictactoe", plies=(2, 2), unique=False).numpy()
    assert len(repeated) == 50


@pytest.mark.parametrize("layout", ["cells", "kaggle", "openspiel", "pettingzoo", "pgx", "signed"])
def test_layouts(layout: str) -> None:
    boards, scores = fourfold.dataset(20, plies=(25, 35), layout=layout).numpy()
    np.testing.assert_array_equal(fourfold.analyse_many(boards, layout=layout), scores)


def test_nonsense_is_refused() -> None:
    for wrong in [{"plies": (5, 3)}, {"plies": (0, 42)}, {"chunk": 0}, {"skip": -1}]:
        with pytest.raises(fourfold.OptionError):
            fourfold.dataset(10, **wrong)


def test_parquet(tmp_path: object) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = f"{tmp_path}/data.parquet"
    assert fourfold.dataset(40, game="5x4c4", chunk=16).to_parquet(path) == 40
    assert parquet.read_table(path).num_rows == 40


def test_processes_share_the_chunks() -> None:
    data = fourfold.dataset(100, game="5x4c4", chunk=16)
    whole = [boards for boards, _ in data]
    shares = [[boards for boards, _ in data.share(index, 3)] for index in range(3)]
    assert [len(share) for share in shares] == [3, 2, 2]
    for number, boards in enumerate(whole):
        np.testing.assert_array_equal(boards, shares[number % 3][number // 3])


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    data = fourfold.dataset(50, game="5x4c4", layout="signed", chunk=16)
    loader = torch.utils.data.DataLoader(data.torch(), batch_size=10)
    shapes = [(boards.shape, scores.shape) for boards, scores in loader]
    assert shapes == [((10, 4, 5), (10, 5))] * 5
