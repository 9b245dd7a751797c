# A student's minimax and alpha-beta on trees, after Russell and Norvig's two functions.
import json
import sys

INF = 10**9


def search(tree, root, prune):
    visited = []

    def max_value(node, alpha, beta):
        if isinstance(node, int):
            visited.append(node)
            return node, None
        best, move = -INF, None
        for index, child in enumerate(node):
            value, _ = min_value(child, alpha, beta)
            if value > best:
                best, move = value, index
            alpha = max(alpha, best)
            if prune and best >= beta:
                return best, move
        return best, move

    def min_value(node, alpha, beta):
        if isinstance(node, int):
            visited.append(node)
            return node, None
        best, move = INF, None
        for index, child in enumerate(node):
            value, _ = max_value(child, alpha, beta)
            if value < best:
                best, move = value, index
            beta = min(beta, best)
            if prune and best <= alpha:
                return best, move
        return best, move

    start = max_value if root == "max" else min_value
    value, move = start(tree, -INF, INF)
    return value, move, visited


for line in sys.stdin:
    question = json.loads(line)
    reply = {"id": question["id"], "unsupported": True}
    if "tree" in question:
        prune = question["algorithm"] == "alphabeta"
        value, move, visited = search(question["tree"], question["root"], prune)
        reply = {"id": question["id"], "value": value, "move": move, "leaves": visited}
    print(json.dumps(reply), flush=True)
