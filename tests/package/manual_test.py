"""The built manual: its links lead somewhere, it needs no network, and it has a page for every command and
result."""

import html.parser
import os
import re
import subprocess
import unittest
import urllib.parse
from pathlib import Path

MANUAL = Path(os.environ["MANUAL"])
NOCTURNE = os.environ["NOCTURNE"]


class Page(html.parser.HTMLParser):
    """What a page refers to, and what can be referred to on it."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") == "stylesheet":
            self.loaded.append(values["href"])
        elif values.get("src"):
            self.loaded.append(values["src"])


def said(*arguments):
    return subprocess.run([NOCTURNE, *arguments], check=True, capture_output=True, text=True).stdout


class ManualTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {path.resolve(): Page(path) for path in sorted(MANUAL.rglob("*.html"))}

    def test_links_lead_to_files_and_sections(self):
        self.assertGreater(len(self.pages), 60)
        count = 0
        for path, page in self.pages.items():
            for link in page.links:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme:
                    continue
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                with self.subTest(page=path.name, link=link):
                    self.assertTrue(target.is_file())
                    if parts.fragment and target in self.pages:
                        self.assertIn(urllib.parse.unquote(parts.fragment), self.pages[target].anchors)
                count += 1
        self.assertGreater(count, 1000)

    def test_what_pages_load_is_beside_them(self):
        for path, page in self.pages.items():
            for source in page.loaded:
                with self.subTest(page=path.name, source=source):
                    self.assertEqual(urllib.parse.urlsplit(source).netloc, "")
                    self.assertTrue((path.parent / urllib.parse.urlsplit(source).path).is_file())

    def test_every_command_has_a_page_with_every_option(self):
        commands = re.findall(r"^  ([a-z]+) ", said("--help"), re.MULTILINE)
        self.assertGreater(len(commands), 12)
        for command in commands:
            text = (MANUAL / f"docs/commands/{command}.html").read_text()
            for option in re.findall(r"^ +(?:-\w \[ )?(--[a-z0-9-]+)", said(command, "--help", "all"), re.MULTILINE):
                with self.subTest(command=command, option=option):
                    self.assertIn(option, text)

    def test_every_result_has_a_page(self):
        results = re.findall(r"^## (.*)$", said("man", "results"), re.MULTILINE)
        self.assertGreater(len(results), 28)
        for result in results:
            self.assertTrue((MANUAL / f"docs/formats/{result.replace(' ', '_')}.html").is_file(), result)

    def test_the_index_of_the_search_is_a_script(self):
        """A browser loads a script from a file; it would not load data."""
        index = (MANUAL / "searchindex.js").read_text()
        self.assertTrue(index.startswith("Search.setIndex("))
        for word in ("wormhol", "satur", "bitcomp", "certif"):  # stems
            self.assertIn(word, index)

    def test_pictures_of_the_concepts(self):
        for name in ("step", "time", "blocking", "chunk", "bound"):
            picture = next(MANUAL.glob(f"_images/{name}.svg")).read_text()
            self.assertIn("<svg", picture)


if __name__ == "__main__":
    unittest.main()
