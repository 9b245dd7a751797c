// Minimax and alpha-beta for `fourfold check`: one question a line in, one answer a line out.
//
// Everything but the two searches is here. Write them below; a search that is not written yet is
// answered with "unsupported".

import { createInterface } from "node:readline";

const INFINITY = 1e9;
const leaves = []; // push the value of every leaf that you visit, in order

/** A tree of numbers. MAX and MIN take turns. */
class Tree {
  constructor(node, maxToMove) {
    this.node = node;
    this.maxToMove = maxToMove;
  }
  isOver() {
    return !Array.isArray(this.node);
  }
  /** MAX's value; only at a leaf. */
  value() {
    return this.node;
  }
  evaluate() {
    return this.node;
  }
  moves() {
    return [...this.node.keys()];
  }
  play(move) {
    return new Tree(this.node[move], !this.maxToMove);
  }
}

/** A position of a game of lines. MAX is the side to move at the root. */
class Position {
  constructor(question, cells, mover, me) {
    Object.assign(this, { question, cells, mover, me }, question.game);
    this.maxToMove = mover === me;
  }
  hasLine(letter) {
    const { width, height, line, cells } = this;
    const on = (row, column) => row < height && column >= 0 && column < width && cells[row * width + column] === letter;
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
          let step = 0;
          while (step < line && on(row + down * step, column + right * step)) step++;
          if (step === line) return true;
        }
    return false;
  }
  isOver() {
    return this.hasLine("x") || this.hasLine("o") || !this.cells.includes(".");
  }
  /** MAX's value; only if the game is over. */
  value() {
    const discs = this.cells.filter((cell) => cell !== ".").length;
    for (const letter of "xo") if (this.hasLine(letter)) return letter === this.me ? 1000 - discs : discs - 1000;
    return 0;
  }
  /** MAX's value at the horizon. */
  evaluate() {
    const sign = (cell) => (cell === "." ? 0 : cell === this.me ? 1 : -1);
    return this.question.weights.flat().reduce((sum, weight, index) => sum + weight * sign(this.cells[index]), 0);
  }
  moves() {
    const options = this.gravity ? this.cells.slice(0, this.width) : this.cells;
    return [...options.keys()].filter((option) => this.cells[option] === ".");
  }
  play(move) {
    let cell = move;
    if (this.gravity) while (this.cells[cell + this.width] === ".") cell += this.width;
    const cells = this.cells.with ? this.cells.with(cell, this.mover) : Object.assign([...this.cells], { [cell]: this.mover });
    return new Position(this.question, cells, this.mover === "x" ? "o" : "x", this.me);
  }
}

// Begin of your searches: each returns MAX's value and the best move, the first of equal ones.

const minimax = (state, depth) => undefined;

const alphabeta = (state, depth, alpha, beta) => undefined;

// End of your searches.

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const state = question.tree !== undefined
    ? new Tree(question.tree, question.root === "max")
    : new Position(question, [...question.board.join("")], question.to_move, question.to_move);
  const depth = question.depth ?? INFINITY;
  leaves.length = 0;
  const found = question.algorithm === "minimax" ? minimax(state, depth) : alphabeta(state, depth, -INFINITY, INFINITY);
  const answer = found ? { value: found[0], move: found[1], leaves } : { unsupported: true };
  console.log(JSON.stringify({ id: question.id, ...answer }));
}
