// The games that the browser keeps: what a list shows of each in one store, its moves and its review in another, what is to
// be practised in a third, the puzzles that were tried in a fourth. All is on this machine, in the browser's database.

import { CHECKS, checkedGame } from "./schema.js";
import { words } from "./words.js";

/** @typedef {import("./types").Summary} Summary */
/** @typedef {import("./types").KeptGame} KeptGame */

const NAME = "othello-bot";
const VERSION = 2;

/** Records that are read, or checked, at a time, so that nobody waits for thousands. */
const PIECE = 1000;

/** The stores that hold a person's data. */
const STORES = ["summaries", "games", "tasks", "puzzles"];

/** An error whose message is for the person. */
export class StoreError extends Error {}

/** Create what a database of an older version lacks. @param {IDBDatabase} db @param {number} from its version, 0 for a new one */
function upgrade(db, from) {
  if (from < 1) {
    const summaries = db.createObjectStore("summaries", { keyPath: "id" });
    summaries.createIndex("newest", "newest");
    summaries.createIndex("print", "print", { unique: true });
    db.createObjectStore("games", { keyPath: "id" });
    db.createObjectStore("tasks", { keyPath: "id" }).createIndex("due", "due");
  }
  if (from < 2) db.createObjectStore("puzzles", { keyPath: "id" });
}

/** The result of a request. @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function got(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(inWords(request.error));
  });
}

/** The end of a transaction. @param {IDBTransaction} transaction @returns {Promise<void>} */
function done(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(inWords(transaction.error));
  });
}

/** @param {DOMException | null} error */
function inWords(error) {
  if (error?.name === "QuotaExceededError") {
    return new StoreError(words.games.full);
  }
  if (error?.name === "VersionError") {
    return new StoreError(words.games.newer);
  }
  return new StoreError(words.games.noStorage(error?.name ?? words.games.unknown));
}

/** Whether a game is kept. @param {IDBTransaction} transaction @param {number} game */
async function has(transaction, game) {
  return (await got(transaction.objectStore("games").count(game))) > 0;
}

/** Those of records that are not damaged. @param {string} name of their store @param {any[]} records */
function sound(name, records) {
  return records.map(CHECKS[name]).filter(Boolean);
}

/** When a task comes again. @param {import("./types").Task} task */
function daysOf({ gap, due }) {
  return { gap, due };
}

/** The keys of a game's tasks. @param {number} game */
function tasksOf(game) {
  return IDBKeyRange.bound(`${game} `, `${game} \uffff`);
}

/** Delete the game with a print if it is damaged, and go on. @param {IDBObjectStore[]} stores @param {string} print @param {() => void} then */
function replaceIfDamaged([summaries, games, tasks], print, then) {
  const twin = summaries.index("print").get(print);
  twin.onsuccess = () => {
    const { id } = twin.result;
    const moves = games.get(id);
    moves.onsuccess = () => {
      if (CHECKS.summaries(twin.result) && CHECKS.games(moves.result)) return;
      summaries.delete(id);
      games.delete(id);
      tasks.delete(tasksOf(id));
      then();
    };
  };
}

/** The ranges of keys that cover some of all keys and no other: one request deletes thousands.
 * @param {IDBValidKey[]} all in order @param {Set<IDBValidKey>} some @returns {IDBKeyRange[]} */
function ranges(all, some) {
  const found = [];
  for (let from = 0, to = 0; from < all.length; from = to + 1) {
    for (to = from; some.has(all[to]); ) to += 1;
    if (to > from) found.push(IDBKeyRange.bound(all[from], all[to - 1]));
  }
  return found;
}

export class Store {
  constructor() {
    /** @type {Promise<IDBDatabase> | null} */
    this.opening = null;
    /** Called when another tab has changed what is kept. @type {() => void} */
    this.changed = () => {};
    /** How many records were left out, as damaged, when each store was read last. @type {Map<string, number>} */
    this.leftOut = new Map();
    this.channel = new BroadcastChannel("othello-bot games");
    this.channel.onmessage = () => this.changed();
  }

