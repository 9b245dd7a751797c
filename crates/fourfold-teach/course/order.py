def best_first(tree, maximising=True):
    def value(tree, maximising):
        if isinstance(tree, int):
            return tree
        values = [value(child, not maximising) for child in tree]
        return max(values) if maximising else min(values)

    if isinstance(tree, int):
        return tree
    ordered = sorted(tree, key=lambda child: value(child, not maximising), reverse=maximising)
    return [best_first(child, not maximising) for child in ordered]
