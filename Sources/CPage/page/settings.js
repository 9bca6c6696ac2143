// What keeps the diary: backups, import and export, faces, ways in. What only an owner may do asks for the passphrase, each time.

import { bring, call, givePassphrase, work } from "/server.js";
import { ask, button, dateWords, field, h, instantWords, say, sayError, sign, t } from "/parts.js";
import { cameraSetup, door, folderField, secretly, stopButton } from "/door.js";
import { shared } from "/shared.js";

/** Asks for the passphrase in the page; resolves to null when somebody thinks better of it. */
function askPassphrase() {
  return new Promise((resolve) => {
    const secret = h("input", { type: "password", maxLength: 1024, required: true });
    const before = document.activeElement;
    const dialog = h("dialog", { "aria-label": t("ownerAsk"), onclose: () => {
      const text = dialog.returnValue === "yes" ? secret.value : "";
      secret.value = "";
      dialog.remove();
      before?.focus?.();
      resolve(text || null);
    } },
      h("form", { onsubmit: (event) => { event.preventDefault(); dialog.close("yes"); } },
        h("p", {}, t("ownerAsk")), field(t("doorPassphrase"), secret), h("p", { class: "quiet" }, t("doorPageField")),
        h("div", { class: "choices" }, button(t("cancel"), () => dialog.close("no")), h("button", { type: "submit", class: "first" }, t("open")))));
    document.body.append(dialog);
    dialog.showModal();
    secret.focus();
  });
}

/** What only an owner may do: a dialog of the desktop asks for the passphrase, where there is one, else the page. */
async function asOwner(kind, word) {
  if (door.means.pinentry) return work(kind, word);
  const secret = await askPassphrase();
  if (!secret) return;
  await work(kind, word, true);
  await givePassphrase(secret);
}

