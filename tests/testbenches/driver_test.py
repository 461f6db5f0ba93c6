"""How tables are compared with what is expected, pictures, and the networks of large_scatters."""
import importlib
import pathlib
import sys
import tempfile
import unittest

TESTBENCHES = pathlib.Path(__file__).resolve().parents[2] / "testbenches"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TESTBENCHES / "driver"))
import pictures  # noqa: E402
import tables  # noqa: E402


class Differences(unittest.TestCase):
    """Rows beside expected ones."""

    EXPECTED = [{"network": "mesh:4x4", "steps": "16", "over": "4.00"},
                {"network": "ring:5", "steps": "3", "over": ""}]

    def differences(self, rows, complete=True, **spec):
        return tables.differences(rows, self.EXPECTED, {"key": ["network"], **spec}, complete)

    def row(self, network="mesh:4x4", steps=16, over=4.0):
        return {"network": network, "steps": steps, "over": over}

    def test_the_same_rows(self):
        self.assertEqual(self.differences([self.row(), self.row("ring:5", 3, None)]), [])

    def test_another_value(self):
        self.assertEqual(self.differences([self.row(steps=15), self.row("ring:5", 3, None)]),
                         ["mesh:4x4: steps 15, expected 16"])
        self.assertEqual(self.differences([self.row(), self.row("ring:5", 3, 0.0)]),
                         ["ring:5: over 0, expected nothing"])

    def test_a_value_that_is_missing(self):
        self.assertEqual(self.differences([self.row(over=None), self.row("ring:5", 3, None)]),
                         ["mesh:4x4: over nothing, expected 4.00"])

    def test_a_value_may_be_greater_by_what_is_said_and_no_more(self):
        rest = self.row("ring:5", 3, None)
        self.assertEqual(self.differences([self.row(over=5.0), rest], above={"over": 1}), [])
        self.assertEqual(self.differences([self.row(over=1.0), rest], above={"over": 1}), [])
        self.assertEqual(self.differences([self.row(over=5.01), rest], above={"over": 1}),
                         ["mesh:4x4: over 5.01, expected 4.00"])

    def test_columns_that_are_not_compared(self):
        rows = [self.row(steps=1), self.row("ring:5", 1, None)]
        self.assertEqual(self.differences(rows, compared=["over"]), [])
        self.assertEqual(self.differences(rows, unchecked=["steps"]), [])

    def test_rows_that_are_missing_or_too_many(self):
        self.assertEqual(self.differences([self.row()]), ["ring:5: did not come out"])
        self.assertEqual(self.differences([self.row()], complete=False), [])
        self.assertEqual(self.differences([], complete=True), ["nothing came out"])
        self.assertEqual(self.differences([self.row(), self.row()],
                         complete=False), ["mesh:4x4: not expected"])
        self.assertEqual(self.differences([self.row("ring:6")], complete=False), ["ring:6: not expected"])
        self.assertEqual(self.differences([self.row("ring:6")], known_only=True), [])

    def test_other_columns(self):
        self.assertEqual(self.differences([{"network": "ring:5", "steps": 3}]),
                         ["the columns are network, steps, and not network, steps, over"])

    def test_rows_by_their_place(self):
        rows = [{"steps": 1}, {"steps": 2}]
        self.assertEqual(tables.differences(rows, [{"steps": "1"}, {"steps": "3"}], {}, True),
                         ["row 2: steps 2, expected 3"])


class Limits(unittest.TestCase):
    """Columns with a least and a most value."""

    ROWS = [{"network": "a", "load": 0.1, "error": 5.0}, {"network": "b", "load": 0.9, "error": -7.0}]

    def test_both_ends(self):
        limit = {"column": "error", "least": -5, "most": 5}
        self.assertEqual(tables.beyond_limits(self.ROWS, limit), ["b, 0.9: error -7, allowed is -5 to 5"])
        self.assertEqual(tables.beyond_limits(self.ROWS, {**limit, "where": [["load", "<", 0.9]]}), [])
        self.assertEqual(len(tables.beyond_limits(self.ROWS, {**limit, "least": -8, "most": 4.9})), 1)


