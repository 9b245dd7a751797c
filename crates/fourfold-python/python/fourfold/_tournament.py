"""Tournaments with ratings, and grades against exact play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

from fourfold import _native
from fourfold._errors import OptionError
from fourfold._frames import frame
from fourfold._native import Board, Game
from fourfold._play import PlayerLike, boards_given, player_given
from fourfold._solver import Solver, default_solver

__all__ = ["Grade", "GradeFigures", "Pairing", "Rating", "Tournament", "grade", "tournament"]


@dataclass(frozen=True)
class Rating:
    """A player's place in a tournament."""

    player: str
    """The player."""
    rating: str
    """How to read ``elo``: ``estimate``, ``anchor``, ``at-least``, ``at-most`` or ``unknown``."""
    elo: float | None
    """Elo by maximum likelihood."""
    elo_low: float | None
    """The lower end of its 95 % confidence interval."""
    elo_high: float | None
    """The upper end."""
    group: int
    """Between groups, one side won every game, so only a bound on their distance is known."""
    games: int
    """Games played."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    score: float
    """The share of points."""
    games_as_first: int
    """Games in which it began."""
    wins_as_first: int
    """Games that it won having begun."""
    forfeits: int
    """Games lost by a forfeit."""
    moves: int
    """Moves made."""
    nodes_per_move: float
    """Positions visited for a move, on average."""
    evaluations_per_move: float
    """Calls of the evaluator for a move, on average."""
    time_ms_per_move: float
    """Milliseconds for a move, on average."""


@dataclass(frozen=True)
class Pairing:
    """Two players that met."""

    first: str
    """The one whose results are counted."""
    second: str
    """The other."""
    games: int
    """Games played."""
    distinct: int
    """Games that differ in their moves or in who began."""
    wins: int
    """Games that the first won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games that the first lost."""
    first_wins: int
    """Games won by whoever began."""
    score: float
    """The first player's share of points."""
    pairs: Any
    """How many pairs of games brought 0, a half, 1, one and a half and 2 points."""
    repeated_pairs: int
    """Pairs that were the same games again; they do not count."""
    elo: float | None
    """The difference in Elo."""
    elo_low: float | None
    """The lower end of its 95 % confidence interval."""
    elo_high: float | None
    """The upper end."""
    superiority: float
    """How likely it is that the first player is stronger."""
    sprt: dict[str, Any] | None
    """The state of the sequential test, if there is one."""


