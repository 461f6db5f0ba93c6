"""Binary packet logs as arrays, against the same log as CSV."""

import csv
import tempfile
import unittest
from pathlib import Path

import numpy as np

import nocturne


class PacketsTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def logs(self, model):
        options = {"window": 1000, "warm_up": 200, "model": model, "class_": ["a,load=0.05", "b,load=0.1"]}
        for name in ("log.csv", "log.bin"):
            nocturne.traffic("mesh:3x3", packet_log=self.folder / name, **options)
        with open(self.folder / "log.csv", newline="") as file:
            return list(csv.DictReader(file)), nocturne.load_packets(self.folder / "log.bin")

    def test_they_are_the_same(self):
        for model in ("flit", "worm"):
            with self.subTest(model):
                lines, log = self.logs(model)
                self.assertIsInstance(log.packets, np.memmap)
                self.assertEqual(log.classes, ("a", "b"))
                self.assertEqual((log.cycle_ns, log.sample, log.seed), (2.0, 1, 1))
                packets = log.packets
                for name in ("packet", "flits", "created_cycle", "injected_cycle", "ejected_cycle", "hops"):
                    self.assertEqual([int(line[name]) for line in lines], packets[name].tolist())
                for name, names in (("class", log.classes), ("source", log.processors),
                                    ("destination", log.processors)):
                    self.assertEqual([line[name] for line in lines], [names[i] for i in packets[name]])

    def test_numpy_reads_it_without_us(self):
        _, log = self.logs("worm")
        path = self.folder / "log.bin"
        with open(path, "rb") as file:
            offset = len(file.readline())
        self.assertEqual(offset % 64, 0)
        read = np.fromfile(path, log.packets.dtype, offset=offset)
        self.assertTrue((read == log.packets).all())

    def test_what_is_no_log(self):
        self.logs("worm")
        whole = (self.folder / "log.bin").read_bytes()
        for content in (b"", b"class,packet\n", whole[:-1], b"{}\n", b"[1]\n", b'{"format": 1}\n', b"\xff\n"):
            path = self.folder / "other.bin"
            path.write_bytes(content)
            with self.assertRaisesRegex(ValueError, "other.bin: no binary packet log"):
                nocturne.load_packets(path)
        with self.assertRaises(OSError):
            nocturne.load_packets(self.folder / "none.bin")
        (self.folder / "empty.bin").write_bytes(whole[:whole.index(b"\n") + 1])
        self.assertEqual(len(nocturne.load_packets(self.folder / "empty.bin").packets), 0)


if __name__ == "__main__":
    unittest.main()
