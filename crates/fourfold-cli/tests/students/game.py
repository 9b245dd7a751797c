# A student's player for Connect Four and tic-tac-toe: a board that is changed and changed back.
import json
import sys

INF = 10**9


class Player:
    def __init__(self, q):
        self.w, self.h = q["game"]["width"], q["game"]["height"]
        self.n, self.drops = q["game"]["line"], q["game"]["gravity"]
        self.board = [list(row) for row in q["board"]]
        self.me = q["to_move"]
        self.you = "o" if self.me == "x" else "x"
        self.weights = q["weights"]
        self.depth = q["depth"]
        self.prune = q["algorithm"] == "alphabeta"
        self.seen = []
        self.table = {}

    def options(self):
        return range(self.w) if self.drops else range(self.w * self.h)

    def free(self, move):
        if self.drops:
            return self.board[0][move] == "."
        return self.board[move // self.w][move % self.w] == "."

    def put(self, move, letter):
        if not self.drops:
            self.board[move // self.w][move % self.w] = letter
            return move // self.w, move % self.w
        for row in range(self.h - 1, -1, -1):
            if self.board[row][move] == ".":
                self.board[row][move] = letter
                return row, move

    def take(self, place):
        row, column = place
        self.board[row][column] = "."

    def count(self):
        return sum(cell != "." for row in self.board for cell in row)

    def cell(self, row, column):
        if 0 <= row < self.h and 0 <= column < self.w:
            return self.board[row][column]
        return None

    def won(self, letter):
        ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
        for r in range(self.h):
            for c in range(self.w):
                for dr, dc in ways:
                    if all(self.cell(r + k * dr, c + k * dc) == letter for k in range(self.n)):
                        return True
        return False

    def full(self):
        return self.count() == self.w * self.h

    def score(self, maximising):
        total = 0
        for r in range(self.h):
            for c in range(self.w):
                if self.board[r][c] == self.me:
                    total += self.weights[r][c]
                if self.board[r][c] == self.you:
                    total -= self.weights[r][c]
        return total

    def over(self, depth, ply):
        if self.won(self.me):
            return 1000 - self.count()
        if self.won(self.you):
            return -(1000 - self.count())
        if self.full():
            return 0
        return None

    def leaf(self, value):
        self.seen.append(value)
        return value

    def search(self, depth, alpha, beta, maximising, ply):
        end = self.over(depth, ply)
        if end is not None:
            return self.leaf(end)
        if depth <= 0:
            return self.leaf(self.score(maximising))
        best = -INF if maximising else INF
        for move in self.options():
            if not self.free(move):
                continue
            place = self.put(move, self.me if maximising else self.you)
            value = self.search(depth - 1, alpha, beta, not maximising, ply + 1)
            self.take(place)
            if maximising:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if self.prune and alpha >= beta:
                break
        return best

    def choose(self):
        best, choice = -INF, None
        alpha, beta = -INF, INF
        for move in self.options():
            if not self.free(move):
                continue
            place = self.put(move, self.me)
            value = self.search(self.depth - 1, alpha, beta, False, 1)
            self.take(place)
            if value > best:
                best, choice = value, move
            alpha = max(alpha, best)
        return best, choice


for line in sys.stdin:
    q = json.loads(line)
    if "board" in q:
        player = Player(q)
        value, move = player.choose()
        print(json.dumps({"id": q["id"], "value": value, "move": move, "leaves": player.seen}), flush=True)
    else:
        print(json.dumps({"id": q["id"], "unsupported": True}), flush=True)
