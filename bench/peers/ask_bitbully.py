"""bitbully as a program that `fourfold bench peers` can ask.

A position's moves a line in, and `moves score nodes nanoseconds` out. No book. The table is emptied before each
position; neither that nor making the new one is timed.
"""

import importlib.metadata
import signal
import sys
import time

from bitbully import bitbully_core

# A game that is nearly over: solving it makes bitbully set up its table.
NEARLY_OVER = "2252576253462244111563365343671351441"


def board(moves):
    found = bitbully_core.BoardCore()
    if not found.setBoard([int(column) - 1 for column in moves]):
        sys.exit(f"{moves}: not a position of 7x6")
    return found


def main():
    if "--version" in sys.argv[1:]:
        print(importlib.metadata.version("bitbully"))
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    solver = bitbully_core.BitBullyCore()
    for line in sys.stdin:
        moves = line.strip()
        position = board(moves)
        solver.resetTranspositionTable()
        solver.mtdf(board(NEARLY_OVER), 0)
        solver.resetNodeCounter()
        began = time.perf_counter_ns()
        score = solver.mtdf(position, 0)
        spent = time.perf_counter_ns() - began
        print(moves, score, solver.getNodeCounter(), spent, flush=True)


main()