  /** The database, opened at its first use; a failure is told, and tried again at the next one. @returns {Promise<IDBDatabase>} */
  database() {
    this.opening ??= this.open().catch((error) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  /** @returns {Promise<IDBDatabase>} */
  open() {
    return new Promise((resolve, reject) => {
      /** @type {IDBOpenDBRequest} */
      let request;
      try {
        request = indexedDB.open(NAME, VERSION);
      } catch (error) {
        reject(inWords(error instanceof DOMException ? error : null));
        return;
      }
      request.onupgradeneeded = (event) => upgrade(request.result, event.oldVersion);
      request.onblocked = () => reject(new StoreError(words.games.blocked));
      request.onerror = () => reject(inWords(request.error));
      request.onsuccess = () => {
        const db = request.result;
        // A newer page in another tab wants to change the stores: make way, and open again when something is asked for.
        db.onversionchange = () => {
          db.close();
          this.opening = null;
        };
        db.onclose = () => (this.opening = null);
        resolve(db);
      };
    });
  }

  /** @param {string[]} stores @param {IDBTransactionMode} [mode] */
  async transaction(stores, mode = "readonly") {
    return (await this.database()).transaction(stores, mode);
  }

  /** The newest summaries. @param {number} most @returns {Promise<Summary[]>} */
  async newest(most) {
    const summaries = (await this.transaction(["summaries"])).objectStore("summaries");
    return sound("summaries", await got(summaries.index("newest").getAll(null, most)));
  }

  /** All records of a store that are not damaged, in pieces. @param {string} name @returns {AsyncGenerator<any[]>} */
  async *pieces(name) {
    let range = null;
    let leftOut = 0;
    for (;;) {
      const store = (await this.transaction([name])).objectStore(name);
      const piece = await got(store.getAll(range, PIECE));
      const kept = sound(name, piece);
      leftOut += piece.length - kept.length;
      this.leftOut.set(name, leftOut);
      if (kept.length) yield kept;
      if (piece.length < PIECE) return;
      range = IDBKeyRange.lowerBound(piece[piece.length - 1].id, true);
    }
  }

  /** @param {number} id @returns {Promise<Summary | undefined>} */
  async summary(id) {
    return CHECKS.summaries(await got((await this.transaction(["summaries"])).objectStore("summaries").get(id)));
  }

  /** @param {number} id @returns {Promise<KeptGame | undefined>} */
  async game(id) {
    return CHECKS.games(await got((await this.transaction(["games"])).objectStore("games").get(id)));
  }

  /** What is to be practised on a day, the longest due first. @param {number} day @returns {Promise<import("./types").Task[]>} */
  async dueTasks(day) {
    const tasks = (await this.transaction(["tasks"])).objectStore("tasks");
    return sound("tasks", await got(tasks.index("due").getAll(IDBKeyRange.upperBound(day))));
  }

  /** Keep a task, unless its game was deleted meanwhile. @param {import("./types").Task} task */
  async putTask(task) {
    const transaction = await this.transaction(["games", "tasks"], "readwrite");
    const end = done(transaction);
    if (await has(transaction, task.game)) for (const one of sound("tasks", [task])) transaction.objectStore("tasks").put(one);
    await end;
  }

  /** Keep the results of puzzles; return how many are damaged and left out. @param {any[]} puzzles */
  async putPuzzles(puzzles) {
    const transaction = await this.transaction(["puzzles"], "readwrite");
    const end = done(transaction);
    const kept = sound("puzzles", puzzles);
    for (const puzzle of kept) transaction.objectStore("puzzles").put(puzzle);
    await end;
    return puzzles.length - kept.length;
  }

  /** Replace the tasks of a game by those of its new review; those that stay keep their days. A game that was deleted meanwhile
   * has none. @param {number} game @param {import("./types").Task[]} tasks */
  async renewTasks(game, tasks) {
    const transaction = await this.transaction(["games", "tasks"], "readwrite");
    const end = done(transaction);
    const store = transaction.objectStore("tasks");
    const range = tasksOf(game);
    const known = new Map(sound("tasks", await got(store.getAll(range))).map((task) => [task.id, task]));
    store.delete(range);
    const kept = await has(transaction, game);
    for (const task of kept ? tasks : []) store.put(known.get(task.id)?.moves === task.moves ? { ...task, ...daysOf(known.get(task.id)) } : task);
    await end;
  }

  /** Keep games, each once: those that are kept already, and what is damaged, are left out. Nothing is kept if the storage is full.
   * Return the ids of the new ones, the number of those kept already, and how much was damaged.
   * @param {any[]} records @returns {Promise<{ ids: number[], double: number, damaged: number }>} */
  async add(records) {
    /** @type {import("./types").Kept[]} */
    const sound = [];
    let damaged = 0;
    for (const [index, record] of records.entries()) {
      const checked = checkedGame(record);
      damaged += checked.damaged;
      if (checked.kept) sound.push(checked.kept);
      if (index % PIECE === PIECE - 1) await new Promise((go) => setTimeout(go));
    }
    const transaction = await this.transaction(STORES, "readwrite");
    const end = done(transaction);
    const [summaries, games, tasks] = STORES.map((name) => transaction.objectStore(name));
    const last = await got(summaries.openKeyCursor(IDBKeyRange.upperBound(Number.MAX_SAFE_INTEGER), "prev"));
    let id = Number(last?.key ?? 0);
    /** @type {number[]} */
    const ids = [];
    for (const { summary, game, tasks: exercises = [] } of sound) {
      id += 1;
      const own = id;
      const follow = () => {
        ids.push(own);
        games.put({ ...game, id: own });
        for (const task of exercises) tasks.put({ ...task, game: own, id: `${own} ${task.id.split(" ")[1]}` });
      };
      const request = summaries.add({ ...summary, id: own });
      request.onsuccess = follow;
      request.onerror = (event) => {
        if (request.error?.name !== "ConstraintError") return;
        event.preventDefault(); // the same game again
        event.stopPropagation();
        replaceIfDamaged([summaries, games, tasks], summary.print, () => (summaries.add({ ...summary, id: own }).onsuccess = follow));
      };
    }
    await end;
    this.tell();
    return { ids, double: sound.length - ids.length, damaged };
  }

  /** Change a kept game. @param {number} id @param {Partial<Summary>} summary @param {Partial<KeptGame>} game */
  async change(id, summary, game) {
    const transaction = await this.transaction(["summaries", "games"], "readwrite");
    const end = done(transaction);
    for (const [name, fields] of /** @type {const} */ ([["summaries", summary], ["games", game]])) {
      const store = transaction.objectStore(name);
      const record = await got(store.get(id));
      for (const whole of sound(name, record ? [{ ...record, ...fields }] : [])) store.put(whole);
    }
    await end;
    this.tell();
  }

  /** Delete games, with what is to be practised from them. @param {Set<number>} ids */
  async remove(ids) {
    const transaction = await this.transaction(STORES, "readwrite");
    const end = done(transaction);
    const [summaries, games, tasks] = STORES.map((name) => transaction.objectStore(name));
    for (const range of ranges(await got(summaries.getAllKeys()), ids)) {
      summaries.delete(range);
      games.delete(range);
    }
    for (const task of await got(tasks.getAll())) if (ids.has(task.game)) tasks.delete(task.id);
    await end;
    this.tell();
  }

  /** Delete all games, damaged ones too, and what is to be practised. */
  async removeAll() {
    const transaction = await this.transaction(STORES, "readwrite");
    const end = done(transaction);
    for (const name of ["summaries", "games", "tasks"]) transaction.objectStore(name).clear();
    await end;
    this.tell();
  }

  /** Tell the other tabs that something has changed. */
  tell() {
    this.channel.postMessage("changed");
  }

  /** Ask the browser to keep the games for good; return whether it will. */
  async persist() {
    return (await navigator.storage?.persist?.().catch(() => false)) ?? false;
  }
}
