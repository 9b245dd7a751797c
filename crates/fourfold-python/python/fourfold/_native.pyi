"""The native part. `fourfold` exports what users need of it."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

__version__: str

Layout: TypeAlias = Literal["cells", "kaggle", "openspiel", "pettingzoo", "pgx", "signed"]
Move: TypeAlias = int | np.integer[Any] | str

@final
class Game:
    """The rules of a game: ``Game("7x6c4")``, or a name such as ``Game("tictactoe")``.

    The text is WIDTHxHEIGHT, then ``cN`` (a line of N wins) or ``sN`` (a square of side N), then
    ``f`` if discs do not fall.

    >>> game = Game("8x7c5")
    >>> game.width, game.height, game.length, game.gravity
    (8, 7, 5, True)
    >>> Game("tictactoe") == Game.of(3, 3, 3, gravity=False)
    True
    """

    def __new__(cls, name: Game | str | None = None) -> Self: ...
    @staticmethod
    def of(
        width: int, height: int, length: int = 4, *, square: bool = False, gravity: bool = True
    ) -> Game:
        """The game with this many columns and rows, won by a line of this length."""
    @property
    def width(self) -> int:
        """Columns."""
    @property
    def height(self) -> int:
        """Rows."""
    @property
    def cells(self) -> int:
        """Cells of the board."""
    @property
    def length(self) -> int:
        """The length of the line, or the side of the square, that wins."""
    @property
    def square(self) -> bool:
        """True if a square wins, not a line."""
    @property
    def gravity(self) -> bool:
        """True if discs fall."""
    @property
    def actions(self) -> int:
        """How many moves there can be: columns if discs fall, else cells."""
    @property
    def title(self) -> str:
        """What people call it: ``Connect Four``."""
    def __lt__(self, other: Game) -> bool: ...
    def __le__(self, other: Game) -> bool: ...
    def __gt__(self, other: Game) -> bool: ...
    def __ge__(self, other: Game) -> bool: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Outcome:
    """How a finished game ended."""

    @property
    def winner(self) -> int | None:
        """1 or 2; None if it is a draw."""
    @property
    def cells(self) -> list[tuple[int, int]]:
        """The cells of every shape completed, as (column, row) from 0 at the bottom left."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Board:
    """A position, and the moves that led to it.

    Made from text in any notation, from moves, lists or arrays:

    >>> Board("4453") == Board([3, 3, 4, 2]) == Board("d1 d2 e1 c1")
    True
    >>> print(Board("4453"))
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . o . . .
    . . o x x . .
    >>> Board("4453")
    Board('4453')

    A list of as many numbers as the board has cells is a board (row by row from the top left: 0
    empty, 1 the first player, 2 the second); a shorter one is moves, counted from 0.

    Two boards are equal if they show the same position of the same game, however it came about.
    Boards can be changed, so do not change one that is the key of a dict.
    """

    def __new__(
        cls,
        position: Board | str | Sequence[Any] | ArrayLike | Iterable[Move] | None = None,
        *,
        game: Game | str | None = None,
        format: str | None = None,
    ) -> Self: ...
    @staticmethod
    def from_(text: str, format: str | None = None, *, game: Game | str | None = None) -> Board:
        """A position read in the notation named, or in the one that makes sense of the text.

        >>> Board.from_("3342", "zero") == Board("4453")
        True
        """
    @staticmethod
    def from_moves(moves: Iterable[Move], *, game: Game | str | None = None) -> Board:
        """The position after these moves."""
    @staticmethod
    def from_cells(cells: bytes, game: Game | str) -> Board:
        """A position from a byte per cell, row by row from the top left: 0, 1 or 2."""
    @staticmethod
    def from_numpy(
        array: ArrayLike, layout: Layout = "cells", *, game: Game | str | None = None
    ) -> Board:
        """A position from an array in one of the layouts of `to_numpy`.

        Without a game, an array of another size than 7x6 is one where a line of four wins.
        """
    def to(self, format: str) -> str:
        """The position in a notation; `formats()` lists them.

        >>> Board("4453").to("fen")
        '7/7/7/7/3o3/2oxx2 x'
        """
    def to_cells(self) -> bytes:
        """A byte per cell, row by row from the top left: 0, 1 or 2."""
    def to_numpy(self, layout: Layout = "cells") -> NDArray[Any]:
        """The position as an array of its own. ``Board("4453")``, layout by layout:

        ``cells``: int8, (rows, columns), rows from the top; 1 and 2 are the players.

        >>> Board("4453").to_numpy()[-2:]
        array([[0, 0, 0, 2, 0, 0, 0],
               [0, 0, 2, 1, 1, 0, 0]], dtype=int8)

        ``kaggle``: the same in one row, as ConnectX has it.

        >>> Board("4453").to_numpy("kaggle")[-14:]
        array([0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 1, 1, 0, 0], dtype=int8)

        ``signed``: 1 for the side to move, -1 for the opponent.

        >>> Board("445").to_numpy("signed")[-2:]
        array([[ 0,  0,  0,  1,  0,  0,  0],
               [ 0,  0,  0, -1, -1,  0,  0]], dtype=int8)

        ``pettingzoo``: int8, (rows, columns, 2), rows from the top; the last index is 0 for the
        side to move and 1 for the opponent. ``pgx`` is the same as bool.

        >>> Board("4453").to_numpy("pettingzoo")[-1, :, 0]
        array([0, 0, 0, 1, 1, 0, 0], dtype=int8)
        >>> Board("4453").to_numpy("pgx")[-1, :, 1]
        array([False, False,  True, False, False, False, False])

        ``openspiel``: float32, (3, rows, columns), rows from the bottom; planes for the first
        player, the second and empty cells.

        >>> Board("4453").to_numpy("openspiel")[:, 0]
        array([[0., 0., 0., 1., 1., 0., 0.],
               [0., 0., 1., 0., 0., 0., 0.],
               [1., 1., 0., 0., 0., 1., 1.]], dtype=float32)
        """
    @property
    def game(self) -> Game:
        """The game."""
    @property
    def turn(self) -> int:
        """Who moves next: 1 or 2."""
    @property
    def ply(self) -> int:
        """How many discs lie on the board."""
    @property
    def moves(self) -> list[int]:
        """The moves since the empty board, or since the position that was set up."""
    @property
    def legal_moves(self) -> list[int]:
        """The legal moves; none once the game is over.

        >>> Board("444444").legal_moves
        [0, 1, 2, 4, 5, 6]
        """
    @property
    def winning_moves(self) -> list[int]:
        """The legal moves that win at once."""
    @property
    def threatened_moves(self) -> list[int]:
        """The legal moves with which the opponent would win at once: those to block."""
    def is_legal(self, move: Move) -> bool:
        """Can this move be made?"""
    def push(self, move: Move) -> None:
        """Makes a move: a number from 0, or text as people write it.

        >>> board = Board()
        >>> board.push(3)
        >>> board.push("4")
        >>> board.moves
        [3, 3]
        """
    def pop(self) -> int:
        """Takes the last move back, and returns it."""
    def peek(self) -> int | None:
        """The last move, if any is known."""
    def label(self, move: int) -> str:
        """A move as people write it: the column from 1, or the cell.

        >>> Board(game="tictactoe").label(4)
        'b2'
        """
    def is_game_over(self) -> bool:
        """True once somebody has won or the board is full."""
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on.

        >>> Board("4455667").outcome()
        Outcome(winner=1, cells=[(3, 0), (4, 0), (5, 0), (6, 0)])
        """
    @property
    def winner(self) -> int | None:
        """1 or 2 if that player has won."""
    @property
    def winning_cells(self) -> list[tuple[int, int]]:
        """The cells of every shape that the winner has completed, as (column, row)."""
    def at(self, column: int, row: int) -> int:
        """Who has a disc on a cell: 0 (nobody), 1 or 2. Both count from 0 at the bottom left."""
    def mirror(self) -> Board:
        """The position reflected left to right, with its moves."""
    def canonical(self) -> Board:
        """The one position that stands for all that mirror images and turns make of this one."""
    @property
    def key(self) -> int:
        """A number that no other position of this game has."""
    def discs(self, player: int) -> int:
        """A player's discs as the bits of a number; bit = column * (height + 1) + row."""
    def copy(self) -> Board:
        """A board of its own with the same position and moves."""
    def svg(
        self,
        *,
        marks: Sequence[tuple[int, int]] = (),
        scores: Sequence[int | None] = (),
    ) -> str:
        """The board as an SVG: discs, the last move, the winning line.

        ``marks`` are cells with a dot, as (column, row). ``scores`` has a score for each column (or
        cell), None where there is none: `Analysis.scores`.

        >>> Board("4453").svg(marks=[(3, 2)]).startswith("<svg")
        True
        """
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Board: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def formats() -> list[tuple[str, str, str]]:
    """Every notation: its name, what it looks like, and an example."""

