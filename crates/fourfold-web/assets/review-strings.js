// The words of Review. The sentences about positions come from the engine, with the sides as Red and Yellow; `named` puts in who they are.

import { translated } from "./language.js";

/** @typedef {{ first: string, second: string }} Names what the sides are called; "You" for whoever looks */

const COLOURS = { Red: "first", Yellow: "second" };

/** A name within a sentence: "you", "your friend", "Juno". @param {string} name */
const within = (name) => (/^You\b|^Your /.test(name) ? name[0].toLowerCase() + name.slice(1) : name);

/**
 * A sentence of the engine with the names of the players: "Red's threat" becomes "your threat" or "Juno's threat".
 * @param {string} text @param {Names} names
 */
export const named = (text, names) => text.replace(/\b(Red|Yellow)\b('s| was)?/g, (_, colour, rest = "", at) => {
  const starts = at === 0 || /[.!?] $/.test(text.slice(0, at));
  const name = starts ? names[COLOURS[colour]] : within(names[COLOURS[colour]]);
  if (name.toLowerCase() !== "you") return name + rest;
  return rest === "'s" ? `${name}r` : rest ? `${name} were` : name;
});

const plural = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

export const words = translated("review", {
  you: "You",
  friend: "Your friend",
  // The head.
  wonOn: (name, number) => `${name} won on move ${number}`,
  wonAfter: (name, number) => `${name} won after ${plural(number, "move")}`,
  drawnAfter: (number) => `A draw after ${plural(number, "move")}`,
  unfinished: (number) => `${plural(number, "move")}, not finished`,
  noHeadline: "How the game went",
  looking: "Looking at the game",
  progress: (done, all) => `${done} of ${plural(all, "move")}`,
  ready: (headline, moments) => `${headline}. ${plural(moments, "key moment")}.`,
  partly: "There was not enough time for every move. Those with a result are exact.",
  accuracy: (share) => `${Math.round(100 * share)} %`,
  noChoice: "–",
  accuracyOf: (name, share) => (share === null ? `${name}: nothing to choose yet` : `${name}: ${Math.round(100 * share)} % accuracy`),
  slips: ({ blunders, inaccuracies }) =>
    [blunders && plural(blunders, "blunder"), inaccuracies && plural(inaccuracies, "slip")].filter(Boolean).join(", ") || "no mistakes",
  about: "Accuracy is the share of best moves where there was a choice. \"In 4\" counts the winner's own moves.",
  graph: "Who stands better after each move",

  // The board.
  startOf: "Start of the game",
  move: (number, name) => `Move ${number} · ${within(name)}`,
  best: (text) => `Best: ${text}`,
  played: (text) => `Played: ${text}`,
  brief: (verdict) => {
    const moves = verdict.plies === null || verdict.plies === undefined ? "" : ` in ${Math.ceil(verdict.plies / 2)}`;
    return verdict.result === "draw" ? "draw" : `${verdict.result}${moves}`;
  },
  betterTag: "Better",
  playedTag: "Played",
  onlyTag: "Only move",
  triedTag: "You",

  // Stepping: one sentence.
  step: (number, name, place, judgement, better) =>
    `Move ${number}: ${within(name)} played ${place}${judgement ? `, ${judgement}` : ""}${better ? `; ${better}` : ""}.`,
  judgements: { best: "a best move", only: "the only move", forced: "forced", inaccuracy: "a slip", blunder: "a blunder" },
  marks: { blunder: "??", inaccuracy: "?!", only: "!" },
  betterIs: (place, result) => `${place} ${result === "draw" ? "draws" : result}`,
  first: "First move",
  back: "Back one move",
  forward: "Forward one move",
  last: "Last move",
  steps: "Go through the game",
  at: (ply, all) => `${ply} / ${all}`,

  // Moments.
  moments: "Key moments",
  noMoments: "No turning points: nothing was thrown away.",
  position: (number) => `The board at move ${number}`,
  retry: "Retry",
  showMe: "Show me",
  analyse: "Analyse",
  playOn: "Play on from here",
  backToGame: "Back to the game",
  tryAgain: "Try again",
  giveUp: "Show me",
  yourTurn: (name, place, goal) => `${name} played ${place}. Find a move that ${goal}.`,
  goals: { win: "wins", sooner: "wins sooner", draw: "keeps the draw", loss: "holds out longer" },
  right: (place, result, best) => `${best ? "Yes" : "That works"}. ${place} ${result}.`,
  wrong: (place, result) => `Not this one. ${place} ${result}.`,
  results: (verdict) => {
    const moves = verdict.plies === null || verdict.plies === undefined ? "" : ` in ${plural(Math.ceil(verdict.plies / 2), "move")}`;
    return verdict.result === "draw" ? "draws" : verdict.result === "win" ? `wins${moves}` : `loses${moves}`;
  },
  lineMove: (number, all, name, place) => `${number} of ${all}: ${name === "You" ? "you play" : `${within(name)} plays`} ${place}.`,
  lineOver: "That was the better line.",

  // The list of moves.
  moves: "All moves",

  // Without a game.
  welcome: "Which game shall we look at?",
  lead: "Every move is compared with the best there was, and the moments that decided the game are explained.",
  yours: "Your games",
  none: "Games that you play on this device appear here.",
  play: "Play a game",
  example: "See an example",
  against: (name) => `Against ${name}`,
  twoPeople: "Two players",
  watched: "Watched",
  underWay: "Not finished",
  results3: { won: "You won", lost: "You lost", draw: "Draw", first: "Red won", second: "Yellow won" },
  count: (number) => plural(number, "move"),
  another: "Another game",
  paste: "Paste a game",
  pasteHint: "Moves such as 44444265, or any other notation.",
  review: "Review",
  empty: "There is no game yet. Paste its moves first.",
  noOrder: "This is a position without the moves that led to it, so there is no game to review. Paste the moves.",
});

/** A game to look at: whoever moved first was winning for long. */
export const EXAMPLE = { game: "7x6c4", moves: "44455543534453363131122115177722", you: "first", against: "character:cleo" };