@dataclass(frozen=True)
class Tournament:
    """How a tournament went."""

    game: str
    """The game."""
    format: str
    """Who played whom."""
    players: list[Rating]
    """The standings, the strongest first."""
    pairings: list[Pairing]
    """Every two players that met."""
    games: int
    """Games finished."""
    draws: int
    """Games drawn."""
    first_wins: int
    """Games won by whoever began."""
    distinct: int
    """Games that differ in their moves or in who began."""
    records: list[dict[str, Any]]
    """The games, one dict each."""

    def frame(self, library: str | None = None) -> Any:
        """The standings as a pandas or polars frame, whichever is installed."""
        return frame([asdict(player) for player in self.players], library)

    def __str__(self) -> str:
        head = ("player", "Elo", "95 % CI", "games", "won", "drawn", "lost", "points")
        return _columns([head, *(_standing(player) for player in self.players)])

    def _repr_html_(self) -> str:
        head = ("player", "Elo", "95 % CI", "games", "won", "drawn", "lost", "points")
        rows = ["".join(f"<th>{name}</th>" for name in head)]
        for player in self.players:
            rows.append("".join(f"<td>{_escaped(text)}</td>" for text in _standing(player)))
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def tournament(
    players: Sequence[PlayerLike],
    *,
    games: int = 100,
    game: Game | str | None = None,
    format: str = "round-robin",
    openings: str | Iterable[Board | str] = "level",
    opening_plies: int | None = None,
    sprt: tuple[float, float] | None = None,
    anchor: tuple[int, float] | None = None,
    seed: int = 0,
    threads: int | None = None,
    save: str | PathLike[str] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tournament:
    """Plays a tournament from many openings, each from both sides, and rates the players.

    >>> result = tournament(["lookahead:4", "naive", "random"], games=20, game="5x4c4", seed=1)
    >>> [player.player for player in result.players]
    ['lookahead:depth=4', 'naive', 'random']

    ``games`` is for every two players that meet. ``format`` is ``round-robin``, ``gauntlet`` (the
    first plays all others) or ``neighbours``. ``openings`` is ``level``, ``draws``, ``random`` or
    ``empty``, or boards of your own. ``sprt=(elo0, elo1)`` ends a pairing as soon as it is clear
    which difference is the true one. ``anchor=(place, elo)`` gives a player that rating; else the
    mean is 0. Every game is kept in the file ``save``, from which the same call goes on.
    ``docs/tournaments.md`` has the formulas.
    """
    if anchor is not None and not 0 <= anchor[0] < len(players):
        raise OptionError(f"there is no player {anchor[0]} to anchor: players count from 0")
    opened: Any = (openings, opening_plies)
    if not isinstance(openings, str):
        if opening_plies is not None:
            raise OptionError("the number of plies is for openings that are drawn")
        opened = boards_given(openings, game)
    specs = [player_given(player) for player in players]
    text, lines, interrupted = _native.play_tournament(
        specs, game, format, games, seed, threads, opened, sprt, anchor, save, progress
    )
    if interrupted is not None:
        raise interrupted
    found: dict[str, Any] = json.loads(text)
    names = ("game", "format", "games", "draws", "first_wins", "distinct")
    return Tournament(
        players=[Rating(**player) for player in found["players"]],
        pairings=[Pairing(**pairing) for pairing in found["pairings"]],
        records=[json.loads(line) for line in lines],
        **{name: found[name] for name in names},
    )


@dataclass(frozen=True)
class GradeFigures:
    """Moves, counted. Intervals are of 95 % confidence; None where nothing was to be counted."""

    moves: int
    """Moves made."""
    judged: int
    """Moves that were judged."""
    choices: int
    """Judged moves at which some legal move would have thrown a win or a draw away."""
    kept: int
    """How many of those choices kept the outcome."""
    kept_share: float | None
    """Their share."""
    kept_interval: tuple[float, float] | None
    """Its interval."""
    distances: int
    """Moves at which a win could come sooner or later, or a loss."""
    distance_lost: float | None
    """Plies lost at those, on average."""
    distance_lost_interval: tuple[float, float] | None
    """Its interval."""


@dataclass(frozen=True)
class Grade(GradeFigures):
    """How well a player plays, against exact play."""

    player: str
    """The player."""
    games: int
    """Games played."""
    phases: dict[str, GradeFigures]
    """The same for ``begin``, ``middle`` and ``end``, the thirds of the board as it fills."""


def grade(
    player: PlayerLike,
    *,
    against: PlayerLike | None = None,
    games: int = 20,
    game: Game | str | None = None,
    opening: int = 4,
    seed: int = 1,
    nodes: int = 20_000_000,
    threads: int | None = None,
    solver: Solver | None = None,
    progress: Callable[[int], object] | None = None,
) -> Grade:
    """Grades a player against exact play, over games that begin with a few random moves.

    >>> graded = grade("lookahead:2", games=10, game="5x4c4")
    >>> 0.5 < graded.kept_share < 1
    True
    >>> list(graded.phases)
    ['begin', 'middle', 'end']

    Without an opponent the player plays itself. ``nodes`` limits what judging a game may take; the
    last moves are judged first.
    """
    core = (solver or default_solver()).core
    found: dict[str, Any] = json.loads(
        _native.grade_player(
            core,
            player_given(player),
            None if against is None else player_given(against),
            game,
            games,
            opening,
            seed,
            nodes,
            threads,
            progress,
        )
    )
    phases = {phase.pop("phase"): GradeFigures(**_figures(phase)) for phase in found.pop("phases")}
    return Grade(**_figures(found), phases=phases)


def _figures(found: dict[str, Any]) -> dict[str, Any]:
    """Intervals as pairs."""
    for name in ("kept_interval", "distance_lost_interval"):
        if found[name] is not None:
            found[name] = (found[name]["low"], found[name]["high"])
    return found


def _standing(player: Rating) -> tuple[str, ...]:
    signs = {"at-least": "≥ ", "at-most": "≤ "}
    elo = "?" if player.elo is None else signs.get(player.rating, "") + f"{player.elo:.0f}"
    low, high = player.elo_low, player.elo_high
    interval = "" if low is None or high is None else f"{low:.0f} to {high:.0f}"
    counts = (player.games, player.wins, player.draws, player.losses)
    return (player.player, elo, interval, *map(str, counts), f"{100 * player.score:.1f} %")


def _columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row: Sequence[str]) -> str:
        first = row[0].ljust(widths[0])
        return "  ".join([first, *(text.rjust(width) for text, width in zip(row[1:], widths[1:]))])

    return "\n".join(line(row) for row in rows)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
