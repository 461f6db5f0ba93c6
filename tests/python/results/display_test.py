"""What a notebook shows of results: tables and curves that a reader of XML takes, without anything to run."""

import copy
import importlib.util
import json
import pickle
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import nocturne
from nocturne.results import Result, Rows, result_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('\"&')</script>"


def curves_of(svg):
    """The points of each curve in pixels, and its texts."""
    root = ElementTree.fromstring(svg)
    lines = [[tuple(map(float, point.split(","))) for point in line.get("points").split()]
             for line in root.iter(f"{SVG}polyline")]
    return lines, [text.text for text in root.iter(f"{SVG}text")]


class DisplayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.traffic = nocturne.traffic("ring:4", load=[0.1, 0.2, 0.9], pattern=["uniform", "tornado"],
                                       window=500, warm_up=100)

    def test_a_curve_for_each_pattern(self):
        lines, texts = curves_of(nocturne.plot(self.traffic).svg)
        measured = [[point.average_packet_latency_cycles for point in curve.points if not point.saturated]
                    for curve in self.traffic.curves]
        self.assertEqual([len(line) for line in lines], [len(each) for each in measured])
        for line, latencies in zip(lines, measured):
            heights = [-y for _, y in line]
            self.assertEqual(sorted(heights), [height for _, height in sorted(zip(latencies, heights))])
        for text in ("uniform", "tornado", "load, flits/cycle", "average packet latency cycles"):
            self.assertIn(text, texts)

    def test_one_short_line_says_what_a_result_is(self):
        for value, begins in [(self.traffic, "<traffic: "), (self.traffic.curves, "<2 rows of curve"),
                              (self.traffic.curves[0].points, "<3 rows of load point: "),
                              (self.traffic.curves[0].points[0], "<load point: "),
                              (Rows([]), "<0 rows of result")]:
            self.assertLess(len(repr(value)), 300)
            self.assertNotIn("\n", repr(value))
            self.assertTrue(repr(value).startswith(begins), repr(value))

    def test_the_line_has_the_main_figures(self):
        def said(value, *parts):
            for part in parts:
                self.assertIn(part, repr(value))
            return repr(value)

        said(self.traffic, "rows=6, topology='ring:4'", "load=0.1…0.9", "average_packet_latency_cycles=")
        said(nocturne.benes(4, samples=3), "rows=6")
        said(nocturne.topology(list=True), "rows=")
        found = nocturne.schedule("ring:4", collective="allgather")
        said(found, "steps=2", "lower_bound=2", "optimal=True")
        said(nocturne.replay(found, bytes=[64, 128]), "rows=2", "message_bytes=64…128", "time_ns=2108…2172")
        said(nocturne.compare(found, bytes=[64, 128], traffic="shifted"), "rows=", "=64…128")
        said(nocturne.front("ring:4", collective="allgather", most_chunks=1), "steps=2")
        # In chunks the line says what was searched for, not the bound of the steps.
        for objective, parts in [("time", ["time_ns=786"]), ("bandwidth", ["rounds", "=1.5"]),
                                 ("steps", ["lower_bound=2"])]:
            for call in (nocturne.schedule, nocturne.bound):
                line = said(call("ring:4", collective="allgather", objective=objective, budget=5), *parts)
                self.assertEqual("lower_bound" in line, objective == "steps")
        self.assertLess(len(said(nocturne.plot(self.traffic), "<Plot average packet latency")), 100)
        self.assertLess(len(said(nocturne.draw("ring:4"), "<Plot ")), 100)

    def test_networks_and_schedules_show_their_page(self):
        schedule = nocturne.schedule("ring:4", collective="allgather")
        for value, says in [(nocturne.Topology("mesh:2x2"), "Topology mesh:2x2: 4 processors"),
                            (schedule.schedule, "all-gather on ring:4")]:
            html = value._repr_html_()
            self.assertIn(says, html)
            self.assertIn("<iframe", html)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_a_frame_has_the_plain_fields(self):
        curve = self.traffic.curves[0]
        frame = curve.to_pandas()
        self.assertEqual(len(frame), 3)
        self.assertEqual(list(frame.load), list(curve.points.load))
        self.assertEqual(set(frame.pattern), {"uniform"})
        self.assertEqual(list(curve.points.to_pandas().load), [0.1, 0.2, 0.9])

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_a_frame_has_a_row_for_each_point(self):
        """A series in a series too; what is no series is one row, however many lists it has."""
        frame = self.traffic.to_pandas()
        self.assertEqual(list(frame.load), [0.1, 0.2, 0.9] * 2)
        self.assertEqual(list(frame.pattern), ["uniform"] * 3 + ["tornado"] * 3)
        found = nocturne.schedule("ring:4", collective="allreduce", objective="time", budget=5)
        for result, rows in [(found, 1), (nocturne.bound("ring:4", collective="AAS"), 1),
                             (nocturne.replay(found, bytes=[64, 128]), 2), (nocturne.validate(found), 1),
                             (nocturne.topology("ring:4", measure=True), 1)]:
            self.assertEqual(len(result.to_pandas()), rows, result)

    def test_a_frame_without_pandas_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "apt install python3-pandas, or pip install pandas"):
                self.traffic.to_pandas()

    def test_any_field_over_any_other(self):
        plot = nocturne.plot(self.traffic, x="load", y="accepted_flit_rate", by=["pattern"])
        lines, _ = curves_of(plot.svg)
        self.assertEqual([len(line) for line in lines], [3, 3])
        with tempfile.TemporaryDirectory() as folder:
            plot.save(f"{folder}/plot.svg")
            self.assertEqual(Path(folder, "plot.svg").read_text(), plot.svg)
        for call, argument in [(lambda: nocturne.plot(self.traffic, y="speed"), "y: no field 'speed'"),
                               (lambda: nocturne.plot(self.traffic, y="state"),
                                "y: 'state' is a number nowhere"),
                               (lambda: nocturne.plot(self.traffic, x="speed"), "result: ")]:
            with self.assertRaisesRegex(ValueError, f"^{argument}"):
                call()

    def test_far_apart_values_have_a_logarithmic_axis(self):
        rows = [Result({"a": 10.0**i, "b": i}) for i in range(5)]
        (line,), texts = curves_of(nocturne.plot(rows, x="a", y="b").svg)
        steps = [round(b[0] - a[0], 3) for a, b in zip(line, line[1:])]
        self.assertLess(max(steps) - min(steps), 0.2)
        self.assertTrue({"1", "100", "10000"} <= set(texts))

    def test_a_result_shows_its_curve_and_its_tables(self):
        root = ElementTree.fromstring(self.traffic._repr_html_())
        self.assertEqual(len(list(root.iter(f"{SVG}svg"))), 1)
        titles = {span.text: span.get("title") for span in root.iter("span")}
        self.assertEqual(titles["packet flits"], nocturne.fields("curve")["packet_flits"].meaning)
        self.assertIn("tornado", [cell.text for cell in root.iter("td")])
        self.assertIn("<td>ring:4</td>", self.traffic.curves[0]._repr_html_())
        self.assertIn("flits/cycle", self.traffic.curves[0].points._repr_html_())

    def test_every_kind_of_result_can_be_shown(self):
        network = nocturne.Topology("ring:4")
        found = nocturne.schedule(nocturne.Problem(network, "AAB"))
        for result in [nocturne.topology(network, measure=True), nocturne.topology(list=True), found,
                       nocturne.replay(found, bytes=[64, 128]), nocturne.validate(found),
                       nocturne.certify(found), nocturne.recover(found, fault="link:0-1", at_step=1)]:
            ElementTree.fromstring(result._repr_html_())

    def test_a_page_is_shown_in_a_frame_and_saved(self):
        found = nocturne.schedule(nocturne.Problem("ring:4", "AAB"))
        page = nocturne.report([found, nocturne.replay(found, bytes=[64, 128]), self.traffic], title="all")
        self.assertEqual((page.page, page.results, page.movies), ("report.html", 3, 1))
        with tempfile.TemporaryDirectory() as folder:
            page.save(f"{folder}/page.html")
            text = Path(folder, "page.html").read_text(encoding="utf-8")
        for shown, inside in ((page, text), (found, None)):
            frame, = ElementTree.fromstring(shown._repr_html_()).iter("iframe")
            self.assertEqual(frame.get("sandbox"), "allow-scripts allow-downloads")
            self.assertIn('id="data">', frame.get("srcdoc"))
            if inside:  # XML makes every white space of an attribute a space
                self.assertEqual(frame.get("srcdoc").split(), inside.split())

    def test_hostile_names_are_text(self):
        network = nocturne.from_channels([(0, 1), (1, 0)], name=HOSTILE)
        result = nocturne.traffic(network, load=[0.1, 0.2], pattern=["uniform", "tornado"], window=500,
                                  warm_up=100)
        curves = [Result({**row._document, "topology": f"{HOSTILE}{i}"}, "curve")
                  for i, row in enumerate(result.curves)]
        for text in (result._repr_html_(), nocturne.plot(curves).svg,
                     Result({HOSTILE: HOSTILE, "rows": [{HOSTILE: 1}], "list": [HOSTILE]})._repr_html_()):
            self.assertNotIn("<script", text)
            self.assertTrue("&lt;script&gt;" in text)
            ElementTree.fromstring(text)

    def test_long_tables_are_cut_and_say_so(self):
        html = Rows([Result({"i": i}) for i in range(120)])._repr_html_()
        self.assertEqual(html.count("<tr>"), 51)
        self.assertIn("70 more rows", html)

    def test_a_drawing(self):
        self.assertIn("</svg>", nocturne.draw("mesh:2x2").svg)


