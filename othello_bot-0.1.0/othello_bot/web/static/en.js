// The page's words in English. ja.js has the same ones in Japanese, and no other module has any.

import { signed } from "./rules.js";

/** A number of things: "1 disc", "2 discs". @param {number} number @param {string} thing */
const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

/** @typedef {import("./types").Judged} Judged */
/** @typedef {import("./types").Side} Side */

const side = { X: "Black", O: "White" };
const you = "You";

/** @param {number} discs */
const discs = (discs) => counted(discs, "disc");

/** @param {number} score */
const signedDiscs = (score) => `${signed(score)} disc${Math.abs(score) === 1 ? "" : "s"}`;

/** A share of people: "40 %". @param {number | null | undefined} part from 0 to 1 */
const share = (part) => `${Math.max(1, Math.round(100 * (part ?? 0)))} %`;

export const words = {
  side,
  color: { X: "black", O: "white" },
  discs,
  signedDiscs,
  pass: "pass",
  you,
  close: "Close",
  open: "Open",
  /** What stands between two sentences. */
  space: " ",
  percent: (/** @type {number} */ part) => `${Math.round(part)} %`,

  // The frame of the page; index.html names these.
  page: {
    skip: "Skip to the board",
    modes: "What to do",
    play: "Play",
    learn: "Learn",
    review: "Review",
    puzzles: "Puzzles",
    edit: "Edit",
    games: "Games",
    table: "Board",
    board: "Othello board",
    controls: "The game",
    evaluation: "Evaluation",
    moves: "Moves",
    language: "Language",
    share: "Copy or save the game",
    keys: "Keys (?)",
    theme: "Light or dark",
    unreachable: "The engine is not reachable: is othello-bot web still running? The game is kept, and this message goes when the engine answers.",
    restarting: "The engine has stopped and is starting again. The game is kept, and this message goes when the engine answers.",
    oldBrowser: "This browser is too old for the engine, which needs one of 2023 or later.",
    noRoom: "The browser has no storage left for this page: it works, but not without a network.",
    closes: "It closes by itself, or with Esc.",
    badLink: (/** @type {string} */ why) => `The link cannot be read: ${why}`,
  },

  login: {
    password: "Password",
    enter: "Log in",
    leave: "Log out",
    wrong: "The password is wrong.",
    later: "Many passwords were wrong: try again in some seconds.",
    unreachable: "The engine is not reachable.",
  },

  board: {
    disc: { X: "black disc", O: "white disc" },
    legal: "legal move",
    empty: "empty",
    last: "last move",
    position: "Position",
    hint: (/** @type {number} */ score) => `hint, ${signedDiscs(score)}`,
    exact: "exact",
    depth: (/** @type {number} */ plies) => `depth ${plies}`,
    book: (/** @type {string} */ name) => (name ? `book ${name}` : "book"),
    has: (/** @type {Side} */ one, /** @type {number} */ number) => `${side[one]} has ${discs(number)}`,
    lost: (/** @type {number} */ number) => `lost ${discs(number)}`,
    aboutLost: "discs that mistakes gave away so far",
  },

  status: {
    mustPass: (/** @type {Side} */ one) => `${side[one]} has no legal move and passes.`,
    passed: (/** @type {Side} */ one) => `${side[one]} had to pass. `,
    paused: "Paused.",
    thinking: (/** @type {string} */ who) => `${who} is thinking…`,
    hint: (/** @type {string} */ move, /** @type {number} */ score, /** @type {Side} */ one) =>
      `Hint: ${move}, ${signedDiscs(score)} for ${side[one]}.`,
    yourTurn: (/** @type {Side} */ one) => `Your turn (${side[one]}).`,
    toMove: (/** @type {Side} */ one) => `${side[one]} to move.`,
    slip: (/** @type {string} */ move, /** @type {number} */ loss, /** @type {string} */ best) =>
      `In the game, ${move} lost ${discs(loss)}; ${best} was better.`,
    timeout: (/** @type {Side} */ winner, /** @type {Side} */ loser) => `${side[winner]} wins: ${side[loser]} has no time left.`,
    resigned: (/** @type {Side} */ winner, /** @type {Side} */ loser) => `${side[winner]} wins: ${side[loser]} resigned.`,
    noMove: (/** @type {string} */ why) => `The engine could not move: ${why}`,
    draw: (/** @type {number} */ black, /** @type {number} */ white) => `A draw, ${black} to ${white}.`,
    wins: (/** @type {Side} */ one, /** @type {number} */ margin, /** @type {number} */ most, /** @type {number} */ least) =>
      `${side[one]} wins by ${margin}: ${discs(most)} to ${least}.`,
    stuck: " Neither side has a move left.",
    empties: (/** @type {number} */ empty, /** @type {number} */ most, /** @type {number} */ least) =>
      ` With ${empty === 1 ? "the empty square" : `the ${empty} empty squares`} for the winner: ${most} to ${least}.`,
  },

  controls: {
    first: "First position",
    back: "One move back",
    forward: "One move forward",
    last: "Last position",
    takeBackKey: "Take back (t)",
    takeBack: "Take back",
    removeKey: "Remove (t)",
    remove: "Remove",
    hintKey: "Hint (i)",
    hint: "Hint",
    turn: "Swap top and bottom",
  },

  moves: {
    none: "No move yet.",
    label: (/** @type {number} */ ply, /** @type {Side} */ one, /** @type {string} */ name, /** @type {number} */ lost) =>
      `${ply}: ${one === "X" ? "black" : "white"} ${name}${lost ? `, lost ${discs(lost)}` : ""}`,
  },

  keys: {
    title: "Keys",
    list: [
      ["← →", "one move back or forward"],
      ["Home End", "first or last position"],
      ["Shift with an arrow", "choose a square"],
      ["Enter", "play on the chosen square"],
      ["d3", "play on a square by typing its name"],
      ["l", "go to the next legal square"],
      ["t", "take back"],
      ["i", "hint"],
      ["n", "new game, or the next puzzle"],
      ["Ctrl V, ⌘ V", "open the game, board or link that was copied"],
      ["m M", "next or previous mistake (Review)"],
      ["Esc", "close a message"],
      ["v", "show or hide the values (Learn, Edit)"],
      ["1 2 3 4 5 6", "Play, Learn, Review, Puzzles, Edit, Games"],
      ["?", "this list"],
    ],
    giveUp: "Give up the game in play for a new one?",
    goOn: "Go on playing",
  },

  play: {
    newGame: "New game",
    youPlay: "You play",
    sides: { X: "Black", O: "White", random: "Random", both: "Both", none: "Watch" },
    aboutSides: {
      X: "",
      O: "",
      random: "Black or White at random.",
      both: "Two people at one board.",
      none: "Two computers play; you watch.",
    },
    opponent: "Opponent",
    textbook: "Textbook players",
    strength: "Strength",
    depth: "Depth",
    plies: "plies",
    clock: "Clock",
    perMove: "and per move",
    minutes: (/** @type {number} */ minutes) => (minutes ? `${minutes} min` : "none"),
    seconds: (/** @type {number} */ seconds) => `${seconds} s`,
    start: "Start",
    starts: { usual: "usual start", balanced: "balanced (XOT)", random: "8 random moves" },
    noOpenings: "The openings could not be loaded: the engine is not reachable.",
    backToGame: "Back to the game",
    goOn: "Go on",
    pause: "Pause",
    resign: "Resign",
    sureToResign: "Resign this game?",
    lookAt: "Look at the game",
    atDepth: (/** @type {string} */ name, /** @type {number} */ depth) => `${name}, depth ${depth}`,
    engine: (/** @type {string} */ strength) => `othello-bot, ${strength}`,
    between: (/** @type {string} */ name, /** @type {number} */ steps) => `${name} +${steps}`,
    told: (/** @type {string} */ strength, /** @type {string} */ step) => `${strength}, ${step}`,
    rated: (/** @type {number} */ rating) => `rated ${rating}`,
    level: (/** @type {number | null} */ level) => (level === null ? "the engine at level 21, or by the clock" : `the engine at level ${level}`),
    /** @type {Record<string, string>} */
    strengths: {
      beginner: "beginner",
      novice: "novice",
      casual: "casual",
      hobbyist: "hobbyist",
      club: "club",
      strong: "strong",
      expert: "expert",
      master: "master",
      grandmaster: "grandmaster",
      champion: "champion",
    },
    /** @type {Record<string, string>} */
    strategies: {
      random: "any legal move",
      difference: "takes the most discs now",
      weighted: "takes the best weighted squares now",
      modified: "weighted squares that know taken corners",
      mobility: "takes what leaves it the most moves",
      "potential-mobility": "takes what leaves it the most empty squares beside opposing discs",
      minimax: "looks at every line of play",
      alphabeta: "minimax without the lines that cannot matter",
      static: "alpha-beta that tries heavy squares first",
      sorted: "alpha-beta that tries well evaluated moves first",
      killer: "alpha-beta with killer moves and recycled boards",
      iago: "Norvig's Iago: mobility, potential mobility and edge stability",
      "mini-othello": "Li and Radichkov's Mini-Othello",
      marappan: "Marappan and Hingorani's Reversi",
      textbook: "alpha-beta with the textbook techniques as switches",
    },
  },

  learn: {
    values: "Values on the board",
    depth: "How deep",
    level: (/** @type {number} */ level) => (level > 60 ? "unlimited" : level < 7 ? `level ${level}, at once` : `level ${level}`),
    lines: "Best moves",
    byTouch: "Touch a line, or hold a square, to see it played out; touch the line again to play its move.",
    guess: "Guess the best move, then show the values.",
    over: "The game is over. Step back to see the values.",
    searched: (/** @type {string} */ reached) => `Searched: ${reached}`,
    searching: (/** @type {string} */ reached) => `Searching: ${reached}`,
    solved: "solved",
    reached: (/** @type {string} */ depth, /** @type {string} */ certainty) => `depth ${depth}${certainty ? ` at ${certainty}` : ""}`,
    speed: (/** @type {number} */ millions) => ` · ${millions.toFixed(1)} M positions/s`,
    line: (/** @type {string} */ move, /** @type {number} */ score, /** @type {string} */ rest) =>
      `${move}, ${signedDiscs(score)}; then ${rest}`,
    people: "People",
    peoplePlay: "What people play",
    rated: (/** @type {number} */ rating, /** @type {boolean} */ most) => (rating ? `rated ${rating}${most ? "+" : ""}` : "not shown"),
    share: (/** @type {number} */ part) => (part < 0.005 ? "<1 %" : share(part)),
    /** Names of openings whose names differ from the engine's. @type {Record<string, string>} */
    openings: {},
  },

  played: {
    heading: "Games played",
    moves: "Moves that were played",
    games: "Games that reach the position",
    more: "More games",
    again: "The first games again",
    view: (/** @type {Side} */ one) => `Bars: games that ${side[one]} won, drew and lost`,
    none: (/** @type {boolean} */ filtered) => `No game of the base ${filtered ? "that fits the filters " : ""}reaches this position.`,
    noBase: "The server has no base of games; start it with --base-file to see what was played.",
    wrong: "These filters are not understood. Years and ratings are 1999, 1990-1999 or 2010-.",
    broken: "The server cannot read its base of games.",
    total: (/** @type {number} */ games) => counted(games, "game"),
    count: (/** @type {number} */ games) => games.toLocaleString("en"),
    percent: (/** @type {number} */ percent) => (percent > 0 && percent < 0.5 ? "<1 %" : `${percent.toFixed(0)} %`),
    row: (/** @type {import("./types").PlayedMove} */ { move, games, won, drawn, lost }) =>
      `${move}: ${counted(games, "game")}, ${won} won, ${drawn} drawn, ${lost} lost`,
    result: (/** @type {number} */ black) => `${32 + black / 2}–${32 - black / 2}`,
    /** @type {(winner: string | null) => string} */
    winner: (winner) => (winner ? (winner === "black" ? "1–0" : "0–1") : "?"),
    player: "player",
    opponent: "opponent",
    years: "years: 1990-1999",
    rating: "both rated: 1800-",
    event: "event",
    choose: "which games",
    /** @type {Record<string, string>} */
    colors: { "": "either colour", black: "as Black", white: "as White" },
    /** @type {Record<string, string>} */
    results: { "": "any result", black: "Black won", white: "White won", draw: "draw", unknown: "result unknown" },
    /** @type {Record<string, string>} */
    between: { "": "people and programs", people: "people alone", programs: "programs alone", both: "person against program" },
    /** @type {Record<string, string>} */
    orders: { newest: "newest first", strongest: "strongest first" },
  },

  graph: {
    label: "Evaluation over the game",
    start: "start",
    after: (/** @type {string} */ move) => (move ? `after ${move}` : "after a pass"),
    forBlack: (/** @type {string} */ place, /** @type {number} */ score) => `${place}: ${signed(score)} for Black`,
    ahead: { X: "Black ahead", O: "White ahead" },
  },

  review: {
    depth: "Depth",
    level: (/** @type {number} */ level) => (level < 9 ? `level ${level}, at once` : `level ${level}`),
    again: "Review again",
    progress: "Progress of the review",
    slips: "Moves that lost discs",
    nextMistake: "Next mistake",
    previousMistake: "Previous mistake",
    mistake: (/** @type {number} */ number, /** @type {number} */ all) => `${number} of ${all}`,
    both: "Both",
    judged: (/** @type {number} */ done, /** @type {number} */ total) => `${done} of ${counted(total, "move")} judged`,
    failed: "The game could not be reviewed.",
    noSlips: "No move lost a disc.",
    foundSlips: (/** @type {number} */ slips) => `${counted(slips, "move")} lost discs. Choose one to see its position, and again to see the better line played out.`,
    card: (/** @type {number} */ ply, /** @type {Side} */ one, /** @type {string} */ move, /** @type {number} */ loss, /** @type {string} */ best, /** @type {string} */ line) =>
      `Move ${ply}, ${side[one]} ${move}: ${loss ? `lost ${discs(loss)}, ${best} was better; ` : ""}then ${line}`,
    notes: {
      few_find: (/** @type {number} */ rating, /** @type {Judged} */ { found_by: found }) =>
        `only ${share(found)} of players rated ${rating} find this`,
      few_find_best: (/** @type {number} */ rating, /** @type {Judged} */ { found_by: found, best }) =>
        `only ${share(found)} of players rated ${rating} find ${best}`,
      many_make: (/** @type {number} */ rating, /** @type {Judged} */ { played_by: played, found_by: found, best, grade }) =>
        `${share(played)} of players rated ${rating} make this ${grade}; ${share(found)} find ${best}`,
    },
    looks: (/** @type {string} */ name, /** @type {number} */ rating, /** @type {number} */ error) =>
      `${name} ${name === you ? "play" : "plays"} like a player rated ${rating} ± ${error}.`,
    grades: { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
    grade: (/** @type {number} */ one, /** @type {number} */ two, /** @type {number} */ three) =>
      `${one} inaccurac${one === 1 ? "y" : "ies"}, ${counted(two, "mistake")}, ${counted(three, "blunder")}`,
    heads: ["All", "Opening", "Midgame", "Endgame", "Lost", "Slips"],
    caption: "Accuracy by phase",
    aboutSlips: "; slips: inaccuracies · mistakes · blunders",
    captionEnd: ".",
  },

  reading: {
    title: "Open a game",
    paste: "Paste a game",
    example: "Paste a game: f5d6c3d3c4…, GGF, SGF, PGN, a board, a link",
    file: "Open a file…",
    about:
      "Or press Ctrl-V (⌘V) or drop files anywhere on the page: transcripts, GGF, SGF, PGN, WTHOR (with its .jou and .trn), OBF, Othello Quest.",
    failed: (/** @type {string} */ why) => `The game cannot be read: ${why}`,
    games: "Games",
    find: "Find a player, event or year",
    findShort: "find a player, event, year",
    count: (/** @type {number} */ games, /** @type {boolean} */ more) => `${more ? "The first " : ""}${counted(games, "game")}.`,
    position: "position",
    noBoard: (/** @type {string} */ text) => `“${text}” is not a board. Expected 64 cells of X, O and -, and the side to move, X or O.`,
    noSquare: (/** @type {number} */ number, /** @type {string} */ text) =>
      `move ${number}, “${text}”, is not a square. Expected a1 to h8, or pa for a pass.`,
    illegal: (/** @type {number} */ number, /** @type {string} */ move, /** @type {Side} */ one) =>
      `move ${number}, ${move}, is illegal for ${side[one]}.`,
    afterEnd: (/** @type {number} */ number, /** @type {string} */ move) => `move ${number}, ${move}, is after the end of the game.`,
  },

  /** What the server says, by the code of its reply. @type {Record<string, (reply: any) => string>} */
  faults: {
    password: () => "The password is needed: reload the page, and log in.",
    busy: () => "Too many uploads at a time: try again.",
    slow: ({ seconds }) => `The upload takes more than ${seconds} s to read; othello-bot convert has no time limit.`,
    unread: () => "The upload could not be read.",
    memory: () => "There is not enough memory for the games of the upload.",
    empty: () => "There is no game in it. Transcripts, GGF, SGF, PGN, WTHOR, OBF and games of Othello Quest can be read.",
    unreachable: () => "The engine is not reachable, or the file is too large.",
    input: ({ text }) => text,
  },

  edit: {
    clickOn: "Selecting a square",
    tools: { play: "Play", X: "Black", O: "White", "-": "Empty" },
    start: "Start",
    clear: "Clear",
    swap: "Swap colours",
    mirror: "Mirror",
    rotate: "Rotate",
    toMove: "To move",
    board: "Board",
    playFrom: "Play from here",
    twoPeople: "Two people",
    learnFrom: "Learn from here",
    aboutPlay: "Play for both sides. Another move at an earlier position begins a variation.",
    aboutSet: "Select a square to set it, and again to empty it. The moves so far are forgotten.",
    stuck: "Neither side has a move here.",
    expected: "Expected 64 cells of X, O and -, and the side to move: X or O.",
  },

  games: {
    title: "Kept games",
    keep: "Keep this game",
    import: "Import files…",
    export: "Export as PGN",
    backUp: "Back up",
    about: "Games played here are kept in this browser when they end. A backup holds everything; it is imported like any other file.",
    find: "Find a player, event or date",
    findShort: "find a player, event, date",
    which: "Which games",
    results: { "": "All results", X: "Black won", O: "White won", draw: "Draws", mine: "Played here" },
    more: "Show more",
    deleteThese: "Delete these…",
    delete: "Delete",
    keepOn: "Keep",
    deleteOne: (/** @type {string} */ title) => `Delete ${title}`,
    sure: (/** @type {string} */ what) => `Delete ${what} for good?`,
    number: (/** @type {number} */ games, /** @type {number} */ damaged) =>
      `${counted(games, "game")}${damaged ? ` and ${damaged} damaged entr${damaged === 1 ? "y" : "ies"}` : ""}`,
    all: (/** @type {number} */ games) => `${counted(games, "game")}.`,
    some: (/** @type {number} */ games, /** @type {number} */ all) => `${counted(games, "game")} of ${all}.`,
    kept: (/** @type {number} */ games, /** @type {number} */ double) =>
      `Kept ${counted(games, "game")}${double ? `; ${double} ${double === 1 ? "was" : "were"} there already` : ""}.`,
    keptFirst: (/** @type {number} */ games) => `Kept the first ${counted(games, "game")}; the files have more than can be read at once.`,
    reading: "Reading…",
    deleting: "Deleting…",
    unreadable: "The games could not be read.",
    notOpened: (/** @type {string} */ why) => `The game cannot be opened: ${why}`,
    gone: "it was deleted, or its entry is damaged.",
    exported: (/** @type {number} */ games) => `Exported ${counted(games, "game")}.`,
    backedUp: "Backed up.",
    notWhole: "The backup is damaged: it is incomplete.",
    damaged: (/** @type {number} */ entries) => `${entries} damaged entr${entries === 1 ? "y was" : "ies were"} left out.`,
    full: "The browser has no storage left for this page, so nothing was kept. Delete games, or free disk space.",
    newer: "The kept games were written by a newer version of othello-bot, so this one does not change them.",
    blocked: "Another tab holds the kept games of an older version: close it, then reload.",
    noStorage: (/** @type {string} */ why) => `The browser keeps no games here (${why}); a private window may be the reason.`,
    unknown: "unknown error",
  },

  practice: {
    title: "Learn from your mistakes",
    due: (/** @type {number} */ positions, /** @type {number} */ least) =>
      `${counted(positions, "position")} to practise: positions of your reviewed games in which a move lost ${discs(least)} or more.`,
    nothing: "Nothing to practise today. Review a kept game: its mistakes become exercises here.",
    begin: "Practise",
    thisGame: "Practise the mistakes of this game",
    task: (/** @type {Side} */ one, /** @type {string} */ played, /** @type {number} */ loss) =>
      `${side[one]} to move. In the game, ${played} lost ${discs(loss)}. Find a better move.`,
    right: (/** @type {string} */ move, /** @type {number} */ behind) =>
      `Right: ${move}${behind ? `, ${discs(behind)} behind the best move` : ""}.`,
    best: (/** @type {string} */ move) => `${move} was best.`,
    again: (/** @type {number} */ days) => `It comes again in ${counted(days, "day")}.`,
  },

  exercise: {
    place: (/** @type {number} */ number, /** @type {number} */ all) => `${number} of ${all}.`,
    moment: "One moment…",
    notYet: (/** @type {string} */ move, /** @type {number} */ behind) =>
      `Not yet: ${move} loses ${discs(behind)}. The reply is played out; try another move.`,
    answer: "Show the answer",
    next: "Next",
    done: "Done",
    study: "Values of all moves",
    stop: "Stop",
  },

  puzzles: {
    title: "Puzzles",
    about: "Endgames with one good move, solved to the end. Half of the players with a puzzle's rating find the move.",
    loading: "Loading…",
    failed: "The puzzles could not be loaded: the engine is not reachable.",
    daily: "Puzzle of the day",
    dailySolved: "Puzzle of the day: solved",
    dailyMissed: "Puzzle of the day: missed",
    next: "Next puzzle",
    again: "Missed ones again",
    rating: "Rating",
    ratings: (/** @type {number} */ low, /** @type {number} */ high) =>
      low && high ? `${low} to ${high}` : low ? `${low} and above` : high ? `below ${high}` : "all",
    score: (/** @type {number} */ solved, /** @type {number} */ missed, /** @type {number} */ all) =>
      `${solved} solved and ${missed} missed of ${all}.`,
    none: "You have tried all puzzles of these ratings.",
    wins: (/** @type {Side} */ one) => `${side[one]} to move and win. One move does it.`,
    better: (/** @type {Side} */ one) => `${side[one]} to move. One move is clearly better than all others.`,
    rated: (/** @type {number} */ rating) => `Rating ${rating}.`,
    result: (/** @type {number} */ score) => (score ? `${score > 0 ? "wins" : "loses"} by ${Math.abs(score)}` : "draws"),
    right: (/** @type {string} */ move, /** @type {string} */ result) => `Right: ${move} ${result}.`,
    notYet: (/** @type {string} */ move, /** @type {string} */ result) => `Not yet: ${move} ${result}. Try another move.`,
    best: (/** @type {string} */ move, /** @type {string} */ result) => `${move} ${result}.`,
  },

  weakness: {
    title: "Where you lose discs",
    caption: (/** @type {number} */ games) =>
      `Discs lost in a game, and moves that gave a corner away: the mean of ${games === 1 ? "one reviewed game" : `${games} reviewed games`}.`,
    heads: ["Opening", "Midgame", "Endgame", "Corners"],
    overTime: (/** @type {number} */ games, /** @type {number} */ first, /** @type {number} */ last) =>
      `Discs lost in each of ${games} games, oldest first: from ${discs(first)} to ${discs(last)}.`,
  },

  share: {
    moves: "Moves",
    noMove: "(no move yet)",
    link: "Link",
    anyLink: "For any server",
    position: "Position",
    gameAs: "Game as",
    pictureAs: "Picture of the board as",
    copy: "Copy",
    copyOf: (/** @type {string} */ label) => `Copy: ${label}`,
    copyAs: (/** @type {string} */ format) => `Copy ${format}`,
    saveAs: (/** @type {string} */ format) => `Save .${format}`,
    failed: "The game could not be written.",
    copied: "Copied.",
    notCopied: "The browser does not allow copying: select the text and copy it.",
    saved: (/** @type {string} */ name) => `Saved as ${name}.`,
  },
};
