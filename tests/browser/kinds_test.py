"""Every kind of result as a page: it loads without an error or a request, in light and dark, wide and narrow,
and keeps the rules of axe-core."""

import json
import os
import pathlib
import unittest

from browser import nocturne
from pages import PageTest

AXE = os.environ.get("NOCTURNE_AXE", "")
NIGHTLY = os.environ.get("NOCTURNE_NIGHTLY")
SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Kinds(PageTest):
    """Every kind of result loads, in light and dark, wide and narrow."""

    is_light = False

    def check(self, name, *files):
        page = self.page(*files)
        Kinds.is_light = not Kinds.is_light
        for scheme in ("light", "dark"):
            for width, height in ((1280, 800), (390, 844)):
                # By day each page is opened once, light and wide or dark and narrow in turn: it takes seconds.
                if not NIGHTLY and (scheme == "light", width == 1280) != (Kinds.is_light, Kinds.is_light):
                    continue
                self.browser.prefer(scheme)
                self.browser.resize(width, height)
                self.open(page)
                what = f"{name}, {scheme}, {width}"
                wider = self.run_js("return document.documentElement.scrollWidth - innerWidth")
                self.assertLessEqual(wider, 0, f"{what}: the page is wider than the window")
                self.keep(f"{name}-{scheme}-{width}")
                self.check_first_screen(what, len(files), width)
                self.check_axes(what)
                if AXE:
                    self.check_rules(what)
                self.check_tables(what)

    def check_first_screen(self, what, results, width):
        """Each result has a headline; of a single one it and a picture are seen without scrolling, wide."""
        headlines = self.run_js(
            "return [...document.querySelectorAll('.headline')].map((each) => "
            "[each.textContent, each.getBoundingClientRect().bottom])"
        )
        self.assertEqual(len(headlines), results, what)
        for text, bottom in headlines:
            self.assertRegex(text, r"\w.*[.:]$", what)
            self.assertLess(bottom, 800, what)
        bottom = self.run_js(
            "const picture = document.querySelector('.finding .chart svg, .stage');"
            "return picture ? picture.getBoundingClientRect().bottom : 0"
        )
        if results == 1 and width > 1000:
            self.assertLess(bottom, 800, f"{what}: the picture is not on the first screen")

    def check_axes(self, what):
        """What stands at an axis is inside its picture, and does not cover its neighbour."""
        wrong = self.run_js(
            """
            const wrong = [];
            for (const svg of document.querySelectorAll(".finding .chart svg[role=img]")) {
              const box = svg.getBoundingClientRect();
              const texts = [...svg.querySelectorAll("text")].filter((each) => each.textContent);
              for (const text of texts) {
                const own = text.getBoundingClientRect();
                if (own.left < box.left - 1 || own.right > box.right + 1 ||
                    own.top < box.top - 1 || own.bottom > box.bottom + 1)
                  wrong.push(`${text.textContent} is cut off`);
              }
              const ticks = texts.filter((each) => each.closest(".tick"));
              for (const one of ticks)
                for (const other of ticks) {
                  const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
                  if (one !== other && one.closest(".tick").parentNode === other.closest(".tick").parentNode &&
                      a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
                    wrong.push(`${one.textContent} and ${other.textContent} overlap`);
                }
            }
            return wrong;"""
        )
        self.assertEqual(wrong, [], what)

    def check_tables(self, what):
        """Unfolded: no column says the same in all rows, no row is high, no path is temporary."""
        self.open_details()
        same, high = self.run_js(
            """
            const tables = [...document.querySelectorAll(".finding table, [id^=result-] table")];
            const same = [], high = [];
            for (const table of tables.filter((each) => each.tBodies[0].rows.length > 1)) {
              const rows = [...table.tBodies[0].rows], columns = [...table.tHead.rows[0].cells];
              const differ = columns.map(
                (_, i) => new Set(rows.map((row) => row.cells[i].textContent)).size > 1);
              if (differ.includes(true))
                columns.forEach((cell, i) => differ[i] || same.push(cell.textContent));
              high.push(...rows.filter((row) => row.offsetHeight > 60).map((row) => row.textContent));
            }
            return [same, high];"""
        )
        self.assertEqual((same, high), ([], []), what)
        commands = self.run_js("return [...document.querySelectorAll('pre')].map((each) => each.textContent)")
        self.assertNotIn(str(self.folder), " ".join(commands), what)

    def check_rules(self, what):
        self.run_js(pathlib.Path(AXE).read_text(encoding="utf-8"))
        found = self.browser.driver.execute_async_script(
            "const done = arguments[0]; axe.run().then((all) => done(all.violations.map((each) => "
            "[each.id, each.help, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))])));"
        )
        self.assertEqual(found, [], what)

    def test_schedules_and_runs(self):
        run, compared = self.folder / "run.json", self.folder / "compared.json"
        nocturne("replay", self.schedule, "--bytes", "64,1KiB", "--record", run)
        nocturne("compare", self.schedule, "--bytes", "64,1KiB,4KiB", "--record", compared)
        self.check("schedule", self.schedule)
        self.check("replay", run)
        self.check("compare", compared)

    def test_recovery(self):
        recovered, after = self.folder / "recovered.json", self.folder / "after.json"
        nocturne("recover", self.schedule, "--fault", "link:0-1", "--at-step", "2", "--record", recovered)
        nocturne("reschedule", self.schedule, "--fault", "link:0-1", "-o", after)
        self.check("recovery", recovered)
        self.check("fault", self.schedule, after)

    def test_chunks(self):
        file = self.folder / "chunks.json"
        nocturne("schedule", "ring:4", "--collective", "allgather", "--objective", "time", "-o", file)
        self.check("chunks", file)

    def test_bound_and_network(self):
        bound, network = self.folder / "bound.json", self.folder / "network.json"
        nocturne("bound", "mesh:3x3", "--collective", "AAS", "-o", bound)
        nocturne("topology", "clos:3,3,4", "-o", network)
        self.check("bound", bound)
        self.check("network", network)

    def test_curves(self):
        traffic = self.saved(
            "traffic.json", "traffic", "mesh:3x3", "--load", "0.05,0.1,0.2", "--window", "2000"
        )
        self.check("traffic", traffic)
        self.check(
            "evolution",
            self.saved("evolution.json", "evolve", "hypercube:3", "--collective", "AAS", "--runs", "2"),
        )
        self.check(
            "contracts",
            self.saved(
                "contracts.json",
                *("contract", "ring:4", "--flow", "source=0,destination=2,mbytes_per_s=100", "--check", "500"),
            ),
        )
        self.check("benes", self.saved("benes.json", "benes", "8"))
        design = self.saved("design.json", "design", "8", "--links", "3", "--exchanges", "100")
        self.check("design", design)
        front = self.saved(
            "front.json", "front", "ring:4", "--collective", "allgather", "--most-chunks", "2", "--budget", "5"
        )
        self.check("front", front)

    def test_a_circular_wait(self):
        file = self.saved(
            "deadlock.json",
            *("traffic", "ring:8", "--routing", "shortest", "--vcs", "1", "--load", "0.8"),
            status=None,
        )
        self.check("deadlock", file)
        points = json.loads(file.read_text(encoding="utf-8"))["curves"][0]["points"]
        cycle = next(point["stall"]["cycle"] for point in points if point["stall"])
        rows = self.run_js(
            "return [...document.querySelectorAll('#viewer table')][0].querySelectorAll('tbody tr').length"
        )
        self.assertEqual(rows, len(cycle))

    def test_tables_of_testbenches_and_sweeps(self):
        self.check("verdicts", SOURCE / "testbenches/lower_bounds/expected.csv")
        table = self.folder / "sweep.csv"
        plan = self.folder / "plan.ini"
        plan.write_text(
            "command = traffic\n[options]\ntopology = mesh:3x3\nwindow = 1000\n"
            "[sweep]\nload = 0.1 0.2\nseed = 1 2\n",
            encoding="utf-8",
        )
        nocturne("sweep", plan, "-o", self.folder / "sweep.db", "--csv", table)
        self.check("sweep", table)


if __name__ == "__main__":
    unittest.main()
