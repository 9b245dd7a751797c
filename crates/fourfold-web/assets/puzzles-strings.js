// Every text of Puzzles. Functions where a sentence has parts.

import { language, translated } from "./language.js";
import { strings } from "./strings.js";

const { player } = strings;
/** @param {any} rules */
const place = (rules) => (rules.gravity ? "column" : "cell");
/** @param {string[]} cells */
const both = (cells) => (cells.length === 2 ? `${cells[0]} and ${cells[1]}` : `${cells.slice(0, -1).join(", ")} and ${cells[cells.length - 1]}`);

const english = {
  daily: "Puzzle of the day",
  practice: "Practice",
  number: (number, count) => `Puzzle ${number} of ${count}`,
  date: (day) => new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`)),
  levels: ["Warm-up", "Easy", "Tricky", "Hard", "Fiendish"],
  level: (level, name) => `Level ${level} of 5: ${name}`,
  themes: { "": "All themes", win2: "Win in 2", win3: "Win in 3", win4: "Win in 4", "only-move": "Only move", defend: "Defend", zugzwang: "Zugzwang" },
  theme: "Theme",
  game: "Game",
  games: (title, game, count) => {
    const [, width, height, , length, loose] = game.match(/^(\d+)x(\d+)([cs])(\d+)(f?)$/) ?? [];
    return `${title.startsWith(game) ? `${width} × ${height}, ${length} in a row${loose ? ", no gravity" : ""}` : title} · ${count}`;
  },

  /** @param {string} theme */
  title: (theme) => ({ win2: "Win in 2", win3: "Win in 3", win4: "Win in 4", defend: "Hold the draw" })[theme] ?? "Find the only move",
  task: (side, theme, rules) => {
    const only = `${player(side)} to move. Only one ${place(rules)}`;
    return theme === "defend" ? `${only} saves it.` : `${only} wins.`;
  },
  further: (asked, step) => `Move ${step + 1} of ${asked}`,

  hint: "Hint",
  again: "Try again",
  retry: "Retry",
  answer: "Solution",
  skip: "Skip",
  next: "Next puzzle",
  nextBrief: "Next",
  playOut: "Play it out",
  analyse: "Analyse",
  practise: "Practise",

  right: "That’s it!",
  wrong: "Not quite",
  shown: "The solution",
  goOn: (side, at) => `Right. ${player(side)} answers ${at}. What next?`,
  better: (side, at, result) => `${player(side)} answers ${at} and ${result}.`,
  result: (verdict, moves) => (verdict === "draw" ? "holds the draw" : verdict !== "win" ? "gets away" : moves <= 1 ? "wins" : `wins in ${moves}`),
  over: "That fills the board, and nobody has won.",
  unproven: "That lets it go.",
  solvedBefore: "You have tried this one before, so your rating stays.",
  solvedToday: "Solved today. A new one comes at midnight UTC.",

  idea: (why, theme, asked, side) => {
    const other = player(side === "first" ? "second" : "first");
    if (theme === "defend") return `What would ${other} like to play next? One move stops it and costs nothing.`;
    if (why.kind === "zugzwang") return `Nobody is in a hurry here. Count the free cells: who will have to play under the decisive one?`;
    const end = why.kind === "stacked" ? "two winning cells, one above the other" : "two threats at once";
    return asked === 1 ? `Make ${end}.` : `Aim for ${end}. Moves that must be answered come first.`;
  },
  column: (at) => `It is ${at}.`,
  why: (why, rules, side, long) => {
    const [you, other] = [player(side), player(side === "first" ? "second" : "first")];
    const end = long ? "In the end " : "";
    const cap = (text) => (long ? text : text.charAt(0).toUpperCase() + text.slice(1));
    if (why.kind === "draw") return `Every other ${place(rules)} loses. With this one the draw holds against best play.`;
    if (why.kind === "threats") return `${end}${cap(`${both(why.cells)} ${why.cells.length > 2 ? "all" : "both"} win for ${you}, and ${other} can block only one.`)}`;
    if (why.kind === "stacked") return `${end}${other} has to block ${why.cells[0]}, and that opens ${why.cells[1]} above it.`;
    return `${end}${other} has to move, and nothing is safe: a disc on ${why.under} lets ${you} win on ${why.cells[0]}.`;
  },
  longWin: (moves) => `It wins in ${moves} moves with best play.`,

  rating: "Your rating",
  provisional: (rating) => `${rating}?`,
  provisionalHelp: "Provisional: a few more puzzles make it surer.",
  moved: (by) => (by > 0 ? `Rating +${by}` : by < 0 ? `Rating −${-by}` : "Rating unchanged"),
  half: "The hint counts as half.",
  streak: (days) => (days === 1 ? "1 day" : `${days} days`),
  streakNone: "Solve today’s puzzle to start a streak.",
  streakOpen: (days) => `Solve today’s to make it ${days}.`,
  streakDone: (best, days) => (days >= best ? "Your best so far." : `Your best: ${best}.`),
  week: ["M", "T", "W", "T", "F", "S", "S"],
  weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  dayDone: (day) => `${day}: solved`,
  dayOpen: (day) => `${day}: not solved`,
  run: (run, best) => `Run ${run} · best ${best}`,
  near: "Near your rating",
  progress: (done, all) => `${done} / ${all}`,
  device: "Rating, streak and what you solved stay on this device.",
  about: "A win in 3 takes three of your discs. Your first try counts: solved is a point, with the first hint half, a miss or the shown column none.",
  at: (rules, label) => (rules.gravity ? `column ${label}` : label),
};

export const words = translated("puzzles", english);
