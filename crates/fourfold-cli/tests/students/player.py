# A whole player as a student writes it: negamax with alpha-beta, asked in the engine protocol.
import sys

ROWS, COLS = 6, 7
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (-1, 1)]


def empty():
    return [[0] * COLS for _ in range(ROWS)]


def open_columns(board):
    return [c for c in range(COLS) if board[ROWS - 1][c] == 0]


def drop(board, column, piece):
    for row in range(ROWS):
        if board[row][column] == 0:
            board[row][column] = piece
            return row


def connected(board, row, column):
    piece = board[row][column]
    for up, right in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * up, column + sign * right
            while 0 <= r < ROWS and 0 <= c < COLS and board[r][c] == piece:
                length += 1
                r, c = r + sign * up, c + sign * right
        if length >= 4:
            return True
    return False


def negamax(board, last, depth, alpha, beta, me, plies):
    if connected(board, *last):
        return -(1000 - plies)
    if depth == 0:
        return 0
    best = -10000
    for column in open_columns(board):
        row = drop(board, column, me)
        value = -negamax(board, (row, column), depth - 1, -beta, -alpha, 3 - me, plies + 1)
        board[row][column] = 0
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best if best > -10000 else 0


def choose(board, depth, me):
    best, choice = -10000, None
    for column in open_columns(board):
        row = drop(board, column, me)
        value = -negamax(board, (row, column), depth - 1, -10000, -best, 3 - me, 1)
        board[row][column] = 0
        if value > best:
            best, choice = value, column
    return choice, best


def main():
    board, played = empty(), []
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            print("id name Student")
            print("uciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            board, played = empty(), []
            moves = [int(word) - 1 for word in words[3:]]
            for column in moves[len(played):]:
                drop(board, column, 1 + len(played) % 2)
                played.append(column)
        elif words[0] == "go":
            depth = int(words[2])
            column, value = choose(board, depth, 1 + len(played) % 2)
            if abs(value) > 500:
                mate = (1000 - abs(value) + 1) // 2
                print("info depth", depth, "score mate", mate if value > 0 else -mate)
            print("bestmove", column + 1, flush=True)
        elif words[0] == "quit":
            return


main()
