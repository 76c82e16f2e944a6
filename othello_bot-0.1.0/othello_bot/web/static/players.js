// The computer's players, as the engine declares them. Written by scripts/figures players; do not edit.

/** The steps of playing strength, weakest first; a step between two names has none. */
export const STRENGTHS = [
  "beginner",
  "",
  "",
  "novice",
  "",
  "casual",
  "",
  "hobbyist",
  "",
  "club",
  "",
  "",
  "strong",
  "",
  "",
  "expert",
  "",
  "",
  "master",
  "",
  "",
  "",
  "grandmaster",
  "",
  "champion",
];

/** The step of the opponent of a first visit. */
export const NEWCOMERS = 6;

/** What each step is: the rating of a person, or a level of the engine; neither: the default level. */
export const STEPS = [
  {"rating": 500, "level": null},
  {"rating": 500, "level": null},
  {"rating": 525, "level": null},
  {"rating": 610, "level": null},
  {"rating": 740, "level": null},
  {"rating": 915, "level": null},
  {"rating": 1020, "level": null},
  {"rating": 1105, "level": null},
  {"rating": 1230, "level": null},
  {"rating": 1350, "level": null},
  {"rating": 1480, "level": null},
  {"rating": 1640, "level": null},
  {"rating": 1790, "level": null},
  {"rating": 1950, "level": null},
  {"rating": null, "level": 3},
  {"rating": null, "level": 4},
  {"rating": null, "level": 5},
  {"rating": null, "level": 6},
  {"rating": null, "level": 7},
  {"rating": null, "level": 8},
  {"rating": null, "level": 9},
  {"rating": null, "level": 11},
  {"rating": null, "level": 14},
  {"rating": null, "level": 17},
  {"rating": null, "level": null},
];

/** The textbook players: name, whether they take a depth. */
export const STRATEGIES = [
  {"name": "random", "searches": false},
  {"name": "difference", "searches": false},
  {"name": "weighted", "searches": false},
  {"name": "modified", "searches": false},
  {"name": "mobility", "searches": false},
  {"name": "potential-mobility", "searches": false},
  {"name": "minimax", "searches": true},
  {"name": "alphabeta", "searches": true},
  {"name": "static", "searches": true},
  {"name": "sorted", "searches": true},
  {"name": "killer", "searches": true},
  {"name": "iago", "searches": true},
  {"name": "mini-othello", "searches": true},
  {"name": "marappan", "searches": true},
  {"name": "textbook", "searches": true},
];
