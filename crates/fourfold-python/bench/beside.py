"""Measures the package beside pyspiel and bitbully, and beside the command.

    pip install ./crates/fourfold-python bitbully open-spiel
    python crates/fourfold-python/bench/beside.py calls
    python crates/fourfold-python/bench/beside.py solve FILE...
    python crates/fourfold-python/bench/beside.py moves FILE... [--books]
    python crates/fourfold-python/bench/beside.py command target/release/fourfold FILE...
    python crates/fourfold-python/bench/beside.py dataset 200000

A file has a position and its score a line. Times are processor times, and the least of several
short runs, in which the programs take turns: what else the machine does counts as little as it can.
One thread, and no books without --books. Before every run each program forgets what it has proven.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fourfold
import numpy as np

CALLS = 200_000
IN_A_ROW = 25
"""Short runs of a program before the other takes its turn."""
SHORT = 0.02
"""Seconds."""


def micros(statements: dict[str, tuple[str, dict[str, Any]]], runs: int) -> dict[str, float]:
    """Microseconds for each statement, the least of so many runs, in turns."""
    timers = {
        name: timeit.Timer(text, timer=time.process_time, globals=names)
        for name, (text, names) in statements.items()
    }
    least = {name: float("inf") for name in timers}
    for _ in range(runs):
        for name, timer in timers.items():
            least[name] = min(least[name], timer.timeit(CALLS) / CALLS * 1e6)
    return least


def calls(runs: int) -> None:
    import bitbully
    import pyspiel

    board = fourfold.Board("4453")
    state = pyspiel.load_game("connect_four").new_initial_state()
    for move in board.moves:
        state.apply_action(move)
    other = bitbully.Board(board.moves)
    statements: dict[str, tuple[str, dict[str, Any]]] = {
        "fourfold push and pop": ("b.push(3); b.pop()", {"b": board}),
        "fourfold copy and push": ("b.copy().push(3)", {"b": board}),
        "pyspiel child": ("s.child(3)", {"s": state}),
        "pyspiel clone and apply": ("s.clone().apply_action(3)", {"s": state}),
        "bitbully play_on_copy": ("b.play_on_copy(3)", {"b": other}),
        "fourfold is_game_over": ("b.is_game_over()", {"b": board}),
        "pyspiel is_terminal": ("s.is_terminal()", {"s": state}),
        "bitbully is_game_over": ("b.is_game_over()", {"b": other}),
        "fourfold legal_moves": ("b.legal_moves", {"b": board}),
        "pyspiel legal_actions": ("s.legal_actions()", {"s": state}),
        "bitbully legal_moves": ("b.legal_moves()", {"b": other}),
    }
    for name, least in micros(statements, runs).items():
        print(f"{name:26} {least:8.3f} us")


def read(path: Path, count: int | None) -> tuple[list[fourfold.Board], list[int]]:
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()][:count]
    return [fourfold.Board(line[0]) for line in lines], [int(line[1]) for line in lines]


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def solve(path: Path, count: int | None, runs: int, moves: bool, books: bool) -> None:
    import bitbully

    boards, expected = read(path, count)
    solver = fourfold.Solver(book=books)
    agent = bitbully.BitBully(opening_book="default" if books else None)
    others = [bitbully.Board(board.moves) for board in boards]

    def ours() -> tuple[float, Any]:
        solver.forget()
        many = solver.analyse_many if moves else solver.solve_many
        return seconds(lambda: many(boards, threads=1, progress=False))

    def theirs() -> tuple[float, Any]:
        agent.reset_transposition_table()
        if not moves:
            return seconds(lambda: [agent.mtdf(other) for other in others])
        return seconds(lambda: [agent.score_all_moves(other) for other in others])

    least = [float("inf"), float("inf")]
    for _ in range(runs):
        answers = []
        for which, program in enumerate((ours, theirs)):
            # Several short runs of one program in a row, so that each finds its code and tables in
            # the processor's caches, and not what the other has left there.
            for _ in range(IN_A_ROW):
                taken, found = program()
                least[which] = min(least[which], taken)
                if taken > SHORT:
                    break
            answers.append(found)
        if moves:
            rows = [{c: int(x) for c, x in enumerate(row) if x == x} for row in answers[0]]
            assert rows == answers[1], "the programs agree"
            assert [max(row.values()) for row in rows] == expected
        else:
            assert answers[0].tolist() == answers[1] == expected
    each = 1e3 / len(boards)
    print(
        f"{path.stem:14} {len(boards):4} positions  fourfold {least[0] * each:9.4f} ms  "
        f"bitbully {least[1] * each:9.4f} ms  {least[1] / least[0]:6.1f} times",
        flush=True,
    )


def command(binary: str, path: Path, count: int | None, runs: int) -> None:
    """Batches from Python beside `fourfold solve` reading the same positions, whole processes."""
    boards, _ = read(path, count)
    texts = "".join(f"{board.to('columns')}\n" for board in boards)
    line = [binary, "solve", "--no-book", "--threads", "1"]
    solver = fourfold.Solver(book=False)

    def by_command() -> None:
        subprocess.run(line, input=texts, capture_output=True, text=True, check=True)

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    ours = theirs = float("inf")
    for _ in range(runs):
        solver.forget()
        given = texts.split()
        taken, _ = seconds(lambda: solver.solve_many(given, threads=1, progress=False))
        ours = min(ours, taken)
        before = spent()
        by_command()
        theirs = min(theirs, spent() - before)
    each = 1e3 / len(boards)
    print(
        f"{path.stem:14} {len(boards):4} positions  Python {ours * each:9.4f} ms  "
        f"command {theirs * each:9.4f} ms  {ours / theirs - 1:+.1%}",
        flush=True,
    )


def dataset(count: int) -> None:
    start, used = time.perf_counter(), time.process_time()
    done, peaks = 0, []
    for boards, _ in fourfold.dataset(count, plies=(8, 36), seed=1):
        done += len(boards)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    wall, processor = time.perf_counter() - start, time.process_time() - used
    middle = peaks[len(peaks) // 2]
    print(
        f"{done} positions of plies 8 to 36: {wall:.0f} s, {processor:.0f} s of processors, "
        f"{done / processor:.0f} a second and processor; memory {middle:.0f} MiB half way, "
        f"{peaks[-1]:.0f} MiB at the end"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=["calls", "solve", "moves", "command", "dataset"])
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--count", type=int, help="only the first positions of each file")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--books", action="store_true", help="each with the book it comes with")
    given = parser.parse_args()
    if given.what == "calls":
        calls(given.runs)
    elif given.what == "dataset":
        dataset(int(given.rest[0]))
    elif given.what == "command":
        for name in given.rest[1:]:
            command(given.rest[0], Path(name), given.count, given.runs)
    else:
        for name in given.rest:
            solve(Path(name), given.count, given.runs, given.what == "moves", given.books)


if __name__ == "__main__":
    main()
