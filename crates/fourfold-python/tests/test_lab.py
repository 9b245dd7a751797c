"""Traces, tournaments, grades and experiments; records as frames; drawings of all of them."""

import os
import signal
import threading
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import fourfold
import pytest
from fourfold import Board, lab

EXPERIMENT = """
title = "Looking ahead"
question = "Does it help to look ahead?"
seed = 1

[[match]]
name = "matches"
title = "Matches"
game = "4x4c3"
player = "lookahead:{depth}"
opponent = "random"
begins = "turns"
games = 4
show = ["wins"]

[match.vary]
depth = [1, 2]
"""


def test_traces_of_numbers() -> None:
    found = fourfold.trace([[3, 5], [2, 9]])
    assert (found.value, found.best, found.line, found.cut) == (3, "E-1", ["E-1", "E-3"], ["E-6"])
    assert found.steps_in_all == len(found.steps) == len(found.sentences)
    assert fourfold.trace("((3 5)(2 9))").steps == found.steps
    assert fourfold.trace([[3, 5], [2, 9]], root="min").value == 5
    assert fourfold.trace([[3, 5], [2, 9]], alpha_beta=False).nodes == 7
    assert fourfold.random_tree(2, 3, tree_seed=5).nodes_in_tree == 15
    assert len(fourfold.trace([[3, 5], [2, 9]], steps=4).steps) == 4


