// The types that the page's modules share. Read by tsc alone, never by a browser.

/** Black is X, White is O. */
export type Side = "X" | "O";

/** A board of 64 cells from a1, b1, ... to h8, and the side to move. */
export interface Position {
  readonly cells: string;
  readonly turn: Side;
}

/** A root move of a search, as the engine's JSON has it; scores in discs from the mover's view. */
export interface Line {
  rank: number;
  move: string;
  score: number;
  bound: string;
  depth: number;
  selectivity: number;
  exact: boolean;
  pv: string[];
}

/** The values of all moves of a position. */
export interface Values {
  lines: Line[];
  reached: string;
  nodes: number;
  time_s: number;
  done: boolean;
  level: number;
}

/** What a played move was worth; scores from its player's view. */
export interface Judged {
  ply: number;
  color: string;
  move: string;
  score: number;
  best: string;
  best_score: number;
  loss: number;
  grade: "inaccuracy" | "mistake" | "blunder" | null;
  reached: string;
  /** The moves expected after the best one, which is the first. */
  line: string;
  /** Level of the review. */
  level: number;
  /** How many people of the player's rating play it and the best move, what is worth telling; known at the end of a review. */
  played_by?: number | null;
  found_by?: number | null;
  note?: "few_find" | "few_find_best" | "many_make" | null;
}

/** What people of a rating play, the likeliest first. */
export interface People {
  rating: number;
  moves: { move: string; probability: number }[];
}

/** What a player's moves add up to, in all or in a phase. */
export interface Tally {
  moves: number;
  loss: number;
  accuracy: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

/** A player's tally of the whole game and of its phases. */
export interface PlayerTally {
  total: Tally;
  opening: Tally;
  midgame: Tally;
  endgame: Tally;
  /** The rating that the moves look like, and its standard error. */
  rating?: number | null;
  rating_error?: number | null;
}

/** The review of a game: its moves, how many are judged, and the sums once all are. */
export interface Review {
  line: Node[];
  level: number;
  done: number;
  players: { black: PlayerTally; white: PlayerTally } | null;
  error: string;
}

export interface BookMove {
  move: string;
  loss: number;
  name: string | null;
}

export interface Opening {
  name: string | null;
  moves: BookMove[];
}

/** A position of the game's tree; the root has no move. */
export interface Node {
  move: number;
  parent: Node | null;
  children: Node[];
  /** The child that the line goes on with. */
  next: Node | null;
  position: Position;
  flipped: number[];
  ply: number;
  values: Values | null;
  judged: Judged | null;
  opening: Opening | null;
  people?: People | null;
}

/** A move that was played in games of a base, with their results from the mover's view. */
export interface PlayedMove {
  move: string;
  games: number;
  won: number;
  drawn: number;
  lost: number;
}

/** A game of a base, which reaches the position after `ply` plies; its result is in discs from Black's view. */
export interface PlayedGame {
  black: string;
  white: string;
  event: string;
  date: string;
  result: number | null;
  winner: string | null;
  start: string | null;
  moves: string;
  ply: number;
}

/** Who plays a side. */
export interface Seat {
  kind: "person" | "engine" | "strategy";
  strength: number;
  strategy: string;
  depth: number;
}

/** A computer player as it is chosen: "engine", or the name of a textbook player. */
export interface Rival {
  player: string;
  strength: number;
  depth: number;
}

/** The choices of the panel of Play. */
export interface Choices {
  side: Side | "random" | "both" | "none";
  start: "usual" | "balanced" | "random";
  one: Rival;
  two: Rival;
  minutes: number;
  increment: number;
}

export type Mode = "play" | "learn" | "review" | "puzzles" | "edit" | "games";

/** What a list shows of a kept game. `newest` is the time in milliseconds, negative; `result` Black's margin in discs; `won`
 * the winner's side, also of a game that was not played to its end; `mine` the person's side if a computer had the other;
 * `accuracy` in percent by side; `print` what makes it the same game as another. */
export interface Summary {
  id: number;
  newest: number;
  date: string;
  black: string;
  white: string;
  event: string;
  result: number | null;
  won: Side | "";
  mine: Side | "";
  accuracy: { X: number | null; O: number | null } | null;
  print: string;
  /** What the person lost, once the game is reviewed. */
  lost?: Lost | null;
  /** The moves of the opening with which the game began: no player chose them. */
  begun?: number;
  /** The first moves of a game whose players are unknown. */
  first?: string;
}

/** Discs that a side lost in each phase of a game, and its moves that gave a corner away. */
export interface Lost {
  opening: number;
  midgame: number;
  endgame: number;
  corners: number;
}

/** A position to practise: its game's number, the moves that lead to it, the move that lost discs; `due` is the number of a
 * day, `gap` the days since it was found last, 0 if it was missed or is new. */
export interface Task {
  id: string;
  game: number;
  start: string;
  moves: string;
  played: string;
  loss: number;
  gap: number;
  due: number;
}

/** A puzzle that was tried last on a day: its board, and whether the best move was found at once. */
export interface TriedPuzzle {
  id: string;
  missed: boolean;
  day: number;
}

/** The moves of a kept game, and its review. */
export interface KeptGame {
  id: number;
  start: string;
  moves: string;
  review: { level: number; players: Review["players"]; judged: (Judged | null)[] } | null;
}

/** A game to be kept. */
export interface Kept {
  summary: Omit<Summary, "id">;
  game: Omit<KeptGame, "id">;
  tasks?: Task[];
}

/** A game that is to be kept, and the number under which it was kept before, if it was. */
export interface Pending extends Kept {
  kept: number | null;
}

/** The players of a game that was not played on the board just now, "" for unknown ones; the person's side, the winner of a game
 * that was given up, date, event and Black's margin where they are known; the first moves that neither chose. */
export interface Names extends Record<Side, string> {
  mine?: Side | "";
  won?: Side | "";
  date?: string;
  event?: string;
  result?: number | null;
  begun?: number;
}

/** Why a game ended before the board was full. */
export interface Ending {
  reason: "resignation" | "time";
  loser: Side;
}

export interface Control {
  minutes: number;
  increment: number;
}

/** A listed game of an upload. */
export interface Listed {
  start: string;
  moves: string;
  title?: string;
  black?: string;
  white?: string;
  date?: string;
  event?: string;
  result?: number | null;
  won?: Side | "";
}

/** A reply of the server; its fields depend on `kind`. */
export type Reply = { id?: number | null; kind: string; text?: string } & Record<string, any>;
