// The words of games by link without a server.

import { translated } from "./language.js";

export const words = translated("bylink", {
  title: "Play a friend by link",
  steps: ["Choose the game and who begins.", "Make your move, and send the link that you get.", "Your friend opens it, moves, and sends you the next link. Nobody needs an account or a server."],
  start: "Start a game",

  yourMove: "Your move",
  sentToYou: "Your friend has moved. Play your answer, and send the link that you get.",
  first: "You begin. Play a move, and send the link that you get.",
  send: "Send this link to your friend",
  sendAbout: "Their answer comes to you as a link, too. Open it to go on.",
  friendBegins: "Your friend begins.",
  takeBack: "Take the move back",
  result: "Send this link, so that your friend sees how it ended.",
  review: "Review the game",
  again: "New game",
});
