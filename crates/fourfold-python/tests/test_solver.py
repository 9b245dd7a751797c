"""Exact results, one by one and in batches."""

import os
import pickle
import signal
import threading
import time

import fourfold
import numpy as np
import pytest
from fourfold import Board, Solver
from test_board import random_boards

HARD = ""  # from the empty board, without a book: seconds at least


def test_single_results() -> None:
    result = fourfold.solve(Board("32164625"))
    assert (result.score, result.result, result.plies) == (11, "win", 13)
    assert fourfold.solve("4455667").score == -18
    weak = fourfold.solve("32164625", weak=True)
    assert (weak.score, weak.plies) == (1, None)
    assert fourfold.solve(Board(game="4x4c4")).result == "draw"


def test_functions_and_solvers_go_to_other_processes() -> None:
    solve = pickle.loads(pickle.dumps(fourfold.solve))
    assert solve.__self__ is fourfold.solve.__self__, "the solver of the module is not copied"
    solver = pickle.loads(pickle.dumps(Solver(memory=2, book=False)))
    assert solver is not solve.__self__
    assert solver.solve("32164625").nodes > 0, "without a book this takes a search"


def test_analyses() -> None:
    analysis = fourfold.analyse("", line=True)
    assert analysis.scores == [-2, -1, 0, 1, 0, -1, -2]
    assert (analysis.best, analysis.best_moves, analysis.score) == (3, [3], 1)
    assert analysis.line is not None and len(analysis.line) == 41
    assert analysis.stopped is None and analysis.moves[3].verdict == "wins in 21 moves"
    assert fourfold.analyse("444444").scores[3] is None
    over = fourfold.analyse("4455667")
    assert over.moves == [] and over.score is None
    with pytest.raises(ValueError, match="no best move"):
        over.best
    board = Board("44")
    kept = fourfold.analyse(board)
    board.push(0)
    assert kept.board == Board("44")


def test_limits() -> None:
    solver = Solver(book=False)
    with pytest.raises(fourfold.UnfinishedError, match="the node limit was reached") as caught:
        solver.solve(HARD, nodes=1000)
    assert caught.value.lower < caught.value.upper and caught.value.nodes >= 1000
    with pytest.raises(fourfold.UnfinishedError, match="the time limit"):
        solver.solve(HARD, time=0.01)
    cut = solver.analyse(HARD, nodes=1000)
    assert cut.stopped is not None and cut.moves[3].score is None and cut.score is None
    assert cut.best_moves == []
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(fourfold.OptionError, match="a time is"):
            solver.solve(HARD, time=wrong)
    with pytest.raises(OverflowError):
        solver.solve(HARD, nodes=-1)


def test_options() -> None:
    for wrong in (0, 513):
        with pytest.raises(fourfold.OptionError, match="the number of threads"):
            Solver(threads=wrong)
    with pytest.raises(fourfold.OptionError):
        Solver(memory=0)
    with pytest.raises(FileNotFoundError):
        Solver(book="no such file")
    with pytest.raises(TypeError):
        Solver(memory="much")  # type: ignore[arg-type]
    assert Solver(threads=2, memory=1).solve("32164625").score == 11


def test_solvers_forget() -> None:
    solver = Solver(book=False)
    first = solver.solve(Board(game="5x4c4")).nodes
    assert solver.solve(Board(game="5x4c4")).nodes < first
    solver.forget()
    assert solver.solve(Board(game="5x4c4")).nodes == first


def test_book_files(tmp_path: object) -> None:
    file = os.path.join(str(tmp_path), "x.book")
    with open(file, "wb") as out:
        out.write(b"not a book")
    with pytest.raises(fourfold.OptionError, match="x.book"):
        Solver(book=file)