class ResultTest(unittest.TestCase):
    def test_results_are_values(self):
        one = result_of({"result": "topology", "channels": 3, "made_by": {"command": "a"}})
        other = result_of({"result": "topology", "channels": 3, "made_by": {"command": "b"}})
        self.assertEqual(one, other)
        self.assertNotEqual(one, result_of({"result": "topology", "channels": 4}))
        self.assertEqual(Rows([one]), Rows([other]))
        self.assertNotEqual(Rows([one]), Rows([one, other]))
        with self.assertRaises(TypeError):
            hash(one)
        self.assertEqual(repr(one), "<topology: channels=3; 3 fields>")

    def test_results_are_copied_and_pickled(self):
        found = nocturne.schedule(nocturne.Problem("ring:4", "AAB"))
        for again in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            self.assertEqual(again, found)
            self.assertEqual((again.schedule, again.bound), (found.schedule, found.bound))

    def test_a_result_is_saved_and_given_to_the_next_command(self):
        found = nocturne.schedule(nocturne.Problem("octagon:8", "AAS"))
        with tempfile.TemporaryDirectory() as folder:
            found.save(f"{folder}/found.json")
            self.assertEqual(nocturne.Schedule.load(f"{folder}/found.json"), found.schedule)
            self.assertTrue(nocturne.certify(f"{folder}/found.json").proven)
            for name in ("again.json", "again.nsched"):
                written = nocturne.schedule(found.problem, output=Path(folder, name))
                self.assertEqual(written.schedule, nocturne.Schedule.load(f"{folder}/{name}"))
                self.assertTrue(nocturne.certify(written).valid)
        repaired = nocturne.reschedule(found, fault=["link:0-1", "link:2-3"])
        self.assertEqual(repaired.schedule.violations(repaired.problem), [])
        self.assertEqual(repaired.schedule.topology.channel_count, 24 - 4)

    def test_a_result_without_a_file_of_its_own_is_saved_as_json(self):
        shown = nocturne.topology("ring:4")
        with tempfile.TemporaryDirectory() as folder:
            shown.save(f"{folder}/shown.json")
            self.assertEqual(result_of(json.loads(Path(folder, "shown.json").read_text())), shown)
        with self.assertRaisesRegex(ValueError, "this is a result .*; a schedule or a bound is wanted"):
            nocturne.certify(shown)

    def test_a_designed_network_is_a_value(self):
        designed = nocturne.design(8, links=3, exchanges=50)
        self.assertEqual((designed.network.router_count, designed.network.channel_count), (8, 24))
        self.assertEqual(nocturne.design(8, links=3, exchanges=50).network, designed.network)

    def test_a_sweep_has_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.json").write_text(
                '{"command": "traffic", "options": {"topology": "ring:4", "window": 500, "warm-up": 100},'
                ' "sweep": [{"load": [0.1, 0.2]}]}')
            swept = nocturne.sweep(f"{folder}/a.json", output=f"{folder}/a.db", workers=1)
            nocturne.report([swept]).save(f"{folder}/page.html")
            page = Path(folder, "page.html").read_text(encoding="utf-8")
        self.assertIn("accepted_flit_rate", page)  # of the points, which the database has
        self.assertEqual((swept.points, len(swept.rows)), (2, 2))
        lines, _ = curves_of(nocturne.plot(swept.rows, x="offered_flit_rate", y="accepted_flit_rate").svg)
        self.assertEqual([len(line) for line in lines], [2])


if __name__ == "__main__":
    unittest.main()
