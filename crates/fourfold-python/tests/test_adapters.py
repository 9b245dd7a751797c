"""The adapters, each beside the real package; those that are not installed are skipped."""

import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import cross_check
import fourfold
import numpy as np
import pytest
from fourfold import Board
from fourfold import kaggle as adapter
from fourfold import pettingzoo as zoo


@pytest.mark.parametrize("size", [(7, 6, 4), (4, 5, 3), (9, 9, 5), (10, 10, 4)])
@pytest.mark.parametrize("level", [None, 2])
def test_kaggle_agents_make_legal_moves(size: tuple[int, int, int], level: int | None) -> None:
    columns, rows, inarow = size
    agent = adapter.agent(level, seconds=0.02)
    configuration = SimpleNamespace(columns=columns, rows=rows, inarow=inarow, actTimeout=2)
    board = Board(game=f"{columns}x{rows}c{inarow}")
    source = random.Random(1)
    while not board.is_game_over():
        if board.turn == 1:
            cells = board.to_numpy("kaggle").tolist()
            board.push(agent({"board": cells, "mark": 1}, configuration))
        else:
            board.push(source.choice(board.legal_moves))


def test_kaggle_submissions_are_one_file(tmp_path: Path) -> None:
    made = tmp_path / "submission.py"
    command = [sys.executable, "-m", "fourfold.kaggle", str(made), "--seconds", "0.1"]
    subprocess.run(command, check=True, cwd=tmp_path)
    # As the environment does: the last function of the file is the agent. Nothing but the file.
    program = """if True:
        import sys
        names = {}
        exec(open("submission.py").read(), names)
        agent = [value for value in names.values() if callable(value)][-1]
        import fourfold
        assert fourfold.__file__.startswith(sys.path[0]), fourfold.__file__
        print(agent({"board": [0] * 42, "mark": 1}, {"columns": 7, "rows": 6, "inarow": 4}))
    """
    run = [sys.executable, "-I", "-c", program]
    found = subprocess.run(run, check=True, cwd=tmp_path, capture_output=True, text=True)
    assert found.stdout == "3\n"


def test_kaggle_agents_beat_the_environments_own() -> None:
    environments = pytest.importorskip("kaggle_environments")
    for opponent in ("negamax", "random"):
        for ours in (0, 1):
            env = environments.make("connectx", configuration={"actTimeout": 2})
            agents = [adapter.agent(seconds=0.2), opponent]
            env.run(agents if ours == 0 else agents[::-1])
            assert env.state[ours].status == "DONE"
            assert env.state[ours].reward in (0, 1), "not lost"


def test_pettingzoo_policies() -> None:
    classic = pytest.importorskip("pettingzoo.classic")
    env = classic.connect_four_v3.env()
    policies = {"player_0": zoo.policy("lookahead:3"), "player_1": zoo.policy("random", seed=1)}
    for seed in range(3):
        env.reset(seed=seed)
        board, rewards = Board(), {}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            rewards[agent] = reward
            if terminated or truncated:
                env.step(None)
                continue
            array = observation["observation"]
            assert (array == board.to_numpy("pettingzoo")).all()
            assert zoo.board_of(observation) == board
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            assert legal == board.legal_moves
            action = policies[agent](observation)
            board.push(action)
            env.step(action)
        assert rewards == {"player_0": 1, "player_1": -1} and board.winner == 1


def test_openspiel_has_the_same_rules() -> None:
    pytest.importorskip("pyspiel")
    assert cross_check.openspiel(120) > 1000


def test_openspiel_bots() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from fourfold import openspiel

    game = pyspiel.load_game("tic_tac_toe")
    bots = [openspiel.Bot("perfect"), openspiel.Bot("random", seed=1)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns()[0] >= 0
    with pytest.raises(fourfold.GameError):
        openspiel.game_of(pyspiel.load_game("kuhn_poker"))


def test_gymnasium_environments() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from fourfold.gymnasium import ConnectEnv

    check_env(ConnectEnv("random", render_mode="ansi"), skip_render_check=False)
    for first in (True, False):
        env = ConnectEnv("random", game="5x4c4", first=first)
        source = random.Random(3)
        observation, _ = env.reset(seed=5)
        ended = False
        while not ended:
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            assert legal == env.board.legal_moves
            observation, reward, ended, _, _ = env.step(source.choice(legal))
        winner = {None: 0.0, 1: 1.0, 2: -1.0}[env.board.winner]
        assert reward == (winner if first else -winner)
    env = ConnectEnv("random", first=True)
    env.reset(seed=1)
    assert env.step(99)[1:3] == (-1.0, True)


def test_pgx_has_the_same_rules() -> None:
    pytest.importorskip("pgx")
    assert cross_check.pgx(20) > 150


def test_pgx_labels_for_batches_of_states() -> None:
    pgx = pytest.importorskip("pgx")
    jax = pytest.importorskip("jax")
    from fourfold import pgx as ours

    env = pgx.make("connect_four")
    keys = jax.random.split(jax.random.PRNGKey(0), 4)
    states = jax.vmap(env.init)(keys)
    np.testing.assert_array_equal(ours.labels(states), [[-2, -1, 0, 1, 0, -1, -2]] * 4)
    step = jax.jit(jax.vmap(env.step))
    # The second game of four ends; its states are labelled with nothing.
    for actions in [[3, 3, 0, 1], [3, 0, 1, 2], [4, 3, 2, 3], [4, 0, 3, 4], [5, 3, 4, 5],
                    [5, 0, 5, 6], [0, 3, 6, 0]]:
        states = step(states, jax.numpy.array(actions))
    scores = ours.labels(states)
    assert scores.shape == (4, 7)
    over = np.array(states.terminated)
    assert over.tolist() == [False, True, False, False] and np.isnan(scores[over]).all()
    one = jax.tree_util.tree_map(lambda leaf: leaf[0], states)
    expected = fourfold.analyse(ours.board_of(one)).scores
    assert [None if np.isnan(x) else int(x) for x in scores[0]] == expected
