// The page that asks for the server's password, where it has one; the browser gets a cookie for it and opens what it wanted.

import { byId, field, write } from "./dom.js";
import { nameAll, words } from "./words.js";

nameAll();

/** Give the password to the server; say what is wrong. */
async function enter() {
  write(byId("login-error"), "");
  try {
    const answer = await fetch("login", { method: "POST", body: field("password").value });
    if (answer.ok) location.reload();
    else write(byId("login-error"), answer.status === 429 ? words.login.later : words.login.wrong);
  } catch {
    write(byId("login-error"), words.login.unreachable);
  }
  field("password").select();
}

byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});
