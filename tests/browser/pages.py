"""What tests of pages have in common: a browser, a folder, a schedule, and pages of files."""

import os
import pathlib
import tempfile
import unittest

from browser import Browser, nocturne

SHOTS = os.environ.get("NOCTURNE_SCREENSHOTS", "")  # a folder: pictures for people are kept there


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.held = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.held.name)
        cls.browser = Browser()
        cls.browser.resize(1400, 900)
        cls.schedule = cls.folder / "aas.json"
        nocturne("schedule", "octagon:8", "--collective", "AAS", "-o", cls.schedule)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.held.cleanup()

    def page(self, *files):
        """The page of these files, opened; it must load without an error or a request."""
        page = self.folder / "report.html"
        nocturne("report", *files, "-o", page)
        self.open(page)
        return page

    def open(self, page):
        """It must load without an error or a request."""
        self.browser.open(page)
        self.assertEqual(self.browser.errors(), [])
        self.assertEqual(self.browser.requests(), [])

    def keep(self, name):
        """What is seen without scrolling."""
        if SHOTS:
            self.browser.screenshot(pathlib.Path(SHOTS) / f"{name}.png", whole=False)

    def open_details(self):
        """Unfolds everything, also what is built when its parent is opened, and waits until it is drawn."""
        for _ in range(2):
            self.run_js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            self.browser.driver.execute_async_script(
                "const done = arguments[0]; "
                "requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))"
            )

    def saved(self, name, *command, status=0):
        """What a command prints as JSON, in a file."""
        file = self.folder / name
        file.write_text(nocturne(*command, "--json", status=status), encoding="utf-8")
        return file

    def run_js(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def click(self, text):
        """The button with this text."""
        self.run_js(
            """const found = [...document.querySelectorAll("button")].find(
                (each) => each.textContent.includes(arguments[0]));
            found.click();""",
            text,
        )