def test_weights_files(tmp_path: object) -> None:
    assert Solver(weights=False, book=False).solve(Board("32164625")).score == 11
    here = os.path.dirname(__file__)
    shipped = os.path.join(here, "../../fourfold/src/solver/policy/policy.weights")
    solver = Solver(weights=shipped, book=False)
    assert solver.solve(Board("32164625")).score == 11
    with pytest.raises(fourfold.OptionError, match="7x6c4, not 5x4c4"):
        solver.solve(Board(game="5x4c4"))
    file = os.path.join(str(tmp_path), "x.weights")
    with open(shipped, "rb") as whole, open(file, "wb") as out:
        out.write(whole.read()[:-1])
    with pytest.raises(fourfold.OptionError, match="x.weights: .*damaged"):
        Solver(weights=file)


@pytest.mark.parametrize("game", ["5x4c4", "3x3c3f", "4x4s2"])
def test_batches_agree_with_single_results(game: str) -> None:
    boards = random_boards(game, 30)
    scores = fourfold.solve_many(boards)
    columns = fourfold.analyse_many(iter(boards), threads=2)
    assert scores.dtype == np.float32 and columns.shape == (30, boards[0].game.actions)
    for board, score, row in zip(boards, scores, columns):
        assert fourfold.solve(board).score == score
        singles = fourfold.analyse(board).scores
        assert [None if np.isnan(x) else int(x) for x in row] == singles
        if not board.is_game_over():
            assert np.nanmax(row) == score


@pytest.mark.parametrize("layout", ["cells", "kaggle", "openspiel", "pettingzoo", "pgx", "signed"])
def test_batches_of_arrays(layout: str) -> None:
    boards = [board for board in random_boards("7x6c4", 40, seed=3) if board.ply > 15]
    arrays = np.stack([board.to_numpy(layout) for board in boards])
    expected = fourfold.analyse_many(boards)
    np.testing.assert_array_equal(fourfold.analyse_many(arrays, layout=layout), expected)
    if layout not in ("signed",):
        np.testing.assert_array_equal(fourfold.analyse_many(arrays), expected)


def test_batches_that_are_refused() -> None:
    assert fourfold.solve_many([]).shape == (0,)
    assert fourfold.analyse_many([]).shape[0] == 0
    with pytest.raises(TypeError, match="not one board"):
        fourfold.solve_many("4453")
    with pytest.raises(TypeError):
        fourfold.solve_many(3)  # type: ignore[arg-type]
    with pytest.raises(fourfold.NotationError, match="board 1: "):
        fourfold.solve_many(["44", "4444444"])
    with pytest.raises(fourfold.FourfoldError, match="a batch has one game"):
        fourfold.solve_many([Board(), Board(game="tictactoe")])
    arrays = np.zeros((2, 6, 7))
    arrays[1, 0, 0] = 1
    with pytest.raises(fourfold.NotationError, match="board 1: the disc on a6 floats"):
        fourfold.solve_many(arrays)


def test_limits_of_a_batch_leave_holes() -> None:
    scores = Solver(book=False).solve_many([HARD, "32164625445566"], nodes=1)
    assert np.isnan(scores[0])


def test_progress() -> None:
    told: list[int] = []
    boards = random_boards("7x6c4", 50, seed=5)
    fourfold.solve_many([b for b in boards if b.ply > 12], progress=told.append)
    assert told == sorted(told) and told[-1] == len([b for b in boards if b.ply > 12])

    def fail(done: int) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        fourfold.solve_many(["32164625"], progress=fail)


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_stops_a_search() -> None:
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        Solver(book=False).solve(Board(game="9x9c4"))
    timer.join()


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_keeps_what_is_finished() -> None:
    # The second is beyond any solver, so the batch cannot end before the signal.
    endless = Board(game="9x9c4")
    quick = Board(game="9x9c4")
    for move in [0, 1, 0, 1, 0, 1]:
        quick.push(move)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(fourfold.Interrupted) as caught:
        Solver(book=False).solve_many([quick, endless, quick], threads=1)
    timer.join()
    assert caught.value.finished == 2
    assert (caught.value.scores[[0, 2]] > 0).all() and np.isnan(caught.value.scores[1])
    assert isinstance(caught.value, KeyboardInterrupt)


def test_other_threads_run_meanwhile() -> None:
    counted = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(fourfold.UnfinishedError):
        Solver(book=False).solve(Board(game="9x9c4"), time=0.2)
    ended.set()
    thread.join()
    assert counted > 3