class Files(unittest.TestCase):
    """CSV files."""

    def test_what_is_written_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "table.csv"
            tables.write(path, [{"a": 1.0, "b": None, "c": "x,y", "d": 0.1}])
            self.assertEqual(path.read_text(encoding="utf-8"), 'a,b,c,d\n1,,"x,y",0.1\n')
            self.assertEqual(tables.read(path), [{"a": "1", "b": "", "c": "x,y", "d": "0.1"}])
            path.write_text("a,b\n1\n", encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "table.csv:2: not as many fields"):
                tables.read(path)


class Pictures(unittest.TestCase):
    """SVG of tables."""

    ROWS = [{"kind": kind, "x": x, "y": x * x, "z": x + 2} for kind in ("a", "b") for x in (1, 2, 3)]

    def draw(self, **picture):
        return pictures.draw_all({"title": "squares of {kind}", "table": "squares", **picture}, self.ROWS)

    def test_a_picture_for_each_value(self):
        files = self.draw(file="{kind}:1.svg", kind="lines", each="kind", curve="{kind}",
                          x={"column": "x", "scale": "log2"}, y={"column": "y", "label": "square"})
        self.assertEqual(sorted(files), ["a_1.svg", "b_1.svg"])
        for kind in "ab":
            self.assertIn(f"squares of {kind}", files[f"{kind}_1.svg"])
            self.assertIn("square", files[f"{kind}_1.svg"])

    def test_bars_and_boxes(self):
        self.assertIn("svg", self.draw(file="p.svg", kind="bars", category="{kind}{x}",
                                       bars=[["x", "one"], ["y", "two"]], y={"label": "y"})["p.svg"])
        self.assertIn("svg", self.draw(file="p.svg", kind="boxes", row="{kind}", begin="x", end="z",
                                       group="x",
                                       x={"label": "time"})["p.svg"])

    def test_nothing_to_draw(self):
        self.assertEqual(self.draw(file="p.svg", kind="lines", curve="{kind}", where=[["x", ">", 3]],
                                   x={"column": "x"}, y={"column": "y"}), {})


class Networks(unittest.TestCase):
    """Those of testbenches/large_scatters."""

    @classmethod
    def setUpClass(cls):
        sys.path.insert(0, str(TESTBENCHES / "large_scatters"))
        cls.networks = importlib.import_module("networks")

    def test_a_dragonfly_links_its_groups_completely_and_every_two_groups_once(self):
        for h, processors in ((1, 6), (2, 72), (3, 342), (4, 1056)):
            made = self.networks.dragonfly(h)
            size, groups = 2 * h, 2 * h * h + 1
            self.assertEqual(len(made["processors"]), processors)
            self.assertEqual(len(made["routers"]), size * groups)
            between, out = {}, [0] * (size * groups)
            for channel in made["channels"]:
                pair = channel["source"] // size, channel["target"] // size
                between[pair] = between.get(pair, 0) + 1
                out[channel["source"]] += 1
            self.assertEqual(set(out), {size - 1 + h})
            for a in range(groups):
                for b in range(groups):
                    self.assertEqual(between.get((a, b), 0), size * (size - 1) if a == b else 1)

    def test_a_random_regular_network_is_simple_connected_regular_and_that_of_its_seed(self):
        for routers, degree in ((4, 3), (16, 3), (64, 3), (64, 4), (9, 8), (128, 7)):
            for seed in (1, 2, 3):
                made = self.networks.random_regular(routers, degree, seed)
                channels = [(channel["source"], channel["target"]) for channel in made["channels"]]
                self.assertEqual(len(set(channels)), routers * degree)
                self.assertTrue(all(a != b for a, b in channels))
                self.assertTrue(self.networks.is_connected(routers, channels))
                self.assertEqual(made, self.networks.random_regular(routers, degree, seed))

    def test_networks_that_cannot_be(self):
        for network, error in (("dragonfly:0", "dragonfly:0: h is 1 to 16"),
                               ("dragonfly:2,4", "dragonfly:2,4: expected 1 numbers"),
                               ("random_regular:7,3,1", "random_regular:7,3,1: the degree"),
                               ("random_regular:8,3", "expected 3 numbers"),
                               ("random_regular:8,x,1", "no numbers")):
            with self.assertRaisesRegex(ValueError, error):
                self.networks.file_text(network)
        self.assertIsNone(self.networks.file_text("mesh:4x4"))


if __name__ == "__main__":
    unittest.main()
