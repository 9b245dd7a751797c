"""Drawings for notebooks: boards and analyses as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold._native import Board

if TYPE_CHECKING:
    from fourfold._solver import Analysis

CELL = 40
_FRAME, _HOLE, _FIRST, _SECOND, _MARK = "#1f4e8c", "#f4f6f8", "#d7263d", "#f6c400", "#ffffff"
_WIN, _DRAW, _LOSS = "#2e7d32", "#5f6368", "#b3261e"


def board_svg(board: Board, scores: list[int | None] | None = None) -> str:
    """The board with its last move, the winning line and perhaps a score for each column."""
    game = board.game
    foot = CELL if scores is not None and game.gravity else 0
    width, height = game.width * CELL, game.height * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + foot}" '
        f'width="{width}" height="{height + foot}" role="img">',
        f"<title>{_title(board)}</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{_FRAME}"/>',
    ]
    winning = set(board.winning_cells)
    last = _last_cell(board)
    for row in range(game.height):
        for column in range(game.width):
            x, y = (column + 0.5) * CELL, (game.height - row - 0.5) * CELL
            fill = (_HOLE, _FIRST, _SECOND)[board.at(column, row)]
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.4:g}" fill="{fill}"/>')
            if (column, row) in winning:
                parts.append(
                    f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.28:g}" fill="none" '
                    f'stroke="{_MARK}" stroke-width="4"/>'
                )
            elif (column, row) == last:
                parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.1:g}" fill="{_MARK}"/>')
    for index, score in enumerate(scores or []):
        if score is None:
            continue
        column, row = index % game.width, index // game.width
        x = (column + 0.5) * CELL
        y = height + 0.65 * CELL if game.gravity else (row + 0.62) * CELL
        colour = _WIN if score > 0 else _LOSS if score < 0 else _DRAW
        parts.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{colour}" '
            f'font-family="sans-serif" font-size="{CELL * 0.4:g}" font-weight="bold">{score:+d}'
            "</text>"
        )
    parts.append("</svg>")
    return "".join(parts)


def analysis_svg(analysis: Analysis) -> str:
    """The board with a score below each column, coloured by who wins."""
    return board_svg(analysis.board, analysis.scores)


def _title(board: Board) -> str:
    if not board.is_game_over():
        return f"{board.game.title}, player {board.turn} to move"
    ended = "a draw" if board.winner is None else f"player {board.winner} has won"
    return f"{board.game.title}, {ended}"


def _last_cell(board: Board) -> tuple[int, int] | None:
    last = board.peek()
    if last is None:
        return None
    game = board.game
    if not game.gravity:
        return last % game.width, game.height - 1 - last // game.width
    discs = [row for row in range(game.height) if board.at(last, row)]
    return last, len(discs) - 1
