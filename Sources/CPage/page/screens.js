// The screens that stand on the list, one above the other, and the browser's own way back through them.

import { stands } from "/server.js";

/**
 * Each screen is one step of the browser's history, which holds numbers and what pairs the page when it is loaded again.
 * - scroller: what scrolls a screen; where it stood is kept while another screen stands above.
 * - mayLeave: whether the uppermost screen may be left.
 * - isOver: whether the uppermost screen was left and can do nothing more.
 * - show: puts a screen into the page, or the list for null; with how far it is to be scrolled, and whether it is shown again.
 */
export function screenStack({ scroller, mayLeave, isOver, show }) {
  const name = String(crypto.getRandomValues(new Uint32Array(1))[0]);
  let screens = [];
  /** The list is the first step: the one before it leads nowhere. */
  let step = 0;
  let arrived = null;
  let isAsking = false;

  function climb() {
    while (step < screens.length + 1) stands({ name, step: ++step });
  }

  /** Takes back the steps of screens that are gone. */
  async function sink() {
    const count = step - screens.length - 1;
    if (count <= 0) return;
    await new Promise((resolve) => {
      arrived = resolve;
      history.go(-count);
      setTimeout(resolve, 5000);
    });
    arrived = null;
    step = screens.length + 1;
  }

  async function asks() {
    isAsking = true;
    try { return await mayLeave(); } finally { isAsking = false; }
  }

  /** Shows the uppermost screen again; one that cannot be shown any more gives way to what is below it. */
  async function again() {
    let top = screens.at(-1);
    let trouble = null;
    while (top && !top.screen.stays) {
      try { top.screen = await top.make(); break; } catch (error) { trouble = error; screens.pop(); top = screens.at(-1); }
    }
    await sink();
    show(top?.screen ?? null, top?.scroll ?? 0, true);
    if (trouble) throw trouble;
  }

  /** One step after the other: a screen that is shown again takes its time. */
  function steps(event) {
    const before = step;
    step = event.state?.name === name ? event.state.step : 0;
    if (arrived) return Promise.resolve(arrived());
    // One that nobody waited for any longer.
    if (step === before) return Promise.resolve();
    // A dialog is what is left first. One in which something was typed may ask.
    const dialog = isAsking ? null : [...document.querySelectorAll("dialog")].at(-1);
    if (dialog) {
      if (dialog.dispatchEvent(new Event("cancel", { cancelable: true }))) dialog.close();
      return Promise.resolve(step < before ? climb() : sink());
    }
    // A question is answered before anything else.
    if (isAsking) return Promise.resolve(climb());
    turn = turn.catch(() => {}).then(() => follow(before - step));
    return turn;
  }

  let turn = Promise.resolve();

  /** - count: how many steps back. */
  async function follow(count) {
    // Forward leads nowhere.
    if (count < 0) return sink();
    if (!screens.length || !(await asks())) return climb();
    screens.splice(Math.max(0, screens.length - count));
    climb();
    return again();
  }

  stands({ name, step }, true);
  climb();
  return {
    steps,
    get isEmpty() { return screens.length === 0; },
    back: () => history.back(),
    /** A screen of its kind takes the place of another one, and any screen that of a text that was written. */
    async open(kind, id, make) {
      if (isAsking || !(await asks())) return null;
      let screen;
      try { screen = await make(); } catch (error) {
        // A text that was given up for it cannot be written on.
        if (isOver()) { screens.pop(); await again(); }
        throw error;
      }
      const below = screens.at(-1);
      if (below) below.scroll = scroller.scrollTop;
      if (below?.kind === kind || below?.kind === "write") screens.pop();
      if (kind === "entry" && screens.at(-1)?.id === id) screens.pop();
      screens.push({ kind, id, make, screen });
      await sink();
      climb();
      show(screen, 0);
      return screen;
    },
    /** - Returns: whether the list is shown. */
    async toList(asksFirst = true) {
      if (asksFirst && (isAsking || !(await asks()))) return false;
      screens = [];
      await sink();
      show(null, 0);
      return true;
    },
  };
}