def test_traces_of_positions() -> None:
    found = fourfold.trace("4455", depth=3, mid_col=True)
    assert found.details["best_move"] == "3" and found.value > 0
    report = fourfold.search("4455", depth=3, mid_col=True)
    assert report.best == 2 and report.score == found.value
    # With a function as evaluator.
    assert fourfold.trace("", depth=1, evaluator=lambda board, player: board.at(3, 0)).best == "E-4"
    with pytest.raises(ZeroDivisionError):
        fourfold.trace("", depth=1, evaluator=lambda board, player: 1 // 0)


def test_trees_that_are_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for wrong in ([[], 3], "((3)", "(x)", endless):
        with pytest.raises(fourfold.OptionError):
            fourfold.trace(wrong)
    for wrong in ([[1.5]], [["3"]], [None], b"1"):
        with pytest.raises(TypeError):
            fourfold.trace(wrong)  # type: ignore[arg-type]
    with pytest.raises(fourfold.OptionError, match="more than 1000000 nodes"):
        fourfold.trace("", depth=30)
    with pytest.raises(fourfold.OptionError, match="to its leaves"):
        fourfold.trace([1, 2], depth=3)
    with pytest.raises(fourfold.OptionError, match="table"):
        fourfold.trace([1, 2], table=4)
    with pytest.raises(fourfold.OptionError, match="max or min"):
        fourfold.trace([1, 2], root="me")


def test_tournaments(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    told: list[int] = []

    def play(threads: int, **options: Any) -> fourfold.Tournament:
        return fourfold.tournament(
            ["lookahead:3", "naive", "random"],
            games=10,
            game="5x4c4",
            seed=3,
            threads=threads,
            **options,
        )

    result = play(2, progress=told.append, save=file)
    assert [rating.player for rating in result.players][0] == "lookahead:depth=3"
    assert result.games == 30 == len(result.records) and len(result.pairings) == 3
    assert sum(rating.wins for rating in result.players) + result.draws == 30
    assert told == sorted(told) and len(file.read_text().splitlines()) == 31
    again = play(1, save=file)
    strip = [(record["first"], record["moves"]) for record in result.records]
    assert strip == [(record["first"], record["moves"]) for record in again.records]
    assert "lookahead:depth=3" in str(result) and "<td>naive</td>" in result._repr_html_()
    anchored = play(1, anchor=(2, 1500.0), save=file)
    assert [r.elo for r in anchored.players if r.player == "random"] == [1500.0]


def test_tournaments_of_functions_and_openings() -> None:
    def leftmost(board: Board) -> int:
        return board.legal_moves[0]

    result = fourfold.tournament(
        [leftmost, "lookahead:2"], games=4, openings=["44", Board("35")], seed=1
    )
    assert {rating.player: rating.wins for rating in result.players} == {
        "leftmost": 0,
        "lookahead:depth=2": 4,
    }
    assert [record["moves"][:2] for record in result.records] == ["44", "44", "35", "35"]

    def fails(board: Board) -> int:
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        fourfold.tournament(["random", fails], games=4)


def test_tournaments_that_are_refused(tmp_path: Path) -> None:
    two = ["naive", "random"]
    for wrong in (
        {"format": "swiss"},
        {"openings": "mine"},
        {"openings": ["44"], "opening_plies": 3},
        {"opening_plies": 42},
        {"sprt": (10.0, 0.0)},
        {"anchor": (2, 0.0)},
        {"threads": 0},
    ):
        with pytest.raises(fourfold.OptionError):
            fourfold.tournament(two, games=2, **wrong)  # type: ignore[arg-type]
    for players in (["naive"], ["naive", "naive"], []):
        with pytest.raises(fourfold.OptionError):
            fourfold.tournament(players, games=2)
    other = tmp_path / "games.jsonl"
    other.write_text("something else\n")
    with pytest.raises(fourfold.FourfoldError, match="not a file of a tournament"):
        fourfold.tournament(two, games=2, game="4x4c3", save=other)
    with pytest.raises(TypeError):
        fourfold.tournament([3, "random"])  # type: ignore[list-item]


def test_grades() -> None:
    perfect = fourfold.grade("perfect", against="random", games=6, game="5x4c4")
    assert perfect.kept_share == 1.0 and perfect.distance_lost == 0.0 and perfect.games == 6
    graded = fourfold.grade("random", games=6, game="5x4c4", threads=2)
    assert graded == fourfold.grade("random", games=6, game="5x4c4", threads=1)
    assert graded.kept_share is not None and graded.kept_share < 0.9
    assert graded.kept_interval is not None
    assert graded.kept_interval[0] < graded.kept_share < graded.kept_interval[1]
    assert sum(phase.moves for phase in graded.phases.values()) == graded.moves
    with pytest.raises(fourfold.OptionError, match="no random game"):
        fourfold.grade("random", game="5x4c4", opening=20)
    with pytest.raises(fourfold.PlayerError):
        fourfold.grade("human")


def test_experiments(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(EXPERIMENT)
    told: list[tuple[int, int]] = []
    run = lab.run(file, out=tmp_path / "out", progress=lambda done, of: told.append((done, of)))
    assert run.out is not None and (run.out / "report.html").read_text() == run.report
    assert run.records and run.summary["command"].startswith("fourfold.lab.run(")
    assert {record["depth"] for record in run.records} == {1, 2}
    assert list(run.tables) == ["Matches"] and "wins" in str(run)
    assert run._repr_html_().startswith("<iframe")
    # Once more, without keeping the files.
    assert lab.run(file).out is None
    with pytest.raises(fourfold.OptionError, match="already holds a run"):
        lab.run(file, out=tmp_path / "out")
    assert lab.run(file, out=tmp_path / "out", resume=True).records == run.records


def test_experiments_that_are_refused(tmp_path: Path) -> None:
    with pytest.raises(fourfold.OptionError, match="radboud-growth"):
        lab.run("radboud-groth")
    file = tmp_path / "wrong.toml"
    file.write_text("name = 3")
    with pytest.raises(fourfold.OptionError, match="wrong.toml"):
        lab.run(file)
    with pytest.raises(fourfold.OptionError, match="name the directory"):
        lab.run("radboud-growth", resume=True)
    with pytest.raises(fourfold.OptionError, match="no results"):
        lab.results("mine")
    assert "radboud-growth" in lab.names() and lab.questions()["radboud-growth"].endswith("?")


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_stops_the_laboratory() -> None:
    def interrupt() -> None:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    interrupt()
    with pytest.raises(KeyboardInterrupt):
        fourfold.tournament(["naive", "random"], games=10**7, openings="empty")
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        fourfold.grade("perfect", games=10**7)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library: str) -> None:
    pytest.importorskip(library)
    result = fourfold.match("random", "random", games=3)
    assert len(result.frame(library)) == 3 and "moves" in list(result.frame(library).columns)
    review = fourfold.review(Board("b2 b1 a1 c3", game="tictactoe"))
    assert list(review.frame(library)["judgement"]) == ["best", "blunder", "best", "best"]
    trace = fourfold.trace([[3, 5], [2, 9]])
    assert len(trace.frame(library)) == len(trace.steps)
    tournament = fourfold.tournament(["naive", "random"], games=4, game="4x4c3")
    assert list(tournament.frame(library)["games"]) == [4, 4]


def test_frames_need_a_library() -> None:
    with pytest.raises(fourfold.OptionError, match="pandas or polars"):
        fourfold.match("random", "random", games=1).frame("numpy")


def test_drawings() -> None:
    drawn = [
        fourfold.analyse("445366")._repr_svg_(),
        fourfold.analyse(Board("b2", game="tictactoe"))._repr_svg_(),
        fourfold.review("4453667")._repr_svg_(),
        fourfold.trace("4455", depth=2)._repr_svg_(),
        fourfold.trace([[3, 5], [2, 9]]).svg(nodes=3),
        fourfold.puzzle(seed=3, game="5x4c4")._repr_svg_(),
        Board("445366").svg(marks=[(6, 0)], scores=[None, 1, 0, -2]),
    ]
    for svg in drawn:
        root = xml.fromstring(svg)
        assert root.tag.endswith("svg") and root.find("{*}title") is not None
    assert ">+18<" in drawn[0] and ">−2<" in drawn[6]
    with pytest.raises(fourfold.OptionError, match="no cell"):
        Board().svg(marks=[(7, 0)])
    with pytest.raises(fourfold.IllegalMoveError):
        Board().svg(scores=[0] * 8)
