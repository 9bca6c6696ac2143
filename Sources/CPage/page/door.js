// The door: loading, the first time, and the way in.

import { call, givePassphrase, work } from "/server.js";
import { button, field, h, sayError, show, svg, t } from "/parts.js";

/** How a command ends whose question nobody answered. */
const declined = 9;

export function loading() {
  show(h("main", { class: "door" }, h("p", { class: "quiet" }, t("loading"))));
  return {};
}

/** There is no diary yet. Neither passphrase nor recovery code is asked for or shown on a page. */
export function first() {
  const { terminal } = door.means;
  const canMake = canShowSecrets();
  const note = h("p", { class: "quiet", role: "status" });
  const byFace = h("input", { type: "checkbox", checked: true });
  const face = h("label", { class: "check" }, byFace, t("firstFace"));
  const make = canMake
    ? button(t("firstMake"), async () => {
      make.disabled = true;
      note.textContent = t(terminal ? "firstAtTerminal" : "firstInDialog");
      try { await work("make", door.means.camera && byFace.checked ? "face" : undefined); } catch (error) { sayError(error); make.disabled = false; }
    }, { class: "first" })
    : h("code", { class: "command" }, t("firstMakeCommand"));
  const camera = cameraSetup();
  // One at a time: how it went is said below all of them.
  const ways = [bringBack(), joinOther()];
  const stop = stopButton("setUpCamera", "join");
  let before = null;
  show(h("main", { class: "door" },
    h("h1", {}, t("firstTitle")), h("p", {}, t("firstText")),
    canMake ? null : h("p", {}, t("firstNoTerminal")), canMake ? face : null, make,
    ways.map((way) => way.element), camera.element, note, stop.element));
  return {
    follow(state) {
      const { work: now, ended } = state;
      face.hidden = !door.means.camera;
      if (canMake) make.disabled = Boolean(now);
      if (now && now !== before && now !== "make") note.textContent = "";
      before = now;
      if (now && now !== "chooseFolder") note.textContent = state.said || note.textContent || t("busy");
      for (const each of [...ways, camera, stop]) each.follow(now);
      if (now || !ended || ended.number === first.seen) return;
      first.seen = ended.number;
      if (ended.work === "chooseFolder") ways.forEach((way) => way.chosen(ended.output.trim()));
      else if (isStopped(ended)) note.textContent = t("stopped");
      else if (ended.exitCode !== 0) note.textContent = (ended.work === "make" ? ended.words.split("\n").at(-1) : ended.words) || t("failed");
      else if (ended.work === "setUpCamera") note.textContent = t("cameraIsSetUp");
    },
  };
}

/** Sets up a program that looks through a webcam: one button, after what it needs. */
export function cameraSetup() {
  const begin = button(t("setUpCamera"), () => work("setUpCamera").catch(sayError));
  const element = h("details", { name: "way" }, h("summary", {}, t("setUpCamera")), h("div", { class: "passphrase" }, h("p", { class: "quiet" }, t("cameraText")), begin));
  return { element, follow(now) { [element.hidden, begin.disabled] = [door.means.camera, Boolean(now)]; } };
}

/** Whether a new secret can be asked for, and a code be shown: only a dialog of the desktop or a terminal does that. */
export function canShowSecrets() {
  return door.means.terminal || door.means.pinentry;
}

/** What needs that, or the command that does it elsewhere. - make: makes it, by its label. */
export function secretly(label, command, make) {
  return canShowSecrets() ? make(t(label)) : h("p", { class: "quiet" }, t(label), ": ", t("needsDialog", command));
}

/** Whether what was done was ended by who began it. */
export function isStopped({ exitCode }) {
  return exitCode === 143 || exitCode === 130;
}

/** Ends what waits for somebody, or for a network, of some kinds. A code that the terminal shows is ended there. */
export function stopButton(...kinds) {
  const element = button(t("stop"), () => call("stop").catch(sayError), { hidden: true });
  return { element, follow(now) { element.hidden = !kinds.includes(now) || now === "invite" && door.means.terminal; } };
}

