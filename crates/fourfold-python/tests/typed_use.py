"""Uses of the package that mypy and pyright must accept; no test runs it."""

import numpy as np
from fourfold import (
    Board,
    Game,
    Player,
    Solver,
    analyse,
    analyse_many,
    match,
    puzzle,
    review,
    search,
    solve,
    solve_many,
)

board: Board = Board("4453", game=Game("7x6c4"))
board.push(3)
board.push("4")
board.push(np.int64(2))
moves: list[int] = board.legal_moves
score: int = solve(board).score
best: int = analyse(board, line=True).best
columns = analyse_many([board, "44"], threads=2)
first: float = float(columns[0, 0])
scores = solve_many(np.zeros((2, 6, 7), dtype=np.int8), progress=lambda done: None)
solver = Solver(memory=64, threads=2, book=False)
outcome = board.outcome()
winner: int | None = outcome.winner if outcome else None
shape: tuple[int, ...] = board.to_numpy("openspiel").shape
same: bool = Board([3, 3, 4]) == Board.from_moves([3, "4", 4])


def leftmost(board: Board) -> int:
    return board.legal_moves[0]


def central(board: Board, player: int) -> int:
    return 1 if board.at(3, 0) == player else 0


report = search(board, depth=4, evaluator=central, mid_col=True, table=16, tie="centre")
found: int | None = report.best
wins: int = match(leftmost, "level:3", games=2).first.wins
choice: int = Player(leftmost)(board) + Player.level(5).choose(board)
judgement: str | None = review(board).moves[0].judgement
solution: int = puzzle(level=2).solution
