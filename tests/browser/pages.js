// Every page in a state worth looking at, and what it says when it is ready.

export const PAGES = [
  { name: "play", path: "/play?seed=1&moves=4453", ready: /Your move/ },
  { name: "play-won", path: "/play?seed=1&moves=1212121", ready: /You win/ },
  { name: "play-square", path: "/play?seed=1&game=7x6s2&you=both&moves=44353", ready: /to move/ },
  { name: "play-tictactoe", path: "/play?seed=1&game=3x3c3f&moves=b2+a1&show=1", ready: /Your move/ },
  { name: "analyse", path: "/analyse?game=7x6c4&moves=444444333332252266&threats=1", ready: /loses in/ },
  { name: "analyse-tictactoe", path: "/analyse?game=3x3c3f&moves=b2+b1", ready: /wins in 5/ },
  { name: "review", path: "/review?game=3x3c3f&moves=b2+b1+a1+c3&at=2", ready: /judged|blunder/ },
];
