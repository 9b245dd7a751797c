"""Games and boards."""

import copy
import pickle
import random

import fourfold
import numpy as np
import pytest
from fourfold import Board, Game

GAMES = ["7x6c4", "8x7c4", "5x4c3", "3x3c3f", "7x6s2", "4x4c4f", "12x5c5"]
LAYOUTS = ["cells", "kaggle", "openspiel", "pettingzoo", "pgx", "signed"]


def random_boards(game: str, count: int = 20, seed: int = 1) -> list[Board]:
    source = random.Random(seed)
    boards = []
    for _ in range(count):
        board = Board(game=game)
        for _ in range(source.randrange(30)):
            if board.is_game_over():
                break
            board.push(source.choice(board.legal_moves))
        boards.append(board)
    return boards


def test_games() -> None:
    game = Game()
    assert str(game) == "7x6c4" and repr(game) == "Game('7x6c4')" and game.title == "Connect Four"
    assert (game.width, game.height, game.cells, game.length, game.actions) == (7, 6, 42, 4, 7)
    assert Game("square").square and not game.square
    assert Game("tictactoe").actions == 9
    assert Game(game) == game == pickle.loads(pickle.dumps(game))
    assert len({Game("7x6c4"), Game("connect4"), Game("8x7c4")}) == 2
    assert dict(fourfold.games())["square"] == Game("7x6s2")
    for wrong in ["", "7x6", "0x0c4", "99x99c4", "3x3c4", "7x6c4\0", "x" * 100_000]:
        with pytest.raises(fourfold.GameError):
            Game(wrong)
    with pytest.raises(TypeError, match="a game is a Game or a str, not int"):
        Game(7)  # type: ignore[arg-type]


def test_play() -> None:
    board = Board()
    assert (board.turn, board.ply, board.legal_moves, board.moves) == (1, 0, list(range(7)), [])
    for move in [3, "4", np.int64(4), "3"]:
        board.push(move)
    assert board == Board("4453") and board.moves == [3, 3, 4, 2] and board.peek() == 2
    assert (board.at(3, 0), board.at(3, 1), board.at(0, 0)) == (1, 2, 0)
    assert board.pop() == 2 and board.ply == 3 and board.turn == 2
    assert board.outcome() is None and not board.is_game_over() and board.winning_cells == []
    with pytest.raises(IndexError):
        Board().pop()
    with pytest.raises(IndexError):
        board.at(7, 0)


def test_the_end_of_a_game() -> None:
    board = Board("445566")
    assert board.winning_moves == [2, 6]
    board.push(6)
    assert board.is_game_over() and board.legal_moves == [] and board.winner == 1
    assert board.winning_cells == [(3, 0), (4, 0), (5, 0), (6, 0)]
    with pytest.raises(fourfold.IllegalMoveError, match="the game is over"):
        board.push(0)
    board.pop()
    assert not board.is_game_over() and board.threatened_moves == []
    full = Board("b2 a1 c3 a3 a2 c2 b1 b3 c1", game="tictactoe")
    assert full.is_game_over() and full.winner is None
    assert full.outcome() == full.copy().outcome() and full.outcome().cells == []


@pytest.mark.parametrize("wrong", [7, -1, 10**30, -(10**30), "9", "", "x", "4 4"])
def test_moves_that_cannot_be_made(wrong: object) -> None:
    board = Board("4453")
    assert not board.is_legal(wrong)
    with pytest.raises(fourfold.FourfoldError):
        board.push(wrong)
    assert board == Board("4453")


@pytest.mark.parametrize("wrong", [None, 3.0, [3], b"3", object()])
def test_moves_of_a_wrong_type(wrong: object) -> None:
    with pytest.raises(TypeError, match="a move is an int or a str"):
        Board().push(wrong)
    with pytest.raises(TypeError):
        Board().is_legal(wrong)


def test_full_columns_are_told_as_they_are_counted() -> None:
    with pytest.raises(fourfold.IllegalMoveError, match=r"column 3 \(counted from 0\) is full"):
        Board("444444").push(3)
    with pytest.raises(fourfold.IllegalMoveError, match="move 7: column 3"):
        Board.from_moves([3] * 7)


