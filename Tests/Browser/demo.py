#!/usr/bin/env python3
"""The demo's diary in a real browser, opened by its sample face, as the README shows it.

usage: demo.py PROGRAM FOLDER FACES [PICTURE.png]

PROGRAM is facediary, FOLDER an empty folder for a home, FACES the sample vectors.
"""

import os
import signal
import subprocess
import sys

from browser import Browser


def show(program, folder, faces, picture=None):
    browser = Browser(folder)
    tools = os.path.join(folder, "bin")
    os.mkdir(tools)
    os.rename(browser.command(), os.path.join(tools, "chromium"))
    environment = dict(os.environ, HOME=folder, PATH=tools + ":" + os.environ["PATH"], LANG="en_US.UTF-8", TZ="Europe/Berlin")
    with subprocess.Popen([program, "demo", "--faces", faces, "--window"], env=environment, stdout=subprocess.DEVNULL, start_new_session=True) as window:
        try:
            browser.connect()
            browser.click(".door button.first")
            browser.until("document.querySelectorAll('.row').length >= 3")
            browser.until("document.querySelectorAll('.month .has').length >= 1")
            browser.value("document.activeElement.blur()")
            assert browser.errors == [], browser.errors
            if picture:
                browser.picture(picture)
        finally:
            window.send_signal(signal.SIGINT)
            assert window.wait(30) == 130, window.returncode


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    show(*sys.argv[1:])
