"""Pages of `nocturne report` in a real browser: Chromium, without a window."""
import base64
import json
import os
import pathlib
import subprocess
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

PROGRAM = os.environ.get("NOCTURNE", "build/release/sim/cli/nocturne")
LONGEST_WAIT_S = 60  # a limit for hangs, not for speed


def nocturne(*arguments, status=0):
    """Runs the command; its exit status must be this one (None: any). Returns what it prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert status in (None, done.returncode), f"nocturne {arguments}: {done.returncode}: {done.stderr}"
    return done.stdout


class Browser:
    """One Chromium for many pages. What pages log as errors, and what they ask of a network, is kept."""

    def __init__(self):
        options = Options()
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--force-device-scale-factor=1",
            "--hide-scrollbars",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def close(self):
        self.driver.quit()

    def run(self, script, *arguments):
        """The value of a script's `return`."""
        return self.driver.execute_script(script, *arguments)

    def resize(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def prefer(self, scheme):
        """`light` or `dark`."""
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )

    def open(self, page):
        """Loads the page and waits until it says that it is there; returns the seconds."""
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        begin = time.monotonic()
        self.driver.get(pathlib.Path(page).resolve().as_uri())
        self.wait("return Boolean(globalThis.nocturne && nocturne.isReady)")
        return time.monotonic() - begin

    def wait(self, condition, *arguments):
        """Until the script returns something true."""
        end = time.monotonic() + LONGEST_WAIT_S
        while not self.run(condition, *arguments):
            assert time.monotonic() < end, f"in vain: {condition}; {self.errors()}"
            time.sleep(0.02)

    def errors(self):
        """What the page logged as errors since it was opened."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def requests(self):
        """What the page asked for since it was opened; itself and what is in it left out."""
        asked = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = message["params"]["request"]["url"]
                if not address.startswith(("file:", "data:", "blob:")):
                    asked.append(address)
        return asked

    def screenshot(self, file, whole=True):
        """As PNG: the whole page, or what is in the window."""

        taken = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": whole, "format": "png"}
        )
        pathlib.Path(file).write_bytes(base64.b64decode(taken["data"]))
