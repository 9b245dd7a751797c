def minimax(tree, maximising=True):
    if isinstance(tree, int):
        return tree
    values = [minimax(child, not maximising) for child in tree]
    return max(values) if maximising else min(values)