export async function settingsScreen(actions) {
  const status = h("p", { class: "status", role: "status" });
  const controls = [];
  let isBusy = false;
  /** The button that began what is under way: it has the keyboard again when that is done. */
  let pressed = null;
  const act = (label, action, properties) => {
    const control = button(label, async () => {
      pressed = control;
      // The next state enables it again.
      control.disabled = true;
      status.textContent = "";
      try { await action(); } catch (error) { sayError(error); } finally { control.disabled = isBusy; }
    }, properties);
    controls.push(control);
    return control;
  };

  // MARK: Backups

  const target = folderField(t("backupFolder"));
  target.folder.value = shared.state?.backups?.folder ?? "";
  const last = h("p", { class: "quiet" });
  const backups = h("section", {}, h("h2", {}, t("backups")), h("p", {}, t("backupText")), target.elements[0], last, h("div", { class: "row-of" }, target.elements[1],
    act(t("backupNow"), () => work("backup", target.value))));

  function drawLast(state) {
    const known = state?.backups;
    last.textContent = !known ? "" : known.last ? t("backupLast", instantWords(known.last)) : t("backupNone");
  }

  // MARK: Import

  const choose = h("input", { type: "file", hidden: true, onchange: () => {
    const [file] = choose.files;
    choose.value = "";
    if (file) read(file).catch(sayError);
  } });
  const progress = h("progress", { max: 1, hidden: true, "aria-label": t("importTitle") });
  const found = h("div", { class: "found", role: "status" });

  let isReading = false;

  async function read(file) {
    shared.ends.delete("preview");
    found.replaceChildren();
    [isReading, isBusy] = [true, true];
    for (const control of controls) control.disabled = true;
    progress.hidden = false;
    progress.value = 0;
    try {
      await bring(file, (done) => { progress.value = done; });
      await work("preview");
    } finally {
      progress.hidden = true;
      isReading = false;
      follow({ ...shared.state });
    }
  }

  function showPreview(ended) {
    const { exitCode, words, output } = ended;
    if (exitCode !== 0) {
      return found.replaceChildren(h("p", { class: "trouble" }, words || t("failed")));
    }
    // Until somebody decides, also when they come back to this screen.
    shared.ends.set("preview", ended);
    const decide = () => { shared.ends.delete("preview"); found.replaceChildren(); };
    found.replaceChildren(h("h3", {}, t("importPreview")), h("p", { class: "told" }, output), h("p", { class: "told" }, words), h("div", { class: "choices" },
      button(t("cancel"), () => { decide(); call("forget").catch(sayError); }),
      button(t("importNow"), () => { decide(); work("importing").catch(sayError); }, { class: "first" })));
  }

  const importing = h("section", {}, h("h2", {}, t("importTitle")), h("p", {}, t("importText")),
    act(t("importChoose"), () => choose.click()), choose, progress, found);

  // MARK: Export

  const format = h("select", {}, [["html", "formatHTML"], ["markdown", "formatMarkdown"], ["json", "formatJSON"]].map(
    ([value, label]) => h("option", { value }, t(label))));
  const exporting = h("section", {}, h("h2", {}, t("exportTitle")), h("p", {}, t("exportText")), h("div", { class: "adding" },
    field(t("exportTitle"), format),
    act(t("exportNow"), async () => { if (await ask(t("exportAsk"), t("cancel"), t("exportNow"))) await work("export", format.value); })));

  // MARK: Looking after it

  const verified = h("div", { role: "status" });
  const checking = h("section", {}, h("h2", {}, t("verifyTitle")), h("p", {}, t("verifyText")), h("div", { class: "row-of" }, act(t("verifyNow"), () => work("verify"))), verified);

  function showVerified({ words, output }) {
    verified.replaceChildren(h("p", { class: "told" }, [output.trim(), words].filter(Boolean).join("\n")));
  }

  const language = h("select", {}, [["en", "English"], ["ja", "日本語"]].map(([value, label]) => h("option", { value, lang: value }, label)));
  language.value = document.documentElement.lang;
  const inline = h("select", {}, [["off", "no"], ["on", "yes"]].map(([value, label]) => h("option", { value }, t(label))));
  inline.value = door.means.inlineTags ? "on" : "off";
  const habits = h("section", {}, h("h2", {}, t("habits")), h("p", {}, t("habitsText")),
    h("div", { class: "adding" }, field(t("languageField"), language), act(t("save"), () => work("setLanguage", language.value))),
    h("div", { class: "adding" }, field(t("inlineTagsField"), inline), act(t("save"), () => work("setInlineTags", inline.value))));

  // Of what the policy says, a page knows only how much time is left; somebody has just used it.
  const times = [1, 2, 5, 10, 15, 30, 60, 120];
  const idle = h("select", {}, times.map((minutes) => h("option", { value: `${minutes}m` }, t(minutes === 1 ? "lockingMinute" : "lockingMinutes", minutes))));
  idle.value = `${times.find((minutes) => minutes * 60 >= (shared.state?.idle ?? 300)) ?? 120}m`;
  const locking = h("section", {}, h("h2", {}, t("lockingTitle")), h("p", {}, t("lockingText")),
    h("div", { class: "adding" }, field(t("lockingField"), idle), act(t("save"), () => asOwner("setIdle", idle.value))));

  // MARK: Faces

  const faces = h("ul", { class: "faces" });
  const faceStatus = h("p", { class: "status", role: "status" });
  const addFace = act(t("addFace"), () => asOwner("enroll"));
  const cameraText = h("p", { class: "quiet" });
  const camera = cameraSetup();
  const stop = stopButton("setUpCamera");
  const faceSection = h("section", {}, h("h2", {}, t("faces")), h("p", {}, t("facesText")), faces, faceStatus,
    h("div", { class: "row-of" }, act(t("showFaces"), () => asOwner("faces")), addFace, stop.element), cameraText, camera.element);

  /** - lines: as the command prints them: id, day, model, threshold and label. */
  function drawFaces(lines) {
    const list = [...lines.matchAll(/^(\w+)  (\S+)  .+?  \S+  (.*)$/gm)].map(([, id, created, label]) => ({ id, created, label }));
    faces.replaceChildren(...list.map((face) => h("li", {}, h("span", {}, face.label), " ", h("span", { class: "quiet" }, dateWords(face.created + "T00:00")), " ",
      act(t("remove"), async () => { if (await ask(t("removeFaceAsk"), t("cancel"), t("remove"))) await asOwner("removeFace", face.id); }))));
    if (!list.length) faces.replaceChildren(h("li", { class: "quiet" }, t("noFaces")));
  }

  // MARK: Ways in

  const slots = h("ul", {});
  const told = h("p", { role: "status" });
  const privately = (kind, command) => secretly(kind, command, (label) => act(label, async () => {
    await work(kind);
    status.textContent = t(door.means.terminal ? "inTerminal" : "inDialog");
  }));
  const ways = h("section", {}, h("h2", {}, t("waysIn")), slots, told, h("div", { class: "row-of" },
    privately("changePassphrase", "facediary passphrase"), privately("addCode", "facediary keys add recovery")));

  async function drawSlots() {
    const names = { passphrase: "wayPassphrase", recovery: "wayRecovery", face: "wayFace", facePassphrase: "wayFacePassphrase" };
    const known = (await call("slots")).slots;
    // Of a face, those above are removed.
    const mayGo = (slot) => !["face", "facePassphrase"].includes(slot.kind) && known.length > 1;
    slots.replaceChildren(...known.map((slot) => h("li", {}, t(names[slot.kind] ?? slot.kind), " ",
      h("span", { class: "quiet" }, slot.created ? instantWords(slot.created) : ""), " ",
      mayGo(slot) ? act(t("remove"), async () => { if (await ask(t("removeWayAsk"), t("cancel"), t("remove"))) await asOwner("removeSlot", slot.id); }) : null)));
  }

  const element = h("section", { class: "care settings", tabIndex: -1, "aria-label": t("settings") },
    h("div", { class: "tools" }, sign("back", t("back"), actions.back), h("span", { class: "space" }), status),
    h("h1", {}, t("settings")), backups, importing, exporting, checking, faceSection, locking, habits, ways);

  function follow(state) {
    isBusy = Boolean(state.work) || isReading;
    for (const control of controls) control.disabled = isBusy;
    if (!isBusy && document.activeElement === document.body && pressed?.isConnected) pressed.focus({ preventScroll: true });
    const isOfFaces = ["faces", "enroll", "removeFace", "setUpCamera"].includes(state.work);
    cameraText.textContent = t(door.means.camera ? "addFaceText" : "noCamera");
    addFace.hidden = !door.means.camera;
    stop.follow(state.work);
    for (const each of [camera, target]) each.follow(isBusy);
    faceStatus.textContent = isOfFaces ? state.said || t("busy") : "";
    if (state.work && !isOfFaces) status.textContent = state.said || status.textContent || t("busy");
    drawLast(state);
  }

  const done = {
    backup: ({ words }) => say(words || t("backupMade")),
    importing: ({ words }) => { found.replaceChildren(h("p", { class: "told" }, words)); },
    export: ({ output }) => say(t("exportMade", output)),
    verify: showVerified,
    setLanguage: () => say(t("habitSaved")),
    setInlineTags: () => { door.means.inlineTags = inline.value === "on"; say(t("habitSaved")); },
    setIdle: () => {},
    faces: ({ output }) => drawFaces(output),
    removeFace: () => { faces.replaceChildren(); say(t("saved")); drawSlots().catch(sayError); },
    enroll: ({ words }) => { faces.replaceChildren(h("li", { class: "told" }, words)); drawSlots().catch(sayError); },
    setUpCamera: () => say(t("cameraIsSetUp")),
    removeSlot: () => { told.textContent = t("wayRemoved"); drawSlots().catch(sayError); },
    addCode: () => { told.textContent = t("codeAdded"); drawSlots().catch(sayError); },
    changePassphrase: () => { told.textContent = t("passphraseChanged"); drawSlots().catch(sayError); },
  };

  function ended(ended) {
    status.textContent = "";
    if (ended.work === "preview") showPreview(ended);
    else if (ended.work === "chooseFolder") target.chosen(ended.output.trim());
    else if (!done[ended.work]) return false;
    else if (ended.exitCode === 0 || ended.work === "verify" && ended.output) done[ended.work](ended);
    else if (["faces", "enroll", "removeFace"].includes(ended.work)) faces.replaceChildren(h("li", { class: "trouble" }, ended.words || t("failed")));
    else say(status.textContent = ended.words || t("failed"));
    return true;
  }

  follow({ ...shared.state });
  await drawSlots();
  const before = [...shared.ends.values()];
  shared.ends.clear();
  for (const each of before) ended(each);
  return {
    element, follow,
    focus: () => element.focus(),
    ended,
  };
}
