// A tree of variations: the moves tried from one position, as text in the address. Pure; nothing here draws.
//
// The text is the moves of the main line; what could have been played instead of a move follows it in parentheses:
// `4453(2)3` is 44533 with 4452 as a variation.

/**
 * @typedef {object} Node
 * @property {string} move what was played; empty at the root
 * @property {Node | undefined} parent
 * @property {Node[]} children what was tried here, the main line first
 */

/** @param {string} [move] @param {Node} [parent] @returns {Node} */
const node = (move = "", parent) => ({ move, parent, children: [] });

/** The most moves that an address may hold: more is nobody's analysis. */
const MOST = 2000;

/** The pieces of the text: parentheses and moves. */
const pieces = (rules, text) => text.toLowerCase().match(!rules.gravity ? /[()]|[a-z]+\d+/g : rules.width > 9 ? /[()]|\d+/g : /[()]|\d/g) ?? [];

/** The moves of a text without variations. @param {any} rules @param {string} text @returns {string[]} */
export const moves = (rules, text) => pieces(rules, text).filter((piece) => !"()".includes(piece));

/** Reads a tree; what makes no sense is left out. @param {any} rules @param {string} text */
export const parse = (rules, text) => {
  const root = node();
  /** @type {Node[]} */
  const open = [];
  let at = root;
  for (const piece of pieces(rules, text).slice(0, MOST)) {
    if (piece === "(") {
      if (!at.parent) break;
      open.push(at);
      at = at.parent;
    } else if (piece === ")") {
      const back = open.pop();
      if (!back) break;
      at = back;
    } else at = extend(at, piece);
  }
  return root;
};

/** Writes a tree. @param {any} rules @param {Node} root */
export const write = (rules, root) => {
  const between = rules.gravity && rules.width > 9 ? "," : "";
  let text = "";
  const put = (move) => {
    text += (text && !text.endsWith("(") ? between : "") + move;
  };
  const from = (start) => {
    for (let at = start; at.children.length; [at] = at.children) {
      const [main, ...others] = at.children;
      put(main.move);
      for (const other of others) {
        text += "(";
        put(other.move);
        from(other);
        text += ")";
      }
    }
  };
  from(root);
  return text;
};

/** The node after a move, made if there is none. @param {Node} at @param {string} move @returns {Node} */
export const extend = (at, move) => {
  const known = at.children.find((child) => child.move === move);
  if (known) return known;
  const fresh = node(move, at);
  at.children.push(fresh);
  return fresh;
};

/** The node at the end of a path, made where it is missing. @param {Node} root @param {string[]} path */
export const walk = (root, path) => path.reduce(extend, root);

/** The moves from the root to a node. @param {Node} at @returns {string[]} */
export const pathTo = (at) => (at.parent ? [...pathTo(at.parent), at.move] : []);

/** The last node of the line that a node is on. @param {Node} at @returns {Node} */
export const endOf = (at) => (at.children.length ? endOf(at.children[0]) : at);

/** The node beside this one, so many places on; itself if there is none. @param {Node} at @param {number} step @returns {Node} */
export const beside = (at, step) => {
  const all = at.parent?.children ?? [at];
  return all[all.indexOf(at) + step] ?? at;
};

/** Whether every move up to here is the first choice where it was made. @param {Node} at @returns {boolean} */
export const isMain = (at) => !at.parent || (at.parent.children[0] === at && isMain(at.parent));

/** Makes the line to a node the main line, one branching at a time, the nearest first. @param {Node} at */
export const promote = (at) => {
  for (let child = at; child.parent; child = child.parent) {
    const { children } = child.parent;
    if (children[0] === child) continue;
    children.splice(children.indexOf(child), 1);
    children.unshift(child);
    return;
  }
};

/** Takes a move and all that follows it out of the tree. @param {Node} at @returns {Node} where that leaves us */
export const remove = (at) => {
  if (!at.parent) return at;
  at.parent.children.splice(at.parent.children.indexOf(at), 1);
  return at.parent;
};
