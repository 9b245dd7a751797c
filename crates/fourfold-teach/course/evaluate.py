def evaluate(rows, side):
    lines = [list(row) for row in rows]
    lines += [list(column) for column in zip(*rows)]
    lines.append([rows[i][i] for i in range(3)])
    lines.append([rows[i][2 - i] for i in range(3)])
    worth = [0, 1, 3, 0]
    other = "o" if side == "x" else "x"
    total = 0
    for line in lines:
        if other not in line:
            total += worth[line.count(side)]
        if side not in line:
            total -= worth[line.count(other)]
    return total
