# A whole player that does not search: it wins, blocks, and gives nothing away.
import sys

ROWS, COLS = 6, 7


def wins(board, column, me):
    row = len(board[column])
    board[column].append(me)
    disc = lambda c, r: 0 <= c < COLS and 0 <= r < len(board[c]) and board[c][r] == me
    found = False
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for start in range(-3, 1):
            cells = [(column + right * (start + i), row + up * (start + i)) for i in range(4)]
            found = found or all(disc(c, r) for c, r in cells)
    board[column].pop()
    return found


def choose(board, me):
    columns = [c for c in range(COLS) if len(board[c]) < ROWS]
    for column in columns:
        if wins(board, column, me):
            return column
    for column in columns:
        if wins(board, column, 3 - me):
            return column
    for column in columns:
        board[column].append(me)
        safe = len(board[column]) == ROWS or not wins(board, column, 3 - me)
        board[column].pop()
        if safe:
            return column
    return columns[0]


for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("uciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        moves = [int(word) - 1 for word in words[3:]]
        board = [[] for _ in range(COLS)]
        for number, column in enumerate(moves):
            board[column].append(1 + number % 2)
        me = 1 + len(moves) % 2
    elif words[0] == "go":
        print("bestmove", choose(board, me) + 1, flush=True)
