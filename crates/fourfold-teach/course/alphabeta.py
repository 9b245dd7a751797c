def alphabeta(tree, maximising=True, alpha=float("-inf"), beta=float("inf")):
    if isinstance(tree, int):
        return tree, [tree]
    best = float("-inf") if maximising else float("inf")
    visited = []
    for child in tree:
        value, seen = alphabeta(child, not maximising, alpha, beta)
        visited += seen
        if maximising:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, visited
