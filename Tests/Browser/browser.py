"""A real browser without a screen, told what to do through a pipe (the DevTools protocol): for tests of the window."""

import base64
import json
import os
import select
import shutil
import subprocess
import time


class Lost(Exception):
    """The browser or its page has gone, or did not do something in time."""


def program():
    """The browser of this machine, or None."""
    return next((name for name in ("chromium", "chromium-browser", "google-chrome") if shutil.which(name)), None)


class Browser:
    """Of the window: the program starts it, with its own flags, by the command that `command` makes."""

    def __init__(self, folder):
        self.folder = folder
        self.paths = [os.path.join(folder, name) for name in ("to-browser", "from-browser")]
        for path in self.paths:
            os.mkfifo(path, 0o600)

    def command(self, language="en", extra=()):
        """A program in the browser's place, which gives it a pipe to listen to besides what the window wants of it."""
        words = [
            shutil.which(program()), "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--force-color-profile=srgb", "--lang=" + language, *extra,
        ]
        if os.geteuid() == 0:
            words.append("--no-sandbox")
        path = os.path.join(self.folder, "chromium-told")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in words) + ' "$@" ' + f"3<'{self.paths[0]}' 4>'{self.paths[1]}'\n")
        os.chmod(path, 0o700)
        return path

    def connect(self, width=1280, height=800, dark=False):
        """Waits until the browser has started, and finds its page."""
        self.write = os.open(self.paths[0], os.O_WRONLY)
        self.read = os.open(self.paths[1], os.O_RDONLY)
        self.bytes = b""
        self.count = 0
        self.events = []
        self.errors = []
        end = time.monotonic() + 60
        page = None
        while not page:
            targets = self.ask("Target.getTargets")["targetInfos"]
            page = next((each for each in targets if each["type"] == "page"), None)
            if time.monotonic() > end:
                raise Lost("there is no page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    # The protocol: JSON, each ended by a zero byte.

    def send(self, method, session, parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        return self.count

    def receive(self, until):
        while b"\0" not in self.bytes:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read], [], [], left)[0]:
                raise Lost("the browser does not answer")
            more = os.read(self.read, 1 << 20)
            if not more:
                raise Lost("the browser has ended")
            self.bytes += more
        one, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(one)

    def wait(self, number, seconds):
        until = time.monotonic() + seconds
        while True:
            message = self.receive(until)
            if message.get("id") == number:
                if "error" in message:
                    raise Lost(message["error"]["message"])
                return message["result"]
            self.note(message)

    def note(self, message):
        method = message.get("method")
        if method == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            # A refusal is an answer, and so is that a session has ended while a picture was on its way.
            entry = message["params"]["entry"]
            is_picture = "/picture/" in entry.get("url", "") and "status of 404" in entry["text"]
            if "status of 500" not in entry["text"] and not is_picture:
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")
        elif method:
            self.events.append(message)

    def ask(self, method, **parameters):
        return self.wait(self.send(method, None, parameters), 60)

    def call(self, method, **parameters):
        return self.wait(self.send(method, self.session, parameters), 60)

    # What a person does.

    def open(self, address):
        self.call("Page.navigate", url=address)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Lost(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def until(self, expression, seconds=30):
        """Waits until something is so, and answers it."""
        end = time.monotonic() + seconds
        while True:
            try:
                found = self.value(f"((each) => each instanceof Node ? true : each)({expression})")
            except Lost as lost:
                # A page that is being replaced.
                if not any(why in str(lost) for why in ("context", "navigated", "properties of null")):
                    raise
                found = None
            if found:
                return found
            if time.monotonic() > end:
                raise Lost(f"never: {expression}\n{self.text()}\n{self.errors}")
            time.sleep(0.02)

    def reload(self):
        """Loads the page again, and waits until it is another one."""
        self.value("window.isOld = true")
        self.value("location.reload()")
        self.until("!window.isOld")

    def text(self):
        try:
            return self.value("document.body.innerText")
        except Lost:
            return ""

    def sees(self, text, seconds=30):
        self.until(f"document.body.innerText.includes({json.dumps(text)})", seconds)

    def click(self, selector, text=None, seconds=30, times=1):
        found = (f"[...document.querySelectorAll({json.dumps(selector)})].find((each) => "
                 f"each.checkVisibility() && !each.disabled && each.textContent.includes({json.dumps(text or '')}))")
        place = self.until(
            f"(() => {{ const each = {found}; if (!each) return null; each.scrollIntoView({{block: 'center'}});"
            "const box = each.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()", seconds)
        for number in range(times):
            time.sleep(0.15 if number else 0)
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=number + 1)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def key(self, name, code=None, number=0, modifiers=0):
        text = name if len(name) == 1 and not modifiers else ("\r" if name == "Enter" else "")
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=code or name, text=text,
                  windowsVirtualKeyCode=number or (ord(name.upper()) if len(name) == 1 else {"Enter": 13, "Escape": 27, "Tab": 9, "Delete": 46}.get(name, 0)),
                  modifiers=modifiers)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=code or name, modifiers=modifiers)

    def choose(self, selector, files):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=files)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def end(self):
        try:
            self.send("Browser.close", None, {})
        except OSError:
            pass

    def closed(self):
        os.close(self.read)
        os.close(self.write)


PASSPHRASE = "correct horse"


def dialogs(path, told, passphrase):
    """Writes a program that answers as a pinentry: with the passphrase, and with yes. What it is told is added to a file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            "#!/usr/bin/python3\nimport sys\nprint('OK', flush=True)\nfor line in sys.stdin:\n"
            f"    open({told!r}, 'a').write(line)\n    if line == 'GETPIN\\n': print('D {passphrase}')\n    print('OK', flush=True)\n")
    os.chmod(path, 0o700)


class Home:
    """A home of its own for the program, with a passphrase in a file."""

    def __init__(self, program, folder):
        self.program = program
        self.path, self.memory, self.secret = (os.path.join(folder, name) for name in ("home", "memory", "passphrase"))
        for path in (self.path, self.memory):
            os.makedirs(path, 0o700)
        self.environment = {
            "HOME": self.path, "PATH": os.environ["PATH"], "TZ": "UTC", "LANG": "en_US.UTF-8", "XDG_RUNTIME_DIR": self.memory,
            "FACEDIARY_RUNTIME": os.path.join(folder, "run"),
        }
        with open(self.secret, "w", encoding="utf-8") as file:
            file.write(PASSPHRASE)

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done)
        return done.stdout
