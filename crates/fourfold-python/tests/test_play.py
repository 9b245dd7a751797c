"""Search, players, matches, reviews and puzzles."""

import os
import signal
import threading

import fourfold
import numpy as np
import pytest
from fourfold import Board, Player


def first_move(board: Board) -> int:
    return board.legal_moves[0]


def test_every_switch_that_keeps_the_value_keeps_it() -> None:
    expected = fourfold.search("4453", depth=5, alpha_beta=False).score
    for name, _, values, _ in fourfold.switches():
        if name in ("forward", "contempt", "distance", "book"):
            continue
        value = True if values == "True or False" else 1 if "MiB" in values else "centre"
        assert fourfold.search("4453", depth=5, **{name: value}).score == expected, name


def test_search_reports() -> None:
    report = fourfold.search("445366", depth=3, evaluator="terminal")
    assert (report.best, report.result, report.plies, report.line) == (6, "win", 1, [6])
    assert [move.move for move in report.moves] == list(range(7)) and report.depth == 3
    assert report.counters["nodes"] > 0 and report.seconds >= 0 and report.ended == "completed"
    assert fourfold.search("4455667").best is None
    deeper = fourfold.search("4453", nodes=50_000)
    assert deeper.depth > 3 and "node limit" in deeper.ended


def test_search_refuses_nonsense() -> None:
    with pytest.raises(fourfold.OptionError, match="did you mean mid_col"):
        fourfold.search("", mid_row=True)
    with pytest.raises(fourfold.OptionError, match="table cannot be"):
        fourfold.search("", table=-1)
    with pytest.raises(fourfold.OptionError, match="there is no evaluator"):
        fourfold.search("", evaluator="x")
    with pytest.raises(TypeError):
        fourfold.search("", table=1.5)  # type: ignore[arg-type]
    with pytest.raises(fourfold.UnfinishedError):
        fourfold.search("", depth=20, nodes=1000)
    with pytest.raises(fourfold.OptionError):
        fourfold.evaluate(Board(), player=3)


def test_a_function_as_evaluator() -> None:
    seen = []

    def corner(board: Board, player: int) -> int:
        seen.append(player)
        return {0: 0, player: 1}.get(board.at(0, 0), -1)

    report = fourfold.search("", depth=1, evaluator=corner)
    assert (report.best, report.score, set(seen)) == (0, 1, {1})

    def fails(board: Board, player: int) -> int:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        fourfold.search("", depth=8, evaluator=fails)
    with pytest.raises(TypeError, match="an evaluator returns an int, not str"):
        fourfold.search("", evaluator=lambda board, player: "much")  # type: ignore
    with pytest.raises(fourfold.OptionError, match="too large"):
        fourfold.search("", evaluator=lambda board, player: 10**40)
    assert fourfold.search("", depth=1, evaluator=lambda board, player: 10**12).result == "estimate"


def test_players() -> None:
    for spec in ("random", "naive", "lookahead:3", "mcts:playouts=50", "level:1", "perfect"):
        assert Player(spec, seed=3).choose("445366") in range(7)
    assert Player("naive")(Board("445366")) == 6
    assert repr(Player.level(3)) == "Player('level:3')" and len(fourfold.level_elo()) == 12
    assert Player(first_move).spec == "first_move"
    one, two = Player("random", seed=5), Player("random", seed=5)
    assert [one.choose("") for _ in range(20)] == [two.choose("") for _ in range(20)]
    player = Player("lookahead:2")
    assert player.choose("") in range(7) and player.choose(Board(game="tictactoe")) in range(9)


def test_players_that_cannot_play() -> None:
    with pytest.raises(fourfold.OptionError, match="did you mean naive"):
        Player("nave")
    with pytest.raises(TypeError, match="a player is a str or a function, not int"):
        Player(3)  # type: ignore[arg-type]
    for spec in ("human", "external:true"):
        with pytest.raises(fourfold.PlayerError):
            Player(spec).choose("")
    with pytest.raises(fourfold.PlayerError, match="over"):
        Player("naive").choose("4455667")
    with pytest.raises(fourfold.IllegalMoveError):
        Player(lambda board: 99).choose("")
    with pytest.raises(TypeError):
        Player(lambda board: None).choose("")  # type: ignore[arg-type,return-value]
    # One that failed can be asked again.
    answers = iter([99, 3])
    player = Player(lambda board: next(answers))
    with pytest.raises(fourfold.IllegalMoveError):
        player.choose("")
    assert player.choose("") == 3


def test_matches() -> None:
    result = fourfold.match("naive", "random", games=30, seed=1, threads=2)
    again = fourfold.match("naive", "random", games=30, seed=1, threads=1)
    strip = [{key: record[key] for key in ("moves", "result")} for record in result.records]
    assert strip == [{key: record[key] for key in ("moves", "result")} for record in again.records]
    assert result.games == 30 and result.first.wins + result.second.wins + result.draws == 30
    assert result.first.games_as_first == 15 and result.first.win_rate_interval is not None
    for record in result.records:
        assert Board(record["moves"]).is_game_over()


def test_matches_of_functions() -> None:
    told: list[int] = []
    openings = ["44", Board("35")]
    result = fourfold.match(
        first_move, Player("lookahead:3"), games=4, openings=openings, progress=told.append
    )
    assert result.first.player == "first_move" and result.second.wins == 4
    assert [record["moves"][:2] for record in result.records] == ["44", "44", "35", "35"]

    def fails(board: Board) -> int:
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        fourfold.match("random", fails, games=4)
    with pytest.raises(fourfold.IllegalMoveError):
        fourfold.match(lambda board: 7, "random", games=2)
    with pytest.raises(fourfold.PlayerError):
        fourfold.match("human", "random", games=2)
    with pytest.raises(fourfold.OptionError, match="an opening is of"):
        fourfold.match("random", "random", games=2, openings=[Board(game="tictactoe")])


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_ctrl_c_stops_matches_and_searches_with_functions() -> None:
    def interrupt() -> None:
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()

    interrupt()
    with pytest.raises(KeyboardInterrupt):
        fourfold.match("random", "naive", games=10**9)
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        fourfold.search("", depth=30, evaluator=lambda board, player: 0)
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        Player("perfect").choose(Board(game="9x9c4"))




def test_reviews() -> None:
    judged = fourfold.review(Board("b2 b1 a1 c3", game="tictactoe"))
    assert [move.judgement for move in judged.moves] == ["best", "blunder", "best", "best"]
    assert judged.second.blunders == 1 and judged.first.accuracy == 1.0
    assert judged.moves[1].refutation and judged.moves[1].better
    assert judged.moves[1].move not in judged.moves[1].best_moves
    with pytest.raises(fourfold.OptionError, match="set up"):
        fourfold.review(Board(Board("44").to("fen")))
    cut = fourfold.review(Board("44", game="9x9c4"), nodes=10)
    assert cut.stopped is not None and cut.moves[0].judgement is None


def test_puzzles() -> None:
    found = fourfold.puzzle(seed=3, game="5x4c4")
    assert fourfold.puzzle(seed=3, game="5x4c4") == found
    best = max(score for score in found.scores if score is not None)
    assert found.scores[found.solution] == best and best >= 0 and found.line[0] == found.solution
    signs = np.sign([score for score in found.scores if score is not None])
    assert (signs == np.sign(best)).sum() == 1
    for wrong in [(5, 2), (0, 99), 3]:
        with pytest.raises(fourfold.OptionError):
            fourfold.puzzle(plies=wrong)  # type: ignore[arg-type]
    with pytest.raises(fourfold.OptionError, match="the levels are"):
        fourfold.puzzle(level=9)
