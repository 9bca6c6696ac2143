// The one place that decides which screen is shown: it follows the state of the diary.

import { call, onLost, pair } from "/server.js";
import { app, h, hasFiles, say, show, speak, t } from "/parts.js";
import { door, first, loading } from "/door.js";
import { diary } from "/timeline.js";
import { shared } from "/shared.js";
import { keepAll } from "/write.js";

/** The words of a dialog that may ask. It stands on every screen. */
const dialogWords = h("p", { class: "dialog-words", role: "status", hidden: true });
document.body.append(dialogWords);

let shown = "";
let screen = null;
let entriesSeen = 0;

/** Nothing of the diary stays: not on the page, and not in what the browser could go back to. */
function wipe(text) {
  onpopstate = null;
  screen = null;
  for (const dialog of document.querySelectorAll("dialog")) dialog.remove();
  document.getElementById("said").replaceChildren();
  dialogWords.hidden = true;
  // A page that was never let in has no words yet.
  const title = t("closed") === "closed" ? "FaceDiary" : t("closed");
  show(h("main", { class: "door" }, h("h1", {}, title), h("p", {}, text)));
  document.title = "FaceDiary";
}

onLost(() => wipe(t("pageOver") === "pageOver"
  ? "This window has ended. Close it, and run facediary window again." : t("pageOver")));

/** The session has ended: what is half typed is kept, and the page begins anew, with another secret. */
async function leave() {
  const lost = await keepAll();
  const { token } = await call("leave");
  wipe(t("closedMeanwhile"));
  // The page that comes says what happened, until somebody has read it.
  location.hash = [token, lost.texts, lost.files, lost.kept].join("/");
  location.reload();
}

function route(state) {
  if (state.isEnding) return leave();
  door.means.camera = state.camera;
  dialogWords.hidden = !state.dialog;
  dialogWords.textContent = state.dialog ? t("dialogWords", state.dialog) : "";
  // A diary without faces is still to be enrolled; its passphrase opens it.
  if (state.state === "onboarding" && state.standing?.hasDiary) state.state = "authentication";
  if (state.state !== shown) {
    const made = { make: "made", join: "firstJoined", bringBack: "firstRestored", bringBackByCode: "firstRestored" }[state.ended?.work];
    if (shown === "onboarding" && made && state.ended.exitCode === 0) door.before = t(made);
    shown = state.state;
    entriesSeen = state.changes;
    switch (state.state) {
      case "onboarding": screen = first(); break;
      case "authentication": screen = door(); break;
      case "authenticated": screen = diary(); break;
      default: screen = loading();
    }
  }
  screen?.follow?.(state);
  if (state.changes !== entriesSeen) {
    entriesSeen = state.changes;
    screen?.refresh?.();
  }
}

async function begin() {
  const { isPaired, before } = await pair();
  if (!isPaired) {
    wipe(document.documentElement.lang === "ja"
      ? "ページが再読み込みされたため、日記に接続できません。閉じてから、もう一度 facediary window を実行してください。"
      : "This page was reloaded and can no longer reach the diary. Close it, and run facediary window again.");
    return;
  }
  const hello = await call("hello");
  speak(hello);
  door.means = hello;
  if (before) {
    const [texts, files, kept] = before;
    door.before = [t("closedMeanwhile"), texts ? t("textsLost", texts) : kept ? t("textsKept") : "", files ? t("filesLost", files) : ""].filter(Boolean).join("\n");
  }
  shared.begins = hello.writes;
  shared.fileLimit = hello.fileLimit;
  shared.sizeLimit = hello.sizeLimit;
  show(h("main", { class: "door" }, h("p", { class: "quiet" }, t("loading"))));
  let seen = 0;
  for (;;) {
    const state = await call("wait", { seen });
    seen = state.version;
    try {
      await route(state);
    } catch (error) {
      say(error.message);
    }
    if (state.isEnding) return;
  }
}

// What is half typed is kept when nobody looks at it any more.
addEventListener("visibilitychange", () => { if (document.hidden) keepAll(); });
addEventListener("pagehide", () => { keepAll(); });
addEventListener("blur", () => { keepAll(); });
// Files that are dropped beside a place for them would replace the page.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => { if (hasFiles(event)) event.preventDefault(); });
// A page that is loaded again has lost the files that were just added: no key does that by accident.
addEventListener("keydown", (event) => {
  if (event.key === "F5" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "r")) event.preventDefault();
});

// A button that is drawn anew between press and release gets no click from the browser: the one in its place does.
let pressed = null;
addEventListener("mousedown", (event) => { pressed = event.button === 0 ? event.target.closest?.("button") : null; }, true);
addEventListener("mouseup", (event) => {
  const before = pressed;
  pressed = null;
  if (event.button !== 0 || !before || before.isConnected) return;
  const now = event.target.closest?.("button");
  if (now && now.textContent === before.textContent && now.ariaLabel === before.ariaLabel) now.click();
}, true);

// Using the page is use of the session, and so is reading: it is told now and then.
let told = 0;
function isUsed() {
  // Every 20 seconds, and often enough where the diary closes sooner.
  const often = Math.min(20000, ((shared.state?.idle ?? 60) * 1000) / 4);
  if (shown === "authenticated" && Date.now() - told > often) {
    told = Date.now();
    call("awake").catch(() => {});
  }
}
for (const kind of ["keydown", "pointerdown", "wheel", "touchmove"]) addEventListener(kind, isUsed, { passive: true, capture: true });

app().setAttribute("data-ready", "");
begin();