def games() -> list[tuple[str, Game]]:
    """The names that stand for games, with the games."""

def switches() -> list[tuple[str, str, str, str]]:
    """Every switch of `search`: its name, what it does, its values and its default.

    >>> [name for name, _, _, _ in switches()][:4]
    ['alpha_beta', 'mid_col', 'early_win', 'table']
    """

def evaluators() -> list[tuple[str, str]]:
    """Every evaluator: its name and what it does."""

def evaluate(board: Board, evaluator: str | None = None, player: int | None = None) -> int:
    """What an evaluator says of a position, for a player; by default for the one to move.

    >>> evaluate(Board("44"), "windows") == -evaluate(Board("44"), "windows", 2)
    True
    """

def players() -> list[tuple[str, str]]:
    """Every player by name, with a line about it and its options."""

def level_elo() -> list[int]:
    """The measured strength of the levels 1 to 12, in Elo."""

def search(
    board: Board,
    depth: int,
    evaluator: str | Callable[[Board, int], int] | None,
    switches: list[tuple[str, str]],
    seed: int,
    nodes: int | None,
    time: float | None,
) -> dict[str, Any]: ...
def play_match(
    first: str | Callable[[Board], int | str],
    second: str | Callable[[Board], int | str],
    game: Game | str | None,
    games: int,
    seed: int,
    threads: int | None,
    swap: bool,
    openings: list[Board],
    tell: Callable[[int], object] | None,
) -> tuple[dict[str, Any], BaseException | None]: ...
def review_game(
    solver: SolverCore, board: Board, nodes: int | None, time: float | None
) -> dict[str, Any]: ...
def find_puzzle(
    solver: SolverCore,
    game: Game | str | None,
    least: int,
    most: int,
    level: int | None,
    seed: int,
) -> dict[str, Any]: ...
def trace_position(
    board: Board,
    depth: int,
    evaluator: str | Callable[[Board, int], int] | None,
    switches: list[tuple[str, str]],
    seed: int,
    steps: int,
) -> TraceCore: ...
def trace_numbers(
    tree: str,
    random: bool,
    max_moves: bool,
    switches: list[tuple[str, str]],
    seed: int,
    steps: int,
) -> TraceCore: ...
def play_tournament(
    players: Sequence[str | Callable[[Board], int | str]],
    game: Game | str | None,
    format: str,
    games: int,
    seed: int,
    threads: int | None,
    openings: list[Board] | tuple[str, int | None],
    sprt: tuple[float, float] | None,
    anchor: tuple[int, float] | None,
    save: str | PathLike[str] | None,
    tell: Callable[[int], object] | None,
) -> tuple[str, list[str], BaseException | None]: ...
def grade_player(
    solver: SolverCore,
    player: str | Callable[[Board], int | str],
    against: str | Callable[[Board], int | str] | None,
    game: Game | str | None,
    games: int,
    opening: int,
    seed: int,
    nodes: int,
    threads: int | None,
    tell: Callable[[int], object] | None,
) -> str: ...
def lab_list() -> list[tuple[str, str]]: ...
def lab_results(name: str) -> str | None: ...
def lab_run(
    experiment: str,
    quick: bool,
    out: str | PathLike[str],
    resume: bool,
    threads: int | None,
    keep_games: str | PathLike[str] | None,
    command: str,
    tell: Callable[[int, int], object] | None,
) -> tuple[str, str, str, list[tuple[str, str]]]: ...
def restore_board(game: str, first: int, second: int, moves: list[int]) -> Board: ...

