// Every page in a state worth looking at, and what it says when it is ready.

export const PAGES = [
  { name: "play", path: "/play?seed=1&moves=4453", ready: /Your move/ },
  { name: "play-won", path: "/play?seed=1&moves=1212121", ready: /You win/ },
  { name: "play-square", path: "/play?seed=1&game=7x6s2&you=both&moves=44353", ready: /to move/ },
  { name: "play-tictactoe", path: "/play?seed=1&game=3x3c3f&moves=b2+a1&show=1", ready: /Your move/ },
  { name: "friend", path: "/friend", ready: /Play a friend/ },
  { name: "analyse", path: "/analyse?game=7x6c4&moves=444444333332252266&threats=1", ready: /loses in/ },
  { name: "analyse-tictactoe", path: "/analyse?game=3x3c3f&moves=b2+b1", ready: /wins in 3 moves/ },
  { name: "review", path: "/review?game=3x3c3f&moves=b2+b1+a1+c3&at=2", ready: /judged|blunder/ },
  { name: "microscope", path: "/microscope?step=13", ready: /cut E-8 to E-9/ },
  { name: "microscope-position", path: "/microscope?game=7x6c4&moves=4455&depth=3&table=1&symmetry=on&step=120", ready: /E-\d+/ },
  { name: "microscope-beside", path: "/microscope?tree=((9+8+7)(6+5+4)(3+2+1))&compare=1&step=22", ready: /The root is worth 7/ },
  { name: "microscope-quiz", path: "/microscope?quiz=1&picks=8.4&checked=1", ready: /1 right, 3 missed, 1 wrong/ },
  { name: "learn", path: "/learn", ready: /Win or block/ },
  { name: "learn-alpha-beta", path: "/learn?chapter=alpha-beta&step=13", ready: /Leave out/ },
  { name: "learn-tables", path: "/learn?chapter=tables", ready: /Remember/ },
  { name: "learn-perfect", path: "/learn?chapter=perfect&moves=44", ready: /wins in/ },
  { name: "glossary", path: "/learn/glossary#beta", ready: /Beta/ },
  { name: "worksheet", path: "/learn/worksheet?seed=7", ready: /ready to print/ },
  { name: "lab", path: "/lab", ready: /experiments/ },
  { name: "lab-run", path: "/lab?run=umbc-tables", ready: /How often/ },
];
