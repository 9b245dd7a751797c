"""Random playthroughs in other implementations of the rules, compared with ours step by step.

test_adapters.py runs a few; by hand, with as many as one likes:

    pip install open-spiel pgx
    python crates/fourfold-python/tests/cross_check.py 10000
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import numpy as np
from fourfold import Board


def openspiel_games() -> list[str]:
    """Connect Four in sizes from 4x4 to 9x9 with lines of 3 to 5, and tic-tac-toe."""
    sizes = [
        f"connect_four(rows={rows},columns={columns},x_in_row={length})"
        for rows in range(4, 10)
        for columns in range(4, 10)
        for length in range(3, 6)
        if length <= max(rows, columns)
    ]
    return ["connect_four", "tic_tac_toe", *sizes]


def openspiel(playthroughs: int, seed: int = 1) -> int:
    """Compares rules, returns and tensors; the number of positions compared."""
    import pyspiel
    from fourfold import openspiel as adapter

    names = openspiel_games()
    source = random.Random(seed)
    # The sizes take turns, from a random one on, so that few playthroughs vary them too.
    chosen = source.sample(names, min(playthroughs, len(names)))
    loaded = [pyspiel.load_game(name) for name in chosen]
    compared = 0
    for number in range(playthroughs):
        game = loaded[number % len(loaded)]
        state, board = game.new_initial_state(), Board(game=adapter.game_of(game))
        while not state.is_terminal():
            assert not board.is_game_over()
            assert state.legal_actions() == board.legal_moves, board
            assert state.current_player() == board.turn - 1
            if board.game.gravity:
                tensor: Any = np.asarray(state.observation_tensor(0), dtype=np.float32)
                np.testing.assert_array_equal(tensor, board.to_numpy("openspiel").ravel())
            action = source.choice(board.legal_moves)
            state.apply_action(action)
            board.push(action)
            compared += 1
        assert board.is_game_over() and adapter.board_of(state) == board
        assert state.returns() == {None: [0, 0], 1: [1, -1], 2: [-1, 1]}[board.winner]
    return compared


def pgx(playthroughs: int, seed: int = 1) -> int:
    """The same for pgx, all playthroughs at once."""
    import jax
    import pgx as other

    env = other.make("connect_four")
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    state = init(jax.random.split(jax.random.PRNGKey(seed), playthroughs))
    source = random.Random(seed)
    boards = [Board() for _ in range(playthroughs)]
    first = np.asarray(state.current_player)
    compared = 0
    while True:
        over = np.asarray(state.terminated)
        legal, seen = np.asarray(state.legal_action_mask), np.asarray(state.observation)
        rewards = np.asarray(state.rewards)
        actions = np.zeros(playthroughs, dtype=np.int32)
        for index, board in enumerate(boards):
            assert bool(over[index]) == board.is_game_over(), board
            if board.is_game_over():
                continue
            assert np.flatnonzero(legal[index]).tolist() == board.legal_moves
            np.testing.assert_array_equal(seen[index], board.to_numpy("pgx"))
            actions[index] = source.choice(board.legal_moves)
            compared += 1
        if over.all():
            return compared
        state = step(state, actions)
        rewards = np.asarray(state.rewards)
        for index, board in enumerate(boards):
            if board.is_game_over():
                continue
            board.push(int(actions[index]))
            if board.is_game_over():
                # Rewards are by player, and chance decides who of them moves first.
                won = {None: [0, 0], 1: [1, -1], 2: [-1, 1]}[board.winner]
                mine = won if first[index] == 0 else won[::-1]
                assert rewards[index].tolist() == mine, board


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for check in (openspiel, pgx):
        start = time.perf_counter()
        positions = check(count)
        seconds = time.perf_counter() - start
        what = f"{count} playthroughs, {positions} positions agree"
        print(f"{check.__name__}: {what} ({seconds:.0f} s)", flush=True)
