// The door: loading, the first time, and the way in.

import { givePassphrase, work } from "/server.js";
import { button, field, h, sayError, show, svg, t } from "/parts.js";

/** How a command ends whose question nobody answered. */
const declined = 9;

export function loading() {
  show(h("main", { class: "door" }, h("p", { class: "quiet" }, t("loading"))));
  return {};
}

/** There is no diary yet. Neither passphrase nor recovery code is asked for or shown on a page. */
export function first() {
  const { terminal, pinentry } = door.means;
  const canMake = terminal || pinentry;
  const note = h("p", { class: "quiet", role: "status" });
  const make = canMake
    ? button(t("firstMake"), async () => {
      make.disabled = true;
      note.textContent = t(terminal ? "firstAtTerminal" : "firstInDialog");
      try { await work("make"); } catch (error) { sayError(error); make.disabled = false; }
    }, { class: "first" })
    : h("code", { class: "command" }, t("firstMakeCommand"));
  const back = bringBack();
  show(h("main", { class: "door" },
    h("h1", {}, t("firstTitle")), h("p", {}, t("firstText")),
    canMake ? null : h("p", {}, t("firstNoTerminal")), make, back.element, note,
    h("p", { class: "quiet" }, t(door.means.camera ? "enrolInSettings" : "enrolNote"))));
  return {
    follow(state) {
      if (canMake && !state.work) make.disabled = false;
      if (state.work === "bringBack" || state.work === "bringBackByCode") note.textContent = state.said || t("busy");
      const ended = state.work ? null : state.ended;
      if (ended?.work === "make" && ended.exitCode !== 0) note.textContent = ended.words.split("\n").at(-1) || t("failed");
      back.follow(state, note);
    },
  };
}

/** How a diary comes back from a backup on a machine that has none. */
function bringBack() {
  const pinentry = door.means.pinentry;
  const folder = h("input", { type: "text", maxLength: 2000, required: true, placeholder: "/media/…" });
  const secret = h("input", { type: "password", maxLength: 1024, required: true });
  const byCode = h("input", { type: "checkbox", onchange: draw });
  const typed = field("", secret);
  const submit = h("button", { type: "submit" }, t("firstRestoreNow"));
  const choose = button(t("chooseFolder"), () => work("chooseFolder").catch(sayError));
  let seen = 0;
  const element = h("details", {}, h("summary", {}, t("firstRestore")),
    h("form", { class: "passphrase", onsubmit: go }, h("p", { class: "quiet" }, t("firstRestoreText")),
      field(t("firstRestoreFolder"), folder), door.means.folderDialog ? choose : null,
      h("label", { class: "check" }, byCode, t("doorForgot")), typed, submit));

  function draw() {
    typed.firstChild.textContent = t(byCode.checked ? "doorCode" : "doorPassphrase");
    // A dialog of the desktop asks for a passphrase.
    typed.hidden = secret.disabled = pinentry && !byCode.checked;
  }

  async function go(event) {
    event.preventDefault();
    const text = secret.value;
    secret.value = "";
    try {
      await work(byCode.checked ? "bringBackByCode" : "bringBack", folder.value.trim(), !typed.hidden);
      if (!typed.hidden) await givePassphrase(text);
    } catch (error) { sayError(error); }
  }

  draw();
  return {
    element,
    follow({ work, ended }, note) {
      submit.disabled = choose.disabled = Boolean(work);
      if (work || !ended || ended.number === seen) return;
      seen = ended.number;
      if (ended.work === "chooseFolder") folder.value = ended.output.trim() || folder.value;
      else if (ended.work.startsWith("bringBack") && ended.exitCode !== 0) note.textContent = ended.words || t("failed");
    },
  };
}

