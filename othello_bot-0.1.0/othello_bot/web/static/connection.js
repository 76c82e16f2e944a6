// The connection to the engine: questions with replies, asked again after a reconnection.

import { ALONE, canRunEngine, engineWorker } from "./alone.js";
import { words } from "./words.js";

/** @typedef {import("./types").Reply} Reply */

const PAUSES_MS = [250, 500, 1000, 2000];

/** Kinds of replies after which more will come. */
const GOES_ON = (/** @type {Reply} */ reply) => (reply.kind === "values" && !reply.done) || reply.kind === "judged";

const EDITION = "othello-bot edition";

/** Load the page anew if the server that answers has another edition of its files: what the page would load later is not
 * there. Once for each edition, whatever lies between the two. @param {string} edition */
function renew(edition) {
  if (import.meta.url.includes(`/${edition}/`)) return;
  try {
    if (sessionStorage.getItem(EDITION) === edition) return;
    sessionStorage.setItem(EDITION, edition);
    location.reload();
  } catch {
    // A browser that keeps nothing would lose the game.
  }
}

/** Milliseconds between two signs of life of the worker, and the number of those that may fail to come at first. It has none while
 * it reads a file. */
const PULSE_MS = 3000;
const MOST_MISSED = 5;

/** How many times as many may fail to come while the worker loads the engine. */
const LOADS = 4;

/** Workers that may be lost with the same question. */
const MOST_LOSSES = 3;

/** Load the page anew, which asks for the password, if a server that was started again has forgotten this browser. */
async function logInAgain() {
  try {
    const answer = await fetch("login");
    if ((await answer.json()).needed) location.reload();
  } catch {
    // The server is not there.
  }
}

/** Forget the password that this browser gave: all its tabs ask for it again. */
export async function logOut() {
  try {
    await fetch("login", { method: "DELETE" });
  } catch {
    // The server is not there, and forgets all browsers when it ends.
  }
  location.reload();
}

/** The connection to a worker, which reads files, too; null with a server. @type {Connection | null} */
let alone = null;

