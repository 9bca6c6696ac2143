#!/usr/bin/env python3
"""How fast the window is, in a real browser: a table with the goals beside the figures. `facediary-bench window` runs it.

usage: measure.py PROGRAM FOLDER ENTRIES

PROGRAM is facediary, FOLDER an empty folder for a home.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

from browser import Browser, Home

CALLS = """
(async () => {
  const { call } = await import("/server.js");
  const found = {};
  for (const [name, body] of [["list", { limit: 61 }], ["list", { query: "%s", limit: 61 }], ["statistics", {}], ["tallies", {}], ["onThisDay", {}], ["rank", { subject: "tags", year: %d }]]) {
    const times = [];
    for (let turn = 0; turn < 21; turn++) {
      const begun = performance.now();
      await call(name, body);
      times.push(performance.now() - begun);
    }
    times.sort((one, other) => one - other);
    found[body.query ? "search" : name] = [times[10], times[20]];
  }
  return found;
})()
"""

# From a key in the search field to the frame in which what was found is drawn.
KEYS = """
(async () => {
  const input = document.querySelector("header input");
  const times = [];
  for (const words of %s) {
    input.value = words;
    const begun = performance.now();
    const drawn = new Promise((resolve) => {
      const watch = new MutationObserver(() => { watch.disconnect(); requestAnimationFrame(() => resolve(performance.now() - begun)); });
      watch.observe(document.querySelector(".entries"), { childList: true });
    });
    input.dispatchEvent(new Event("input"));
    times.push(await drawn);
  }
  times.sort((one, other) => one - other);
  return [times[Math.floor(times.length / 2)], times.at(-1)];
})()
"""

# Down for some seconds, and back up: how long the frames were.
SCROLL = """
(async () => {
  const scroller = document.querySelector(".scroller");
  const frames = [];
  for (const by of [400, -400]) {
    const end = performance.now() + 5000;
    let last = performance.now();
    for (let count = 0; performance.now() < end; count++) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      if (count > 3) frames.push(now - last);
      last = now;
      scroller.scrollTop += by;
    }
  }
  frames.sort((one, other) => one - other);
  return [frames[Math.floor(frames.length / 2)], frames.at(-1), frames.filter((each) => each > 50).length, frames.length];
})()
"""

# A picture of so many bytes, made here, until it is sealed and its thumbnail stands there.
PHOTO = """
(async () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1600, 1200];
  const context = canvas.getContext("2d");
  const noise = context.createImageData(1600, 1200);
  for (let place = 0; place < noise.data.length; place += 65536) crypto.getRandomValues(noise.data.subarray(place, Math.min(place + 65536, noise.data.length)));
  for (let place = 3; place < noise.data.length; place += 4) noise.data[place] = 255;
  context.putImageData(noise, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const transfer = new DataTransfer();
  transfer.items.add(new File([blob], "photo.png", { type: "image/png" }));
  const begun = performance.now();
  document.querySelector(".writing").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  for (;;) {
    await new Promise(requestAnimationFrame);
    const image = document.querySelector(".attached img");
    if (image?.complete && image.naturalWidth && !document.querySelector(".attached progress")) break;
  }
  return [performance.now() - begun, blob.size];
})()
"""


def measure(program, folder, entries):
    home = Home(program, folder)
    texts = os.path.join(folder, "texts.jsonl")

    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(3, 9))) for _ in range(20000)]
    now = time.time()
    with open(texts, "w", encoding="utf-8") as file:
        for number in range(entries):
            date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - number * 7200))
            print(json.dumps({
                "date": date, "title": " ".join(chance.choices(words, k=3)) if number % 2 else None,
                "body": " ".join(chance.choices(words, k=60)), "tags": chance.sample(["walk", "food", "work", "family", "dream"], number % 3),
            }), file=file)
    home.run("init", "--kdf", "interactive", "--passphrase-file", home.secret)
    home.run("unlock", "--passphrase-file", home.secret, "--idle", "2h")
    home.run("import", texts)
    os.unlink(texts)
    # The index is brought up to date in the background.
    home.run("search", words[0])
    time.sleep(15)
    rows = []
    browser = Browser(folder)
    command = browser.command("en")
    begun = time.time()
    window = subprocess.Popen(
        [program, "window", "--json", "--browser", command], env=home.environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        window.stdout.readline()
        rows.append(("from the command to the address", f"{(time.time() - begun) * 1000:.0f} ms", ""))
        browser.connect()
        browser.until("document.querySelector('.row')")
        navigated = browser.value("performance.timeOrigin") / 1000
        drawn = browser.value("performance.getEntriesByType('paint').at(-1)?.startTime ?? performance.now()")
        rows.append(("from the command to the first rows, the browser's start with it", f"{(time.time() - begun) * 1000:.0f} ms", ""))
        rows.append(("from the page's begin to its last first paint", f"{drawn:.0f} ms", "300 ms"))
        rows.append(("browser up after", f"{(navigated - begun) * 1000:.0f} ms", ""))
        for name, (median, worst) in browser.value(CALLS % (words[7], time.gmtime(now).tm_year)).items():
            rows.append((f"the server's answer to {name}", f"{median:.1f} · {worst:.1f} ms", "20 ms"))
        typed = [words[place][:length] for place in (3, 5, 9) for length in range(1, 5)]
        median, worst = browser.value(KEYS % json.dumps(typed))
        rows.append(("from a key to the drawn hits, 40 ms of waiting with it", f"{median:.0f} · {worst:.0f} ms", "100 ms"))
        browser.value("(() => { const input = document.querySelector('header input'); input.value = ''; input.dispatchEvent(new Event('input')); })()")
        time.sleep(1)
        median, worst, late, frames = browser.value(SCROLL)
        rows.append((f"a frame while scrolling, of {frames}", f"{median:.0f} · {worst:.0f} ms, {late} over 50", "50 ms"))
        rows.append(("memory of the page's scripts", f"{browser.call('Runtime.getHeapUsage')['usedSize'] / 1048576:.1f} MiB", "150 MiB"))
        browser.key("n")
        browser.until("document.querySelector('.writing textarea')")
        taken, size = browser.value(PHOTO)
        rows.append((f"a photo of {size / 1e6:.1f} MB dropped, until it is sealed and shown", f"{taken:.0f} ms", "500 ms for 8 MB"))
        weight = browser.value("performance.getEntriesByType('resource').filter((each) => /[.](js|css)$/.test(each.name)).reduce((sum, each) => sum + each.decodedBodySize, 0)")
        rows.append(("the page's scripts and styles", f"{weight / 1024:.0f} KiB", "150 KiB"))
        with open(f"/proc/{window.pid}/task/{window.pid}/children", encoding="ascii") as file:
            for child in file.read().split():
                with open(f"/proc/{child}/cmdline", "rb") as command_line:
                    if b"__window" not in command_line.read():
                        continue
                with open(f"/proc/{child}/status", encoding="ascii") as status:
                    most = next(line for line in status if line.startswith("VmHWM"))
                rows.append(("memory of the server, at most", f"{int(most.split()[1]) / 1024:.0f} MiB", ""))
        browser.end()
        window.wait(20)
    finally:
        if window.poll() is None:
            os.kill(window.pid, signal.SIGTERM)
            window.wait(20)
        subprocess.run([program, "lock"], env=home.environment, capture_output=True, check=False)
    print("| what | median · worst | goal |\n|---|---|---|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))
