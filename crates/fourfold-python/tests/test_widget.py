"""The board to click on: what the page may ask, and what it is shown."""

from typing import Any

import pytest

pytest.importorskip("anywidget")

from fourfold import Board, Player  # noqa: E402
from fourfold.widget import BoardWidget  # noqa: E402


def ask(widget: BoardWidget, content: Any) -> None:
    """As the page does."""
    widget._handle_custom_msg(content, [])  # type: ignore[attr-defined]


def test_a_game_for_two() -> None:
    widget = BoardWidget()
    for move in [3, 3, 4, 4, 5, 5]:
        ask(widget, {"ask": "move", "move": move})
    assert widget.board == Board("445566") and widget.state["message"] == "Red is to move."
    assert widget.state["last"] == 33 and widget.state["legal"] == list(range(7))
    ask(widget, {"ask": "move", "move": 6})
    assert widget.state["message"] == "Red has won." and widget.state["over"]
    assert sorted(widget.state["winning"]) == [38, 39, 40, 41]
    ask(widget, {"ask": "undo"})
    assert widget.board == Board("445566")
    ask(widget, {"ask": "restart"})
    assert widget.board == Board()


def test_a_game_against_a_player() -> None:
    widget = BoardWidget(opponent=lambda board: board.legal_moves[0], side=2)
    assert widget.board == Board("1"), "the opponent begins"
    ask(widget, {"ask": "move", "move": 3})
    assert widget.board == Board("141")
    ask(widget, {"ask": "undo"})
    assert widget.board == Board("1")
    widget = BoardWidget("44", opponent=Player("perfect"))
    widget.move("4")
    assert widget.board.ply == 4 and widget.board.turn == 1


def test_hints() -> None:
    widget = BoardWidget("445366", hints=True)
    assert widget.state["scores"] == [-9, -9, -1, -1, 6, -2, 18]
    ask(widget, {"ask": "hints"})
    assert widget.state["scores"] is None


def test_nothing_is_taken_for_granted() -> None:
    widget = BoardWidget(Board("b2", game="tictactoe"))
    assert len(widget.state["labels"]) == 9 and not widget.state["gravity"]
    for content in [None, 3, [], {}, {"ask": "move"}, {"ask": "move", "move": "x"}, {"ask": "y"}]:
        ask(widget, content)
    ask(widget, {"ask": "move", "move": 4})
    assert "taken" in widget.state["message"] or "already" in widget.state["message"]
    ask(widget, {"ask": "move", "move": 10**9})
    assert widget.board == Board("b2", game="tictactoe")
    with pytest.raises(ValueError, match="a side is 1 or 2"):
        BoardWidget(side=3)
    kept = Board("44")
    widget = BoardWidget(kept)
    widget.move(0)
    assert kept == Board("44"), "the board that was given is left alone"