@pytest.mark.parametrize("game", GAMES)
def test_round_trips(game: str) -> None:
    for board in random_boards(game):
        again = eval(repr(board), {"Board": Board})
        assert again == board and again.moves == board.moves
        assert Board(str(board), game=game) == board
        for twin in (pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)):
            assert twin == board and twin.moves == board.moves and hash(twin) == hash(board)
        set_up = Board(board.to("fen"), game=game)
        assert set_up == board and set_up.moves == []
        assert eval(repr(set_up), {"Board": Board}) == board
        assert pickle.loads(pickle.dumps(set_up)) == board
        assert board.mirror().mirror() == board and board.mirror().ply == board.ply
        assert board.canonical() == board.mirror().canonical()
        for name, _, _ in fourfold.formats():
            try:
                text = board.to(name)
            except fourfold.NotationError:
                continue  # it cannot hold this game, or needs a score
            assert Board.from_(text, name, game=game) == board, name


@pytest.mark.parametrize("game", GAMES)
def test_all_moves_can_be_taken_back(game: str) -> None:
    for board in random_boards(game, 10):
        moves, keys = board.moves, []
        twin = Board(game=game)
        for move in moves:
            keys.append(twin.key)
            twin.push(move)
        assert twin == board and twin.key == board.key
        while board.ply:
            assert board.pop() == moves.pop() and board.key == keys.pop()
            assert not board.is_game_over()


def test_boards_are_values() -> None:
    board = Board("44")
    assert board != Board("45") and board != Board("44", game="8x7c4") and board != "44"
    assert len({Board("123"), Board("321"), Board("4")}) == 2
    assert Board("12") != Board("21") and Board("123") == Board("321")
    other = board.copy()
    other.push(0)
    assert board.ply == 2 and other.ply == 3
    with pytest.raises(fourfold.NotationError, match="the board is of 7x6c4"):
        Board(board, game="8x7c4")


@pytest.mark.parametrize("game", ["7x6c4", "8x7c4", "5x4c3", "6x7c4"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(game: str, layout: str) -> None:
    for board in random_boards(game, 10):
        array = board.to_numpy(layout)
        assert Board.from_numpy(array, layout, game=game) == board
        if layout != "signed":
            assert Board(array, game=game) == board
            assert Board(array.tolist(), game=game) == board
        text = {"openspiel": "openspiel"}.get(layout)
        if text:
            assert Board.from_(str(array.astype(int).tolist()), text, game=game) == board


def test_arrays_name_their_size() -> None:
    assert Board(np.zeros((5, 6))).game == Game("6x5c4")
    assert Board([[0] * 7] * 6) == Board()
    assert Board([0] * 42) == Board() == Board([])
    array = Board("4").to_numpy()
    array[0, 0] = 1  # a copy of its own
    assert Board("4").to_numpy()[0, 0] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        np.full((6, 7), 3),
        np.full((6, 7), np.nan),
        np.full((6, 7), 0.5),
        np.full((6, 7), np.inf),
        np.ones((6, 7)),
        [[0, 1], [0]],
        np.zeros((2, 2, 2, 2)),
        np.zeros((3, 6, 7)),
        np.ones((6, 7, 2)),
        [3, 3, 99],
        "zzz",
        "44444444",
        "x" * 1_000_000,
    ],
)
def test_what_is_no_position(wrong: object) -> None:
    with pytest.raises(fourfold.FourfoldError):
        Board(wrong)


@pytest.mark.parametrize("wrong", [3, 3.5, b"44", {"a": 1}, object(), ["a", None], [[None]]])
def test_positions_of_a_wrong_type(wrong: object) -> None:
    with pytest.raises((TypeError, fourfold.NotationError)):
        Board(wrong)


def test_unknown_names() -> None:
    with pytest.raises(fourfold.OptionError, match="there is no format 'x'|there is no format"):
        Board().to("x")
    with pytest.raises(fourfold.OptionError, match="there is no layout 'x'"):
        Board().to_numpy("x")  # type: ignore[arg-type]
    with pytest.raises(fourfold.OptionError):
        Board().discs(3)


def test_drawings() -> None:
    import xml.etree.ElementTree as xml

    free = [Board(game="tictactoe"), Board("b2", game="tictactoe")]
    for board in [Board("4455667"), Board("4"), *free]:
        root = xml.fromstring(board._repr_svg_())
        assert len(root.findall(".//{*}circle")) >= board.game.cells
    assert "the first player has won" in Board("4455667")._repr_svg_()
    assert ">+1<" in fourfold.analyse("")._repr_svg_()
