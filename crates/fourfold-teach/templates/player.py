"""A player of Connect Four for `fourfold check` and the class tournament.

It speaks the engine protocol: commands come in line by line, the move goes out as "bestmove 4".
Everything but the thinking is here: write your own choose() below.
"""

import sys

WIDTH, HEIGHT = 7, 6


class Board:
    """A position. The players are 1 (who began) and 2; columns and rows count from 0."""

    def __init__(self):
        self.columns = [[] for _ in range(WIDTH)]  # the discs of each column, from the bottom
        self.mover = 1

    def moves(self):
        """The columns that have room."""
        return [column for column in range(WIDTH) if len(self.columns[column]) < HEIGHT]

    def play(self, column):
        self.columns[column].append(self.mover)
        self.mover = 3 - self.mover

    def undo(self, column):
        self.columns[column].pop()
        self.mover = 3 - self.mover

    def disc(self, column, row):
        """1, 2, or 0 where there is none."""
        inside = 0 <= column < WIDTH and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else 0

    def has_line(self, player):
        """Whether a player has four in a line."""
        for column in range(WIDTH):
            for row in range(HEIGHT):
                for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    cells = [(column + across * step, row + up * step) for step in range(4)]
                    if all(self.disc(*cell) == player for cell in cells):
                        return True
        return False


# Begin of your player.


def choose(board, depth):
    """The column to play, from 0, and a score for `info` or None ("cp 12", "mate 2").

    Look `depth` plies ahead: your own move is the first of them.
    """
    return board.moves()[0], None


# End of your player.


def main():
    board = Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print("id name My player\nuciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            # Every position is told from the beginning: position startpos moves 4 4 3
            board = Board()
            if "moves" in words:
                for move in words[words.index("moves") + 1 :]:
                    board.play(int(move) - 1)
        elif words[0] == "go":
            depth = int(words[words.index("depth") + 1]) if "depth" in words else 4
            column, score = choose(board, depth)
            if score is not None:
                print(f"info depth {depth} score {score}")
            print(f"bestmove {column + 1}", flush=True)
        elif words[0] == "quit":
            break


main()
