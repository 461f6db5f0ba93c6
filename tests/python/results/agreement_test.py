"""Each kind of result once in JSON, CSV, SQLite and Python: the same rows everywhere."""

import csv
import json
import math
import sqlite3
import tempfile
import unittest
from pathlib import Path

import nocturne
from nocturne._command import command
from nocturne.results import Result, Rows

PROJECT = Path(__file__).parents[3]
OCTAGON = str(PROJECT / "schedules" / "library" / "octagon8_aas.json")
KINDS = {result["name"]: result for result in command(["man", "results"])["results"]}
TRAFFIC = {"topology": "ring:4", "window": 500, "warm-up": 100}

# What makes a result of each kind, with the options of the command.
CALLS = {
    "topology": ("topology", {"topology": "mesh:2x3", "measure": True, "routing": "xy"}),
    "network kinds": ("topology", {"list": True}),
    "design": ("design", {"nodes": 8, "links": 3, "exchanges": 100}),
    "bound": ("bound", {"topology": "mesh:2x2", "collective": "AAS"}),
    "schedule": ("schedule", {"topology": "ring:4", "collective": "AAB"}),
    "collectives at once": ("schedule", {"topology": "ring:4",
                                         "collectives": f"{PROJECT}/examples/collectives/pipeline.json"}),
    "front": ("front", {"topology": "ring:4", "collective": "allgather", "most-chunks": 1}),
    "audit": ("audit", {"log": f"{PROJECT}/examples/audit/all_reduce_h200.log",
                        "topology": "dgx_h100", "budget": 0}),
    "reschedule": ("reschedule", {"schedule": OCTAGON, "fault": "link:0-1"}),
    "faults": ("reschedule", {"schedule": "ring:4", "table": "channel", "collective": "OAB"}),
    "chunk faults": ("reschedule", {"schedule": "ring:4", "table": "link", "collective": "allreduce",
                                    "bytes": "1KiB"}),
    "evolve": ("evolve", {"topology": "ring:4", "collective": "AAS", "engine": "umda", "evaluations": 3000}),
    "certify": ("certify", {"result": OCTAGON}),
    "validate": ("validate", {"schedule": OCTAGON}),
    "validate program": ("validate", {"schedule": f"{PROJECT}/examples/traffic/stencil.goal"}),
    "replay": ("replay", {"schedule": OCTAGON, "bytes": "64,128"}),
    "compare": ("compare", {"schedule": OCTAGON, "bytes": "64,128", "traffic": "shifted"}),
    "recover": ("recover", {"schedule": OCTAGON, "fault": "link:0-1", "at-step": 2}),
    "traffic": ("traffic", {**TRAFFIC, "load": "0.1,0.2"}),
    "closed loops": ("traffic", {**TRAFFIC, "closed-loop": "1,2"}),
    "trace": ("traffic", {"topology": "mesh:4x4", "trace": f"{PROJECT}/examples/traffic/application.csv"}),
    "contracts": ("contract", {"topology": "ring:4", "check": 500,
                               "flow": ["source=0,destination=2,mbytes_per_s=100",
                                        "source=1,destination=3,mbytes_per_s=50,message_bytes=16"]}),
    "benes": ("benes", {"processors": 4, "samples": 3, "references": "wormhole", "reference-samples": 2}),
    "export schedule": ("export", {"what": "CHUNKS", "goal": "FOLDER/{point}.goal"}),
}
# These are files that a command writes beside its result, or write where they must not twice.
WITHOUT_SWEEP = {"evolution history", "runs of a load", "export rtl", "sweep", "report", "import"}


def rows_of(kind, document, before=()):
    """The rows of a table as (name, value), from JSON and the descriptions alone."""
    row, rows = list(before), []
    for field in KINDS[kind]["fields"]:
        value = document.get(field["name"])
        if field["kind"] in ("text", "flag", "number"):
            row.append((field["name"], value))
        elif field["kind"] == "object":
            row += [(f"{field['name']}_{name}", inner)
                    for name, inner in rows_of(field["parts"], value or {})[0]]
    inner = [field for field in KINDS[kind]["fields"] if field["is_table"]]
    for field in inner:
        for part in document.get(field["name"], []):
            rows += rows_of(field["parts"], part, row)
    return rows or [row]


def is_clock(name):
    return name == "seconds" or name.endswith("_seconds")


class AgreementTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.chunks = str(Path(cls.folder.name) / "chunks.json")
        command(["schedule", "ring:4", "--collective", "allreduce", "--objective", "time", "--chunks", "4",
                 "-o", cls.chunks])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def swept(self, subcommand, options):
        """Document, rows of the database and rows of the CSV of a sweep with one point."""
        folder = Path(self.folder.name)
        plan = {"command": subcommand, "options": options, "sweep": [{"workers": [1]}]}
        (folder / "a.json").write_text(json.dumps(plan))
        for old in [*folder.glob("*.db"), *folder.glob("*.goal")]:
            old.unlink()
        swept = command(["sweep", str(folder / "a.json"), "-o", str(folder / "a.db"),
                         "--csv", str(folder / "a.csv")])
        self.assertEqual(len(swept["failures"]), 0, swept["failures"])
        with sqlite3.connect(folder / "a.db") as database:
            document = json.loads(database.execute("SELECT document FROM documents").fetchone()[0])
            cursor = database.execute("SELECT * FROM results")
            names = [column[0] for column in cursor.description]
            stored = [dict(zip(names, row)) for row in cursor]
        with open(folder / "a.csv", newline="") as file:
            return document, stored, list(csv.DictReader(file))

    def assert_same(self, name, value, stored, written, attribute):
        self.assertEqual(None if value is None else type(value)(stored), value, name)
        self.assertEqual(attribute, value, name)
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        if isinstance(value, float):
            self.assertTrue(math.isclose(float(written), value, rel_tol=1e-15), name)
        else:
            self.assertEqual(written, text, name)

    def check(self, kind, subcommand, options):
        options = {name: value.replace("CHUNKS", self.chunks).replace("FOLDER", self.folder.name)
                   if isinstance(value, str) else value for name, value in options.items()}
        document, stored, written = self.swept(subcommand, options)
        self.assertEqual(document["result"], kind)
        expected, attributes = rows_of(kind, document), rows_of(kind, Result(document))
        self.assertEqual((len(stored), len(written)), (len(expected), len(expected)))
        for row, attribute, from_database, from_csv in zip(expected, attributes, stored, written):
            for (name, value), (_, in_python) in zip(row, attribute):
                if not is_clock(name):
                    column = f"result_{name}" if f"result_{name}" in from_database else name
                    self.assert_same(name, value, from_database[column], from_csv[column], in_python)

    def test_every_kind(self):
        for kind, (subcommand, options) in CALLS.items():
            with self.subTest(kind):
                self.check(kind, subcommand, options)

    def test_every_kind_is_among_them(self):
        tops = {result["name"] for result in KINDS.values() if result["is_printed"]}
        self.assertEqual(tops, set(CALLS) | WITHOUT_SWEEP)

    def test_rows_are_arrays(self):
        points = nocturne.traffic("ring:4", load=[0.1, 0.9], window=500, warm_up=100).curves[0].points
        self.assertIsInstance(points, Rows)
        self.assertEqual(points.saturated.tolist(), [False, True])
        self.assertTrue(math.isnan(points.average_packet_latency_cycles[1]))
        self.assertIsNone(points[1].average_packet_latency_cycles)


if __name__ == "__main__":
    unittest.main()
