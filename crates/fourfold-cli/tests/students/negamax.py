# A student's negamax on trees.
import json
import sys

INF = 10**9


class Negamax:
    def __init__(self, prune):
        self.prune = prune
        self.visited = []

    def search(self, node, alpha, beta, colour):
        if not isinstance(node, list):
            self.visited.append(node)
            return colour * node, None
        best, choice = -INF, None
        for i in range(len(node)):
            value = -self.search(node[i], -beta, -alpha, -colour)[0]
            if value > best:
                best, choice = value, i
            alpha = max(alpha, value)
            if self.prune and alpha >= beta:
                break
        return best, choice


while True:
    line = sys.stdin.readline()
    if not line:
        break
    q = json.loads(line)
    if "tree" not in q:
        print(json.dumps({"unsupported": True}), flush=True)
        continue
    player = Negamax(q["algorithm"] == "alphabeta")
    colour = 1 if q["root"] == "max" else -1
    value, move = player.search(q["tree"], -INF, INF, colour)
    print(json.dumps({"value": colour * value, "move": move, "leaves": player.visited}), flush=True)
