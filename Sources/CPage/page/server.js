// Talking to the program that served this page. What it gave the page stands in this module alone.

import { t } from "/parts.js";

const json = "application/json";
/** The most bytes that the program takes at once. */
const bodyLimit = 20 << 20;
let secret = "";
/** Pairs this page when it is loaded again, with its cookie, and stands in each step of its history, which this browser keeps in memory alone. */
let again = "";
let whenLost = () => {};

/** An error as the program tells it, in the reader's words. */
export class Refusal extends Error {
  constructor(answer) {
    super(answer.hint ? `${answer.message} (${answer.hint})` : answer.message);
    this.code = answer.code;
  }
}

/** Called once, when the program does not answer any more. Nothing is sent after that: somebody else may have its port by then. */
export function onLost(action) {
  whenLost = action;
}

let isLost = false;
/** When the browser last went a step back or forth. */
let stepped = -Infinity;
addEventListener("popstate", () => { stepped = performance.now(); });

/** Whether the program is still there: steps that follow one another quickly make a browser break off what is under way. */
async function isThere() {
  await new Promise((resolve) => { setTimeout(resolve, 300); });
  if (isLost || performance.now() - stepped > 2000) return false;
  // Nothing of the diary goes out to find out.
  return send("/call/wait", json, '{"seen":-1}').then((answer) => answer.ok, () => false);
}

function lose() {
  if (!isLost) {
    isLost = true;
    secret = "";
    whenLost();
  }
  return new Promise(() => {});
}

function send(path, type, body, keepalive = false) {
  return fetch(path, {
    method: "POST", body, keepalive, cache: "no-store", credentials: "same-origin", redirect: "error",
    referrerPolicy: "no-referrer", headers: { "content-type": type, "x-facediary-page": secret },
  });
}

async function post(path, type, body, keepalive = false) {
  if (isLost) return lose();
  if (typeof body === "string" && body.length > 6 << 20 && new Blob([body]).size > bodyLimit) throw new Refusal({ message: t("tooLarge") });
  let answer;
  try {
    answer = await send(path, type, body, keepalive);
  } catch {
    if (!(await isThere())) return lose();
    if (path === "/call/wait") return post(path, type, body);
    throw new Refusal({ message: t("brokenOff") });
  }
  if (answer.status === 500) throw new Refusal(await answer.json());
  if (answer.ok) return answer;
  // A page that is not known any more is over; what cannot be taken is only refused.
  if (answer.status === 403 || answer.status === 421) return lose();
  throw new Refusal({ message: t("tooLarge") });
}

/** Pairs with the program by the token in the address, which is good once, and takes it out of the address. */
export async function pair() {
  const [token, ...before] = location.hash.slice(1).split("/");
  const word = token || history.state?.again;
  // It stays until there is another one: somebody may load the page twice.
  history.replaceState(token ? null : history.state, "", "/");
  if (!word) return { isPaired: false };
  const answer = await post("/pair", json, word);
  ({ secret, again } = await answer.json());
  stands(null, true);
  // How many texts and files were lost when the page before this one ended, and how many texts were kept.
  return { isPaired: true, before: before.length ? before.map(Number) : null };
}

/** Puts a step into the browser's history, or in the place of the present one. */
export function stands(state, isReplaced = false) {
  history[isReplaced ? "replaceState" : "pushState"]({ ...state, again }, "", "/");
}

/** Asks for something by its name. */
export async function call(name, body = {}) {
  const text = JSON.stringify(body);
  // What is kept goes out although the page is going: browsers do that for small ones.
  const answer = await post("/call/" + name, json, text, name === "keep" && text.length < 15000);
  return answer.json();
}

/** The bytes of a file of an entry. */
export async function file(id, name) {
  const answer = await post("/call/file", json, JSON.stringify({ id, name }));
  return answer.blob();
}

const pieceSize = 4 << 20;

/** Brings a file, piece by piece, and answers its name for the entry that takes it. */
export async function upload(file, progress = () => {}) {
  const { upload } = await call("upload", { name: file.name || "photo", size: file.size });
  try { await pieces(upload, file, progress); } catch (error) {
    call("drop", { draft: upload }).catch(() => {});
    throw error;
  }
  return upload;
}

/** Has the program do something: open, make, sync, back up and the like. How it ended comes with the state. */
export function work(kind, word, isTyped = false) {
  return call("work", { kind, word, isTyped });
}

/** Brings a file that is to be imported. */
export async function bring(file, progress = () => {}) {
  const { name } = await call("bring", { name: file.name, size: file.size });
  await pieces(name, file, progress);
}

async function pieces(name, file, progress) {
  for (let start = 0; start < file.size; start += pieceSize) {
    let piece;
    // Not with what is sent: a folder, or a file that is gone, is no lost connection.
    try { piece = await file.slice(start, start + pieceSize).arrayBuffer(); } catch {
      throw new Refusal({ message: t("unreadableFile") });
    }
    await post("/piece/" + name, "application/octet-stream", piece);
    progress(Math.min(1, (start + pieceSize) / file.size));
  }
}

/** Gives the passphrase or the code that was typed, as it was typed. */
export async function givePassphrase(text) {
  await post("/piece/passphrase", "application/octet-stream", new TextEncoder().encode(text));
}