@final
class ShardFolder:
    def __new__(cls, folder: str | PathLike[str]) -> ShardFolder: ...
    @property
    def id(self) -> str: ...
    @property
    def shards(self) -> int: ...
    @property
    def manifest_name(self) -> str: ...
    @property
    def manifest_text(self) -> str: ...
    @property
    def program(self) -> str: ...
    def problem(self, number: int) -> str | None: ...
    def accept(self, number: int, bytes: bytes) -> None: ...

@final
class Batch:
    @staticmethod
    def of_boards(boards: Iterable[Any], game: Game | str | None = None) -> Batch: ...
    @staticmethod
    def of_cells(cells: bytes, game: Game | str) -> Batch: ...
    def to_cells(self) -> bytes: ...
    def __len__(self) -> int: ...
    @property
    def game(self) -> Game: ...

@final
class SolverCore:
    def __new__(
        cls,
        memory: int | None,
        threads: int | None,
        book: bool,
        path: str | PathLike[str] | None,
        networks: bool,
        weights: str | PathLike[str] | None,
    ) -> Self: ...
    def forget(self) -> None: ...
    def solve(
        self, board: Board, weak: bool, nodes: int | None, time: float | None
    ) -> tuple[int, str, int | None, str, int]: ...
    def analyse(
        self, board: Board, weak: bool, line: bool, nodes: int | None, time: float | None
    ) -> dict[str, Any]: ...
    def batch(
        self,
        batch: Batch,
        columns: bool,
        weak: bool,
        nodes: int | None,
        time: float | None,
        threads: int | None,
        tell: Callable[[int], object] | None,
    ) -> tuple[bytearray, int, BaseException | None]: ...

@final
class PlayerCore:
    def __new__(cls, spec: str | Callable[[Board], int | str], seed: int) -> Self: ...
    @property
    def spec(self) -> str: ...
    def choose(self, board: Board) -> int: ...

@final
class TraceCore:
    def report(self) -> str: ...
    def svg(self, nodes: int | None) -> str: ...
    def text(self, nodes: int | None) -> str: ...

@final
class Sampler:
    def __new__(
        cls, game: Game | str | None, least: int, most: int, seed: int, unique: bool
    ) -> Self: ...
    def draw(self, count: int) -> Batch: ...
