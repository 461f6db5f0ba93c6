"""The controls of pages: each does what it says, beside the file that it shows."""

import json
import unittest

from browser import nocturne
from pages import PageTest


def path_of(schedule, transfer):
    """The channels of a transfer of a schedule file, as the page calls them."""
    return [f"{a}→{b}" for a, b in zip(transfer["path"], transfer["path"][1:])]


class Viewer(PageTest):
    """What the viewer shows is what the file says."""

    def setUp(self):
        self.browser.resize(1400, 900)
        self.page(self.schedule)
        self.steps = json.loads(self.schedule.read_text(encoding="utf-8"))["steps"]

    def drawn(self):
        """The transfers that the canvas shows now: (source, destination)."""
        return {
            tuple(pair)
            for pair in self.run_js(
                "const view = nocturne.viewer.panes[0].view, movie = view.movie; "
                "return view.drawn.map((t) => "
                "[movie.network.nameOf(movie.source[t]), movie.network.nameOf(movie.destination[t])]);"
            )
        }

    def ends(self, transfers):
        return {(each["from"], each["to"]) for each in transfers}

    def test_each_step_shows_its_transfers_on_their_paths(self):
        for step, transfers in enumerate(self.steps):
            self.run_js("nocturne.viewer.setTime(arguments[0] + 0.5)", step)
            self.assertEqual(self.drawn(), self.ends(transfers))
            paths = self.run_js(
                "const {movie, drawn} = nocturne.viewer.panes[0].view; return drawn.map((t) => "
                "[...movie.link.subarray(movie.first[t], movie.first[t + 1])]"
                ".map((link) => movie.nameOfLink(link)));"
            )
            self.assertEqual(sorted(paths), sorted(path_of(self.steps, each) for each in transfers))

    def test_step_buttons_and_keys(self):
        self.click("Step ▶")
        self.assertEqual(self.drawn(), self.ends(self.steps[1]))
        self.click("Step ▶")
        self.click("◀ Step")
        self.assertEqual(self.drawn(), self.ends(self.steps[1]))
        self.run_js(
            "document.getElementById('viewer').dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'End', bubbles: true}))"
        )
        self.assertEqual(self.drawn(), self.ends(self.steps[-1]))
        self.run_js(
            "document.getElementById('viewer').dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'Home', bubbles: true}))"
        )
        self.assertEqual(self.drawn(), self.ends(self.steps[0]))

    def front_pixels(self):
        return self.run_js("return nocturne.viewer.panes[0].view.front.toDataURL()")

    def test_play_moves_messages_and_pause_stops_them(self):
        before, time = self.front_pixels(), self.run_js("return nocturne.viewer.time")
        self.click("Play")
        self.browser.wait("return nocturne.viewer.time > arguments[0] + 0.3", time)
        self.click("Pause")
        paused = self.run_js("return nocturne.viewer.time")
        after = self.front_pixels()
        self.assertNotEqual(before, after)
        self.run_js("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(self.run_js("return nocturne.viewer.time"), paused)
        self.assertEqual(self.front_pixels(), after)

    def test_paper_shows_both_layers(self):
        # Browsers print what is clear in the upper canvas as white: on paper there is one.
        back = "nocturne.viewer.panes[0].view.base"
        pixels = f"return {back}.toDataURL()"
        before = self.run_js(pixels)
        missing = self.run_js(
            "dispatchEvent(new Event('beforeprint'));"
            f"const {{front}} = nocturne.viewer.panes[0].view, back = {back};"
            "const all = (one) => one.getContext('2d').getImageData(0, 0, one.width, one.height).data;"
            "const above = all(front), merged = all(back); let opaque = 0, missing = 0;"
            "for (let i = 0; i < above.length; i += 4) if (above[i + 3] === 255) { ++opaque;"
            "  if (above[i] !== merged[i] || above[i + 1] !== merged[i + 1]) ++missing; }"
            "return opaque > 100 ? missing : -1;"
        )
        self.assertEqual(missing, 0)
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = "return getComputedStyle(nocturne.viewer.panes[0].view.front).display"
        self.assertEqual(self.run_js(shown), "none")
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.run_js("dispatchEvent(new Event('afterprint'))")
        self.assertNotEqual(self.run_js(shown), "none")
        self.assertEqual(self.run_js(pixels), before)

    def test_scrubbing(self):
        self.run_js(
            "const {slider} = nocturne.viewer; slider.value = 600; slider.dispatchEvent(new Event('input'))"
        )
        self.assertAlmostEqual(self.run_js("return nocturne.viewer.time"), 0.6 * len(self.steps))

    def test_a_click_on_a_channel_shows_its_numbers(self):
        for name in ("0→1", "4→0"):
            expected = [
                (step, each)
                for step, transfers in enumerate(self.steps)
                for each in transfers
                if name in path_of(self.steps, each)
            ]
            place = self.run_js(
                "const {view} = nocturne.viewer.panes[0], {movie} = view; "
                "view.stage.scrollIntoView({block: 'center'}); "
                "const links = [...Array(movie.linkCount).keys()]; "
                "const link = links.find((each) => movie.nameOfLink(each) === arguments[0]);"
                "const [x, y] = view.geometry.along(link, 0.3), box = view.stage.getBoundingClientRect();"
                "return [box.left + x, box.top + y];",
                name,
            )
            for kind in ("mousePressed", "mouseReleased"):
                self.browser.driver.execute_cdp_cmd(
                    "Input.dispatchMouseEvent",
                    {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1},
                )
            details = self.run_js("return nocturne.viewer.details.innerText")
            self.assertIn(f"Channel {name}", details)
            fact = self.run_js(
                "return Object.fromEntries([...nocturne.viewer.details.querySelectorAll('[data-fact]')]"
                ".map((each) => [each.dataset.fact, each.textContent]))"
            )
            self.assertEqual(fact["transfers"], str(len(expected)))
            self.assertEqual(
                fact["use"], f"{100 * len({step for step, _ in expected}) / len(self.steps):.1f} %"
            )
            rows = self.run_js(
                "return [...nocturne.viewer.details.querySelectorAll('tbody tr')].map((row) => "
                "[row.cells[0].innerText, row.cells[1].innerText])"
            )
            self.assertEqual({tuple(row) for row in rows}, self.ends(each for _, each in expected))

    def test_filters_leave_the_right_paths(self):
        self.run_js(
            "const {source} = nocturne.viewer.filterInputs; source.value = '3'; "
            "source.dispatchEvent(new Event('input'))"
        )
        shown = self.run_js(
            "const v = nocturne.viewer, [m] = v.shownMovies; "
            "return [...Array(m.count).keys()].filter((t) => v.shows(m, t))"
            ".map((t) => [m.network.nameOf(m.source[t]), m.network.nameOf(m.destination[t])])"
        )
        self.assertEqual(
            {tuple(pair) for pair in shown},
            {pair for step in self.steps for pair in self.ends(step) if pair[0] == "3"},
        )
        use = self.run_js(
            "const {movie, heat} = nocturne.viewer.panes[0]; return [...Array(movie.linkCount).keys()]"
            ".filter((link) => heat.use[link] > 0).map((link) => movie.nameOfLink(link))"
        )
        self.assertEqual(
            set(use),
            {
                name
                for step in self.steps
                for each in step
                if each["from"] == "3"
                for name in path_of(self.steps, each)
            },
        )
        self.click("All")
        self.assertEqual(self.run_js("return nocturne.viewer.maskOf(nocturne.viewer.shownMovies[0])"), None)

    def test_what_is_picked_in_one_view_is_picked_in_all(self):
        self.run_js("nocturne.viewer.pickByName('channel 0→1')")
        before = [
            self.run_js(f"return nocturne.viewer.panes[0].{view}.toDataURL()")
            for view in ("view.front", "lines.canvas", "heat.canvas")
        ]
        self.run_js("nocturne.viewer.pick(null)")
        after = [
            self.run_js(f"return nocturne.viewer.panes[0].{view}.toDataURL()")
            for view in ("view.front", "lines.canvas", "heat.canvas")
        ]
        for picked, nothing in zip(before, after):
            self.assertNotEqual(picked, nothing)

    def test_side_by_side_runs_share_one_time(self):
        compared = self.folder / "side.json"
        nocturne("compare", self.schedule, "--bytes", "64,1KiB,4KiB", "--record", compared)
        self.page(compared)
        runs = json.loads(compared.read_text(encoding="utf-8"))["recording"]["runs"]
        self.assertEqual(self.run_js("return nocturne.viewer.panes.length"), 2)
        self.assertEqual(
            self.run_js("return nocturne.viewer.length"), max(run["length_cycles"] for run in runs)
        )
        self.run_js("nocturne.viewer.setTime(1200)")
        for pane, run in enumerate(runs):
            self.assertEqual(
                self.run_js(f"return nocturne.viewer.timeOf(nocturne.viewer.panes[{pane}].movie)"), 1200
            )
            holds = run["holds"]
            expected = {
                message
                for message, begin, end in zip(holds["message"], holds["begin_cycle"], holds["end_cycle"])
                if begin <= 1200 < end
            }
            held = self.run_js(
                f"const {{movie}} = nocturne.viewer.panes[{pane}]; return movie.activeAt(1200).filter((t) => "
                "{ for (let hop = movie.first[t]; hop < movie.first[t + 1]; ++hop) "
                "if (movie.isHeld(t, hop, 1200)) return true; "
                "return false; })"
            )
            self.assertEqual(set(held), expected)

    def test_the_cycle_of_a_routing_is_marked(self):
        file = self.saved("ring.json", "topology", "ring:8", "--routing", "shortest", status=1)
        self.page(file)
        cycle = self.run_js("return nocturne.viewer.panes[0].movie.cycle")
        self.assertEqual(cycle[0], cycle[-1])
        self.assertEqual(len(set(cycle)), 8)
        marked = self.front_pixels()
        self.open_details()
        self.click("Circular wait")
        self.assertNotEqual(self.front_pixels(), marked)

    def test_the_keyboard_alone_reaches_every_control(self):
        from selenium.webdriver.common.keys import Keys

        reached = set()
        body = self.browser.driver.find_element("tag name", "body")
        body.send_keys(Keys.TAB)
        for _ in range(120):
            active = self.browser.driver.switch_to.active_element
            reached.add(self.run_js("return document.activeElement.outerHTML.slice(0, 300)"))
            active.send_keys(Keys.TAB)
        wanted = self.run_js(
            "return [...document.querySelectorAll('button, select, input, summary, a[href]')]"
            ".filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 300))"
        )
        self.assertEqual([each for each in wanted if each not in reached], [])


class Curves(PageTest):
    def test_points_intervals_and_switches_are_those_of_the_file(self):
        file = self.saved("traffic.json", "traffic", "mesh:3x3", "--load", "0.05,0.1,0.2", "--window", "3000")
        points = json.loads(file.read_text(encoding="utf-8"))["curves"][0]["points"]
        self.page(file)
        self.open_details()
        drawn = self.run_js(
            "return [...document.querySelectorAll('.chart')].map((chart) => "
            "[chart.querySelectorAll('.point').length, chart.querySelectorAll('.interval').length])"
        )
        self.assertIn([len(points), len(points)], drawn)
        data = self.run_js(
            """
            const chart = [...document.querySelectorAll(".chart")].find(
                (each) => each.querySelector(".interval"));
            const points = d3.select(chart).selectAll(".point").data();
            return points.map((point) => [point.x, point.y, point.high - point.y]);"""
        )
        for (x, y, half), point in zip(data, points):
            self.assertEqual((x, y), (point["load"], point["average_packet_latency_cycles"]))
            self.assertAlmostEqual(half, point["average_packet_latency_error_cycles"])


    def test_the_picture_of_a_comparison_has_the_times_of_the_file(self):
        file = self.saved("compared.json", "compare", self.schedule, "--bytes", "64:4096:x8", "--vcs", "4")
        runs = json.loads(file.read_text(encoding="utf-8"))["runs"]
        printed = nocturne("report", file, "-o", self.folder / "report.html")
        self.open(self.folder / "report.html")
        headline = self.run_js("return document.querySelector('.headline').textContent")
        self.assertIn(headline.replace("\u00a0", " "), printed)
        label = self.run_js("return nocturne.data.results[0].summary.picture.y.label")
        unit = {"ns": 1, "µs": 1e3}[label[-3:-1]]
        shown = "return d3.select('.finding .chart').selectAll('.point').data().map(({x, y}) => [x, y])"
        points = self.run_js(shown)
        scheduled = [run for run in runs if run["traffic"] == "schedule"]
        expected = [[run["message_bytes"], run["time_ns"] / unit] for run in scheduled]
        self.assertEqual(points[: len(expected)], expected)
        self.run_js("document.querySelector('.finding .series button').click()")
        self.assertEqual(self.run_js(shown), points[len(expected) :])
        rows = self.run_js(
            "return [...document.querySelectorAll('.finding tbody tr')].map((row) => row.cells.length)"
        )
        self.assertEqual(len(rows), len(expected))


class Hostile(PageTest):
    def test_names_appear_as_text(self):
        names = [
            "<script>window.hurt=1</script>",
            "\"'><img src=x onerror=window.hurt=1>",
            "</script><b>",
            "\u202e right \u2067",
            "{{data}}",
            "\\u003c&amp;",
        ]
        network = {
            "format": "nocturne-topology",
            "version": 1,
            "name": "<i>net</i>",
            "default_ports": "all",
            "routers": [{"name": name} for name in names],
            "processors": [{"name": name, "injection": i, "ejection": i} for i, name in enumerate(names)],
            "channels": [
                {"source": i, "target": j} for i in range(len(names)) for j in range(len(names)) if i != j
            ],
        }
        file, schedule = self.folder / "hostile.json", self.folder / "hostile_aas.json"
        file.write_text(json.dumps(network), encoding="utf-8")
        nocturne("schedule", file, "--collective", "AAS", "-o", schedule)
        run = self.folder / "hostile_run.json"
        nocturne("replay", schedule, "--record", run)
        table = self.folder / "hostile.csv"
        table.write_text(
            "name,value\n"
            + "".join(f'"{name.replace(chr(34), chr(34) * 2)}",{i}\n' for i, name in enumerate(names)),
            encoding="utf-8",
        )
        self.page(schedule, run, table)
        self.open_details()
        self.assertIsNone(self.run_js("return window.hurt || null"))
        self.assertEqual(
            self.run_js("return document.querySelectorAll('main script, main img, main b, main i').length"), 0
        )
        cells = self.run_js(
            "return [...document.querySelectorAll('#result-3 tbody tr')]"
            ".map((row) => row.cells[0].textContent)"
        )
        self.assertEqual(cells, names)
        self.assertEqual(self.run_js("return nocturne.viewer.panes[0].movie.network.processors"), names)


if __name__ == "__main__":
    unittest.main()
