// All photos, newest first, by month; and a new one.

import { call } from "/server.js";
import { ask, civil, dateWords, h, monthWords, sayError, sign, t } from "/parts.js";
import { draw as drawInto } from "/list.js";

const page = 100;

/** Whether the browser lets pages ask for a camera. */
export const hasCamera = Boolean(navigator.mediaDevices?.getUserMedia);

/** Has somebody take a photo with the camera of this machine. - Returns: null for whoever thinks better of it. */
export async function takePhoto() {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1920 }, height: { ideal: 1080 } } });
  const video = h("video", { autoplay: true, muted: true, playsInline: true, "aria-label": t("camera") });
  video.srcObject = stream;
  const stop = () => { for (const track of stream.getTracks()) track.stop(); };
  // It looks at nobody any longer than it must, also where the session ends under the question.
  const watch = setInterval(() => { if (!video.isConnected) stop(); }, 500);
  try {
    if (!(await ask(t("takePhotoAsk"), t("cancel"), t("takePhotoNow"), video)) || !video.videoWidth) return null;
    const canvas = h("canvas", { width: video.videoWidth, height: video.videoHeight });
    canvas.getContext("2d").drawImage(video, 0, 0);
    const picture = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", 0.92); });
    if (!picture) throw new Error(t("failed"));
    const now = new Date();
    const stamp = new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 19).replace(/[-:]/g, "");
    return new File([picture], `photo-${stamp}.jpg`, { type: "image/jpeg" });
  } finally {
    clearInterval(watch);
    stop();
  }
}

export async function photosScreen(actions) {
  const months = h("div", {});
  const element = h("section", { class: "photos", tabIndex: -1, "aria-label": t("photos") },
    h("div", { class: "tools" }, sign("back", t("back"), actions.back), h("h1", {}, t("photos"))), months);
  let last = null;
  let month = "";
  let grid = null;
  let isReading = false;
  let isOver = false;

  async function more() {
    if (isReading || isOver) return;
    isReading = true;
    try {
      const found = await call("list", { attachments: true, after: last ?? undefined, limit: page });
      isOver = !found.more;
      last = found.entries.at(-1)?.id ?? last;
      for (const entry of found.entries) draw(entry);
      if (isOver && !grid) months.append(h("p", { class: "empty" }, t("noPhotos")));
    } catch (error) {
      isOver = true;
      sayError(error);
    } finally { isReading = false; }
    // A screen that is not full yet is never scrolled.
    if (!isOver && element.isConnected && end.getBoundingClientRect().top < innerHeight + 600) more();
  }

  // Those that are far away give their memory back.
  const near = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      target.width = target.height = isIntersecting ? 200 : 1;
      if (isIntersecting) drawInto(target);
    }
  }, { rootMargin: "1200px" });

  function small(file) {
    const canvas = h("canvas", { width: 1, height: 1, role: "img", "aria-label": file.name, "data-picture": file.picture });
    near.observe(canvas);
    return canvas;
  }

  function draw(entry) {
    const pictures = entry.attachments.filter((file) => file.picture);
    if (!pictures.length) return;
    if (entry.date.slice(0, 7) !== month) {
      month = entry.date.slice(0, 7);
      const date = civil(entry.date);
      grid = h("ul", { class: "grid" });
      months.append(h("h2", {}, monthWords(date.getUTCFullYear(), date.getUTCMonth())), grid);
    }
    const words = [dateWords(entry.date), entry.title ?? entry.preview].filter(Boolean).join(", ");
    grid.append(...pictures.map((file) => h("li", {}, h("button", {
      type: "button", title: words, "aria-label": words, onclick: () => actions.open(entry.id),
    }, small(file)))));
  }

  const end = h("div", { class: "end" });
  element.append(end);
  const watch = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) more(); }, { rootMargin: "600px" });
  watch.observe(end);
  await more();
  return {
    element,
    focus: () => { element.focus(); more(); },
    /** What came meanwhile is shown, unless somebody looks at older ones. */
    refresh: () => {
      if (isReading || months.contains(document.activeElement) || (element.parentElement?.scrollTop ?? 0) > 200) return;
      months.replaceChildren();
      [last, month, grid, isOver] = [null, "", null, false];
      more();
    },
    // It is long: who comes back finds it where it was.
    stays: true,
  };
}