/** A folder that is typed, or chosen in a dialog of the desktop. */
export function folderField(label) {
  const folder = h("input", { type: "text", maxLength: 2000, required: true, placeholder: "/media/…" });
  let isAsked = false;
  const choose = button(t("chooseFolder"), () => { isAsked = true; work("chooseFolder").catch(sayError); });
  return {
    folder,
    elements: [field(label, folder), door.means.folderDialog ? choose : null],
    get value() { return folder.value.trim(); },
    follow(now) { choose.disabled = Boolean(now); },
    /** Whoever thinks better of it closes the dialog. */
    chosen(path) {
      if (isAsked) { folder.value = path || folder.value; folder.focus(); }
      isAsked = false;
    },
  };
}

/** How a diary comes back from a backup on a machine that has none. */
function bringBack() {
  const pinentry = door.means.pinentry;
  const from = folderField(t("firstRestoreFolder"));
  const secret = h("input", { type: "password", maxLength: 1024, required: true });
  const byCode = h("input", { type: "checkbox", onchange: draw });
  const typed = field("", secret);
  const submit = h("button", { type: "submit" }, t("firstRestoreNow"));
  const element = h("details", { name: "way" }, h("summary", {}, t("firstRestore")),
    h("form", { class: "passphrase", onsubmit: go }, h("p", { class: "quiet" }, t("firstRestoreText")),
      from.elements, h("label", { class: "check" }, byCode, t("doorForgot")), typed, submit));

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
      await work(byCode.checked ? "bringBackByCode" : "bringBack", from.value, !typed.hidden);
      if (!typed.hidden) await givePassphrase(text);
    } catch (error) { sayError(error); }
  }

  draw();
  return { element, follow(now) { submit.disabled = Boolean(now); from.follow(now); }, chosen: from.chosen };
}

/** How this machine takes part in the diary of another one. */
export function joinOther() {
  const from = folderField(t("sharedFolder"));
  const code = h("input", { type: "text", maxLength: 200, required: true, autocapitalize: "off" });
  const submit = h("button", { type: "submit" }, t("firstJoinNow"));
  const form = h("form", { class: "passphrase", onsubmit: async (event) => {
    event.preventDefault();
    const text = code.value;
    code.value = "";
    try { await work("join", from.value, true); await givePassphrase(text); } catch (error) { sayError(error); }
  } }, h("p", { class: "quiet" }, t("firstJoinText")), from.elements, field(t("pairingCode"), code), submit);
  // The new passphrase is asked for by a dialog, and the recovery code is shown by one.
  const element = h("details", { name: "way" }, h("summary", {}, t("firstJoin")),
    door.means.pinentry ? form : h("p", { class: "quiet" }, t("needsDialog", "facediary sync join")));
  return { element, follow(now) { submit.disabled = Boolean(now); from.follow(now); }, chosen: from.chosen };
}

/** The diary is closed. */
export function door() {
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
    circle, h("h1", {}, t("doorTitle")), note, status, look, form, tries, forgot, withCode,
    h("p", { class: "quiet", hidden: true, id: "enrol" }, t("enrolInSettings"))));
  look.hidden = !door.means.camera;
  // Who was typing goes on for a moment: that is not to stand where the passphrase is typed.
  if (isInterrupted) note.focus();
  else (pinentry ? (door.means.camera ? look : asked.querySelector("button")) : secret).focus();

  return {
    follow(state) {
      isBusy = Boolean(state.work);
      const standing = state.standing;
      for (const control of [look, submit, secret, code]) control.disabled = isBusy;
      // A camera shows nothing to a diary that knows no face.
      look.hidden = !door.means.camera || standing?.enrolled === 0 || Boolean(standing?.lockedOut);
      circle.classList.toggle("looking", state.work === "unlock");
      if (state.work === "unlock") status.textContent = state.said || t("doorLooking");
      else if (state.work === "openByPassphrase" && asked.isConnected) status.textContent = t("doorPinentryWaits");
      else if (isBusy) status.textContent = t("busy");
      else if (state.ended?.exitCode === declined && state.ended.work !== "join") status.textContent = t("doorDeclined");
      else if (state.ended && isStopped(state.ended)) status.textContent = t("stopped");
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
first.seen = 0;
door.means = { camera: false, pinentry: false, terminal: false };
