"""Measures calls and single-threaded solving beside pyspiel and bitbully, where installed.

    pip install bitbully open-spiel
    python crates/fourfold-python/bench/beside.py [COUNT FILE...]

A file has a position and its score a line. All times are processor times. Calls are the best of
five runs; solving is without books, and every score is checked against the file.
"""

from __future__ import annotations

import sys
import time
import timeit
from pathlib import Path
from typing import Any

import fourfold

CALLS = 300_000


def micros(statement: str, **names: Any) -> float:
    runs = timeit.repeat(statement, timer=time.process_time, globals=names, number=CALLS, repeat=5)
    return min(runs) / CALLS * 1e6


def calls() -> None:
    board = fourfold.Board("4453")
    for statement in ("b.push(3); b.pop()", "b.is_game_over()", "b.legal_moves", "b.copy()"):
        print(f"fourfold  {statement:20} {micros(statement, b=board):8.3f} us")
    try:
        import pyspiel
    except ImportError:
        pass
    else:
        state = pyspiel.load_game("connect_four").new_initial_state()
        for move in board.moves:
            state.apply_action(move)
        for statement in ("s.child(3)", "s.is_terminal()", "s.legal_actions()"):
            print(f"pyspiel   {statement:20} {micros(statement, s=state):8.3f} us")
    try:
        import bitbully
    except ImportError:
        return
    other = bitbully.Board(board.moves)
    for statement in ("b.play_on_copy(3)", "b.is_game_over()", "b.legal_moves()"):
        print(f"bitbully  {statement:20} {micros(statement, b=other):8.3f} us")


def solving(count: int, path: Path) -> None:
    import bitbully

    lines = [line.split() for line in path.read_text().splitlines() if line.strip()][:count]
    boards = [fourfold.Board(line[0]) for line in lines]
    expected = [int(line[1]) for line in lines]
    solver = fourfold.Solver(book=False)
    solver.solve_many(["32164625"], threads=1, progress=False)  # its tables are made at first use
    start = time.process_time()
    scores = solver.solve_many(boards, threads=1, progress=False)
    ours = time.process_time() - start
    assert [int(score) for score in scores] == expected
    agent = bitbully.BitBully(opening_book=None)
    others = [bitbully.Board(board.moves) for board in boards]
    start = time.process_time()
    found = [agent.mtdf(other) for other in others]
    theirs = time.process_time() - start
    assert found == expected
    each = 1e3 / len(boards)
    print(
        f"{path.name:20} {len(boards):5} positions  fourfold {ours * each:9.4f} ms  "
        f"bitbully {theirs * each:9.4f} ms  {theirs / ours:7.1f} times"
    )


if __name__ == "__main__":
    if len(sys.argv) < 3:
        calls()
    else:
        for name in sys.argv[2:]:
            solving(int(sys.argv[1]), Path(name))
