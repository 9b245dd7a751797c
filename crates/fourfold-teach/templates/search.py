"""Minimax and alpha-beta for `fourfold check`: one question a line in, one answer a line out.

Everything but the two searches is here. Write them below; a search that is not written yet is
answered with "unsupported".
"""

import json
import sys

INFINITY = 10**9
leaves = []  # append the value of every leaf that you visit, in order


class Tree:
    """A tree of numbers. MAX and MIN take turns."""

    def __init__(self, node, max_to_move):
        self.node = node
        self.max_to_move = max_to_move

    def is_over(self):
        return not isinstance(self.node, list)

    def value(self):
        """MAX's value; only at a leaf."""
        return self.node

    evaluate = value  # there is no horizon in a tree

    def moves(self):
        return range(len(self.node))

    def play(self, move):
        """The child: this node stays as it is."""
        return Tree(self.node[move], not self.max_to_move)


class Position:
    """A position of a game of lines. MAX is the side to move at the root."""

    def __init__(self, question, cells, mover, me):
        self.question = question
        self.cells = cells  # row by row from the top: ".", "x" or "o"
        self.mover = mover
        self.me = me  # MAX's letter
        self.max_to_move = mover == me
        game = question["game"]
        self.width, self.height = game["width"], game["height"]
        self.line, self.gravity = game["line"], game["gravity"]

    def has_line(self, letter):
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    end_row = row + down * (self.line - 1)
                    end_column = column + right * (self.line - 1)
                    if end_row >= self.height or not 0 <= end_column < self.width:
                        continue
                    at = [
                        self.cells[(row + down * step) * self.width + column + right * step]
                        for step in range(self.line)
                    ]
                    if all(cell == letter for cell in at):
                        return True
        return False

    def is_over(self):
        return self.has_line("x") or self.has_line("o") or "." not in self.cells

    def value(self):
        """MAX's value; only if the game is over."""
        discs = len(self.cells) - self.cells.count(".")
        for letter in "xo":
            if self.has_line(letter):
                return 1000 - discs if letter == self.me else discs - 1000
        return 0

    def evaluate(self):
        """MAX's value at the horizon."""
        weights = sum(self.question["weights"], [])
        signs = {".": 0, self.me: 1, "o" if self.me == "x" else "x": -1}
        return sum(weight * signs[cell] for weight, cell in zip(weights, self.cells))

    def moves(self):
        if self.gravity:
            return [column for column in range(self.width) if self.cells[column] == "."]
        return [cell for cell in range(len(self.cells)) if self.cells[cell] == "."]

    def play(self, move):
        """The position after a move: this one stays as it is."""
        cell = move
        if self.gravity:
            rows = [row for row in range(self.height) if self.cells[row * self.width + move] == "."]
            cell = max(rows) * self.width + move
        cells = self.cells[:]
        cells[cell] = self.mover
        return Position(self.question, cells, "o" if self.mover == "x" else "x", self.me)


# Begin of your searches: each returns MAX's value and the best move, the first of equal ones.


def minimax(state, depth):
    raise NotImplementedError


def alphabeta(state, depth, alpha, beta):
    raise NotImplementedError


# End of your searches.


def answer(question):
    if "tree" in question:
        state, depth = Tree(question["tree"], question["root"] == "max"), INFINITY
    else:
        cells = list("".join(question["board"]))
        state = Position(question, cells, question["to_move"], question["to_move"])
        depth = question["depth"]
    leaves.clear()
    if question["algorithm"] == "minimax":
        value, move = minimax(state, depth)
    else:
        value, move = alphabeta(state, depth, -INFINITY, INFINITY)
    return {"id": question["id"], "value": value, "move": move, "leaves": leaves}


for line in sys.stdin:
    question = json.loads(line)
    try:
        print(json.dumps(answer(question)), flush=True)
    except NotImplementedError:
        print(json.dumps({"id": question["id"], "unsupported": True}), flush=True)
