"""Minimax and alpha-beta as functions, for `fourfold check`.

A tree is a number or a list of trees. Return its value for MAX, or the value and the index of the
best child. Leave out the functions that you do not write.
"""


def minimax(tree, maximising=True):
    """The value of a tree."""
    raise NotImplementedError


def alphabeta(tree, alpha=float("-inf"), beta=float("inf"), maximising=True):
    """The same, without visiting what cannot matter."""
    raise NotImplementedError


def best_move(board, depth):
    """The value and the best move of a position: a column if discs fall, else a cell, from 0.

    `board` has `rows` (strings from the top, of ".", "x" and "o"), `to_move`, `width`, `height`,
    `line` (discs in a line that win), `gravity` (whether discs fall) and `weights` (a list for each
    row). A won game with n discs on the board is worth 1000 - n to the side to move at the start, a
    lost one n - 1000, a drawn one 0; at the horizon add the weights under its discs and take off
    those under the other's.
    """
    raise NotImplementedError