export class Connection {
  /** @param {(connected: boolean, locked?: boolean) => void} changed called with each greeting of the server, which says
   * whether it has a password, and each end
   * @param {() => void} whole called each time that a worker has loaded all of the engine */
  constructor(changed, whole) {
    this.changed = changed;
    this.whole = whole;
    /** @type {Map<number, { message: object, answer: (reply: Reply) => void, losses: number }>} */
    this.open = new Map();
    this.number = 0;
    this.failures = 0;
    /** Signs of life that the worker may miss; twice as many each time that it was given up, because the machine may be busy, and
     * one less with each that comes. */
    this.patience = MOST_MISSED;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Map<number, { games: string, answer: (reply: Reply) => void, losses: number }>} */
    this.uploads = new Map();
    alone = ALONE ? this : null;
    this.connect();
  }

  connect() {
    if (ALONE) {
      if (canRunEngine()) this.begin();
      return;
    }
    const socket = new WebSocket(new URL("tab", location.href).href.replace(/^http/, "ws"));
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.failures = 0;
      for (const { message } of this.open.values()) socket.send(JSON.stringify(message));
    });
    socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      this.changed(false);
      setTimeout(() => this.connect(), PAUSES_MS[Math.min(this.failures, PAUSES_MS.length - 1)]);
      this.failures += 1;
      logInAgain();
    });
  }

  /** Begin the engine in a worker. One that is lost begins anew, and is asked again what it has not answered. */
  begin() {
    const worker = engineWorker();
    this.worker = worker;
    let missed = 0;
    let pulse = 0;
    let made = false;
    const lost = () => {
      if (this.worker !== worker) return;
      clearInterval(pulse);
      if (made) this.giveUp();
      worker.terminate();
      this.worker = null;
      this.changed(false);
      setTimeout(() => this.connect(), PAUSES_MS[Math.min(this.failures, PAUSES_MS.length - 1)]);
      this.failures += 1;
    };
    const beat = () => {
      missed = this.uploads.size ? 0 : missed + 1;
      if (missed > this.patience * (made ? 1 : LOADS)) {
        this.patience *= 2;
        lost();
      } else worker.postMessage({ pulse: true });
    };
    worker.addEventListener("error", lost);
    worker.addEventListener("message", ({ data }) => {
      missed = 0;
      if (typeof data === "string") {
        const reply = JSON.parse(data);
        if (reply.kind === "hello") this.failures = 0;
        else made = true;
        pulse ||= window.setInterval(beat, PULSE_MS);
        this.receive(reply);
      } else if (data.pulse) {
        this.patience = Math.max(MOST_MISSED, this.patience - 1);
      } else if (data.whole) {
        made = true;
        this.whole();
      } else if (data.failed) {
        console.error(data.failed);
        lost();
      } else {
        this.uploads.get(data.id)?.answer(JSON.parse(data.reply));
        this.uploads.delete(data.id);
      }
    });
    for (const { message } of this.open.values()) worker.postMessage(JSON.stringify(message));
    for (const [id, { games }] of this.uploads) worker.postMessage({ games, id });
  }

  /** Answer what was asked each time that the worker was lost: it may be the reason. */
  giveUp() {
    const error = { kind: /** @type {const} */ ("error"), code: "unread" };
    for (const asked of [this.open, this.uploads]) {
      for (const [id, one] of asked) {
        one.losses += 1;
        if (one.losses < MOST_LOSSES) continue;
        asked.delete(id);
        one.answer({ ...error, id });
      }
    }
  }

  /** The games of an upload, read by the worker. @param {string} games @returns {Promise<Reply>} */
  upload(games) {
    return new Promise((answer) => {
      this.number += 1;
      this.uploads.set(this.number, { games, answer, losses: 0 });
      this.worker?.postMessage({ games, id: this.number });
    });
  }

  /** @param {Reply} reply */
  receive(reply) {
    if (reply.kind === "hello") {
      this.changed(true, reply.locked);
      renew(reply.edition);
      return;
    }
    const question = this.open.get(reply.id ?? -1);
    if (!question) return;
    if (!GOES_ON(reply)) this.open.delete(reply.id ?? -1);
    question.answer(reply);
  }

  /** Ask the engine; `answer` is called with each reply. Return a function that withdraws the question.
   * @param {object} message @param {(reply: Reply) => void} answer @returns {() => void} */
  ask(message, answer) {
    this.number += 1;
    const id = this.number;
    const whole = { ...message, id };
    this.open.set(id, { message: whole, answer, losses: 0 });
    this.send(whole);
    return () => {
      if (this.open.delete(id)) this.send({ do: "stop", id });
    };
  }

  /** @param {object} message */
  send(message) {
    this.worker?.postMessage(JSON.stringify(message));
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

/** What an error of the server says in the page's language. @param {Reply} reply @param {string} otherwise if it says nothing */
export function fault(reply, otherwise) {
  const said = words.faults[reply.code ?? ""];
  const text = said ? said(reply) : (reply.text ?? otherwise);
  return reply.file ? `${reply.file}: ${text}` : text;
}

/** The games of files, read by the server one after the other; a WTHOR base with the files of names among them.
 * An error names its file. @param {File[]} files @returns {Promise<Reply>} */
export async function readGames(files) {
  const names = files.filter((file) => /\.(jou|trn)$/i.test(file.name));
  const others = files.filter((file) => !names.includes(file));
  if (others.length < 2) return post(files);
  /** @type {import("./types").Listed[]} */
  let games = [];
  let more = false;
  for (const file of others) {
    const reply = await post(/\.wtb$/i.test(file.name) ? [file, ...names] : [file]);
    if (reply.kind !== "games") return { ...reply, file: file.name };
    games = games.concat(reply.games);
    more ||= reply.more;
  }
  return { kind: "games", games, more };
}

/** The games of a file. @param {File[]} files it, and files of names @returns {Promise<Reply>} */
async function post(files) {
  const parts = await Promise.all(files.map(async (file) => ({ name: file.name, base64: await base64(file) })));
  try {
    const body = JSON.stringify({ files: parts });
    if (alone) return await alone.upload(body);
    const answer = await fetch("games", { method: "POST", body });
    return await answer.json();
  } catch {
    return { kind: "error", code: "unreachable" };
  }
}

/** @param {Blob} file @returns {Promise<string>} */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
