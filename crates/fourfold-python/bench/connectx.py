"""Plays games in Kaggle's real ConnectX environment against its own agents, and counts.

    pip install ./crates/fourfold-python kaggle-environments
    python crates/fourfold-python/bench/connectx.py 100

Half of the games are on the usual board, the others on other sizes, none of which is lost at once
for whoever moves second (5x4 with three in a row is); both sides begin in turn. Ends with an error
if a game is lost or a move is refused.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from fourfold import kaggle

SIZES = [(7, 6, 4), (6, 5, 4), (7, 6, 4), (8, 7, 4), (7, 6, 4), (5, 4, 4), (7, 6, 4), (9, 9, 5)]


def main() -> None:
    from kaggle_environments import make

    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    slowest = 0.0
    agent = kaggle.agent()

    def timed(observation: Any, configuration: Any) -> int:
        nonlocal slowest
        start = time.perf_counter()
        move = agent(observation, configuration)
        slowest = max(slowest, time.perf_counter() - start)
        return move

    counts: dict[str, list[int]] = {"negamax": [0, 0, 0], "random": [0, 0, 0]}
    for number in range(games):
        opponent = ("negamax", "random")[number % 2]
        columns, rows, inarow = SIZES[number // 4 % len(SIZES)]
        ours = number // 2 % 2
        configuration = {"columns": columns, "rows": rows, "inarow": inarow}
        env = make("connectx", configuration=configuration)
        env.run([timed, opponent] if ours == 0 else [opponent, timed])
        state = env.state[ours]
        assert state.status == "DONE", (state.status, configuration)
        counts[opponent][1 - int(state.reward)] += 1
        if state.reward < 0:
            began = ("first", "second")[ours]
            print(f"lost on {columns}x{rows} with {inarow} in a row, moving {began}")
        print(f"\r{number + 1} of {games}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for opponent, (won, drawn, lost) in counts.items():
        print(f"against {opponent}: {won} won, {drawn} drawn, {lost} lost")
    print(f"the slowest move took {slowest:.2f} s")
    assert not any(lost for _, _, lost in counts.values())


if __name__ == "__main__":
    main()