/** The diary is closed. */
export function door() {
  const { camera } = door.means;
  const pinentry = door.means.pinentry && !door.typesHere;
  const circle = h("div", { class: "circle", "aria-hidden": "true" }, svg("svg", { viewBox: "0 0 64 64" },
    svg("circle", { cx: 32, cy: 24, r: 11 }), svg("path", { d: "M12 54c2-12 10-17 20-17s18 5 20 17" })));
  const status = h("p", { class: "status", role: "status" });
  const tries = h("p", { class: "quiet" });
  const note = h("p", { class: "before", role: "status", tabIndex: -1, hidden: !door.before }, door.before ?? "");
  const isInterrupted = Boolean(door.before);
  door.before = null;
  const look = button(t("doorFace"), () => open("unlock"), { class: "first" });
  const secret = h("input", { type: "password", maxLength: 1024, required: true });
  const submit = h("button", { type: "submit" }, t("doorOpen"));
  const asked = h("div", { class: "asked" }, button(t("doorPinentry"), () => open("openByPassphrase")),
    button(t("doorTypeHere"), () => { door.typesHere = true; asked.replaceWith(typed); secret.focus(); }, { class: "plain" }));
  const typed = h("form", { class: "passphrase", onsubmit: give }, field(t("doorPassphrase"), secret), submit,
    h("p", { class: "quiet" }, t(pinentry ? "doorSeesTyping" : "doorPageField")));
  const form = pinentry ? asked : typed;
  const code = h("input", { type: "password", maxLength: 200, required: true });
  const withCode = h("form", { class: "passphrase", hidden: true, onsubmit: giveCode }, field(t("doorCode"), code), h("button", { type: "submit" }, t("doorOpen")));
  const forgot = button(t("doorForgot"), () => { withCode.hidden = false; forgot.hidden = true; code.focus(); }, { class: "plain" });
  let isBusy = false;

  async function open(way) {
    if (isBusy) return;
    try { await work(way); } catch (error) { sayError(error); }
  }

  async function give(event) {
    event.preventDefault();
    if (isBusy || !secret.value) return;
    const text = secret.value;
    secret.value = "";
    try { await givePassphrase(text); } catch (error) { sayError(error); }
  }

  async function giveCode(event) {
    event.preventDefault();
    if (isBusy || !code.value) return;
    const text = code.value;
    code.value = "";
    try { await work("openByCode", undefined, true); await givePassphrase(text); } catch (error) { sayError(error); }
  }

  show(h("main", { class: "door" },
    circle, h("h1", {}, t("doorTitle")), note, status, camera ? look : null, form, tries, forgot, withCode,
    h("p", { class: "quiet", hidden: true, id: "enrol" }, t(camera ? "enrolInSettings" : "enrolNote"))));
  // Who was typing goes on for a moment: that is not to stand where the passphrase is typed.
  if (isInterrupted) note.focus();
  else (pinentry ? (camera ? look : asked.querySelector("button")) : secret).focus();

  return {
    follow(state) {
      isBusy = Boolean(state.work);
      const standing = state.standing;
      for (const control of [look, submit, secret, code]) control.disabled = isBusy;
      // A camera shows nothing to a diary that knows no face.
      look.hidden = standing?.enrolled === 0 || Boolean(standing?.lockedOut);
      circle.classList.toggle("looking", state.work === "unlock");
      if (state.work === "unlock") status.textContent = state.said || t("doorLooking");
      else if (state.work === "openByPassphrase" && asked.isConnected) status.textContent = t("doorPinentryWaits");
      else if (isBusy) status.textContent = t("busy");
      else if (state.ended?.exitCode === declined) status.textContent = t("doorDeclined");
      else if (state.ended && state.ended.exitCode !== 0) status.textContent = state.ended.words || t("failed");
      else if (standing?.retryAfter) status.textContent = t("doorWait", standing.retryAfter);
      else status.textContent = "";
      tries.textContent = !standing || !standing.enrolled ? ""
        : standing.lockedOut ? t("doorLockedOut")
        : standing.needs.includes("face") ? t("doorTriesLeft", standing.attemptsLeft) : t("doorNeedsSecret");
      document.getElementById("enrol").hidden = Boolean(standing?.enrolled);
      if (!isBusy && typed.isConnected && document.activeElement === document.body) (withCode.hidden ? secret : code).focus();
    },
  };
}
door.means = { camera: false, pinentry: false, terminal: false };
