"""The notebooks of examples/notebooks run cell by cell, without Jupyter, and find what their text says."""

import contextlib
import importlib.util
import io
import json
import unittest
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[3] / "examples/notebooks"


def source_of(cell):
    return "".join(cell["source"])


@unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
class NotebookTest(unittest.TestCase):
    def run_notebook(self, name):
        """Its variables, after all cells."""
        notebook = json.loads((NOTEBOOKS / name).read_text(encoding="utf-8"))
        values = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    exec(compile(source_of(cell), f"{name}, {cell['id']}", "exec"), values)
        return values

    def test_load_curves(self):
        values = self.run_notebook("load_curves.ipynb")
        frame, steady = values["frame"], values["steady"]
        self.assertEqual(len(frame), 15)
        for routing, rows in frame.groupby("routing"):
            steady_rows = rows[~rows["saturated"].astype(bool)]
            self.assertEqual(steady_rows["load"].max(), steady[routing])
            self.assertTrue(steady_rows["average_packet_latency_cycles"].is_monotonic_increasing)
        self.assertEqual(values["page"].results, 1)

    def test_packets(self):
        values = self.run_notebook("packets.ipynb")
        points = values["traffic"].curves[0].points
        by_hops, frame = values["by_hops"], values["frame"]
        self.assertEqual(by_hops["count"].sum(), len(frame))
        self.assertTrue(by_hops["min"].is_monotonic_increasing)  # a hop is never free
        self.assertTrue((frame["queueing"] >= 0).all() and (frame["latency"] > frame["queueing"]).all())
        # The log has all packets, the result those of the window.
        self.assertGreaterEqual(len(frame), points[0].measured_packets)
        ratio = frame["latency"].mean() / points[0].average_packet_latency_cycles
        self.assertAlmostEqual(ratio, 1, delta=0.1)
        self.assertEqual(len(values["axes"].get_xticks()), len(by_hops))
        values["folder"].cleanup()

    def test_notebooks_are_kept_without_outputs(self):
        for path in sorted(NOTEBOOKS.glob("*.ipynb")):
            notebook = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5), path)
            for cell in notebook["cells"]:
                self.assertEqual(cell.get("outputs", []), [], f"{path}, {cell['id']}")
                self.assertTrue(all(len(line) <= 121 for line in cell["source"]), f"{path}, {cell['id']}")


if __name__ == "__main__":
    unittest.main()
