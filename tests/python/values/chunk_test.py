"""Networks of links, collectives in chunks, and their schedules as Python values."""

import random
import tempfile
import unittest
from pathlib import Path

import numpy as np

import nocturne
from nocturne import Collective, ChunkedSchedule, ChunkTransfer, LinkNetwork


def ring(size, latency=10):
    return LinkNetwork("ring", size, [(i, (i + 1) % size, 4, latency) for i in range(size)])


def ring_allgather(size):
    """Each chunk goes around a one-way ring, a link a step."""
    transfers = [ChunkTransfer((chunk + step) % size, (chunk + step + 1) % size, chunk,
                               path=[(chunk + step) % size], step=step)
                 for step in range(size - 1) for chunk in range(size)]
    return ChunkedSchedule(Collective("allgather", size), transfers, [1] * (size - 1))


def ring_reduction(size):
    """A chunk that all contribute to, added up along a one-way ring to node 0, under dependencies."""
    collective = Collective("reduce", size, source=0)
    return ChunkedSchedule(collective, [
        ChunkTransfer(node, (node + 1) % size, 0, add=True, path=[node], after=[node - 2] if node > 1 else [])
        for node in range(1, size)])


class ChunkTest(unittest.TestCase):
    def test_networks(self):
        network = LinkNetwork("two and a switch", 2, [(0, 2, 50, 700), (2, 1, 100, 0)], [("nvswitch", True)])
        self.assertEqual((network.processor_count, network.node_names, network.unit_bytes_per_cycle),
                         (2, ["0", "1", "nvswitch"], 50))
        self.assertEqual(network.links.tolist(), [(0, 2, 50, 700), (2, 1, 100, 0)])
        mesh = LinkNetwork.of("mesh:2x2", bytes_per_cycle=8)
        self.assertEqual(len(mesh.links), 8)
        self.assertTrue((mesh.links["bytes_per_cycle"] == 8).all())
        with self.assertRaises(ValueError):
            LinkNetwork("loop", 2, [(0, 0, 4, 1)])

    def test_collectives(self):
        allreduce = Collective("all-reduce", 4, parts=3)
        self.assertEqual(allreduce.kind, "allreduce")
        self.assertEqual((len(allreduce.chunks), len(allreduce.demands)), (3, 12))
        self.assertEqual(allreduce.chunks[0].contributors, [0, 1, 2, 3])
        self.assertEqual(Collective("allgather", 4).reversed().kind, "reduce-scatter")
        weighted = Collective("allgather", 3, weights=[1, 2, 3])
        self.assertEqual([chunk.weight for chunk in weighted.chunks], [1, 2, 3])
        pair = Collective.custom(3, [[0, 2]], [(0, 1, [0, 2])])
        self.assertEqual((pair.kind, pair.demands[0].receiver), ("custom", 1))
        self.assertEqual(pair.demands[0].contributors, [0, 2])
        for make in [lambda: Collective("reduce", 4, source=4), lambda: Collective("rumour", 4),
                     lambda: Collective("scan", 4, weights=[1, 2]),
                     lambda: Collective.custom(2, [[0]], [], weights=[1, 2])]:
            with self.assertRaises(ValueError) as caught:
                make()
            self.assertNotIn("\n", str(caught.exception))

    def test_a_schedule_in_steps_and_its_reverse(self):
        for size in range(2, 8):
            network, schedule = ring(size), ring_allgather(size)
            self.assertEqual(schedule.violations(network), [])
            # S alpha + R m beta.
            self.assertEqual(schedule.time(network, bytes_per_weight=400), (size - 1) * (10 + 100))
        back = LinkNetwork("both ways", 3, [*((i, (i + 1) % 3, 4, 1) for i in range(3)),
                                            *(((i + 1) % 3, i, 4, 1) for i in range(3))])
        added = ring_allgather(3).reversed(back)
        self.assertEqual(added.collective.kind, "reduce-scatter")
        self.assertTrue(all(transfer.add for transfer in added.transfers))
        self.assertEqual(added.violations(back), [])

    def test_a_schedule_under_dependencies(self):
        schedule, network = ring_reduction(5), ring(5)
        self.assertEqual(schedule.violations(network), [])
        self.assertIsNone(schedule.rounds)
        np.testing.assert_array_equal(schedule.end_times(network, bytes_per_weight=40), [20, 40, 60, 80])
        self.assertEqual(schedule.time(network, bytes_per_weight=40, start_cycles=5), 100)
        with self.assertRaises(ValueError):
            ring_allgather(3).end_times(ring(3))

    def test_files(self):
        topology = nocturne.from_channels([(i, (i + 1) % 4) for i in range(4)], name="one-way ring")
        schedule, network = ring_allgather(4), LinkNetwork.of(topology, bytes_per_cycle=8)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chunks.json"
            schedule.save(path, topology, bytes_per_cycle=8)
            read, read_network, read_topology = nocturne.load_chunks(path)
            self.assertEqual(read_topology, topology)
            self.assertEqual(read_network.links.tolist(), network.links.tolist())
            self.assertEqual(repr(read.transfers), repr(schedule.transfers))
            self.assertEqual(read.violations(read_network), [])
            self.assertEqual(read.made_for, {"bytes": None, "start_cycles": None, "latency_holds_link": False,
                                             "cycle_ns": None})
            nocturne.schedule("ring:4", collective="allgather", objective="time", start_cycles=3,
                              cycle_ns=0.5, bytes="1KiB", output=path)
            self.assertEqual(nocturne.load_chunks(path)[0].made_for,
                             {"bytes": 1024, "start_cycles": 3, "latency_holds_link": False, "cycle_ns": 0.5})
            path.write_text("{}")
            with self.assertRaisesRegex(ValueError, f"^{path}"):
                nocturne.load_chunks(path)

    def test_a_schedule_of_a_file_knows_its_network(self):
        """Everything that asks for a network does without, and finds the same as with it."""
        topology = nocturne.Topology("ring:4")
        found = nocturne.schedule(topology, collective="allreduce", objective="time", link_bytes=8, budget=5)
        schedule, network = found.schedule, found.network
        self.assertEqual(schedule.network, network)
        self.assertEqual(schedule.violations(), [])
        self.assertEqual(schedule.time(), schedule.time(network))
        self.assertEqual(schedule.end_times().tolist(), schedule.end_times(network).tolist())
        self.assertTrue(nocturne.replay(schedule, bytes=64).replays[0].memory_ok)
        self.assertTrue(nocturne.validate(schedule).valid)
        self.assertIn("<iframe", schedule._repr_html_())
        gathers = nocturne.schedule(topology, collective="allgather", objective="steps", chunks=1,
                                    link_bytes=8, budget=5).schedule
        self.assertEqual(gathers.in_steps(), gathers.in_steps(topology, 8))
        self.assertEqual(gathers.reversed().collective.kind, "reduce-scatter")
        self.assertEqual(gathers.reversed().violations(), [])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "chunks.json"
            schedule.save(path)
            self.assertEqual(nocturne.load_chunks(path)[0], schedule)
            self.assertEqual(nocturne.load_chunks(path)[1], network)
            self.assertTrue(nocturne.certify(path).proven)  # its bounds are there
            schedule.save(path, topology, 16)
            self.assertEqual(nocturne.load_chunks(path)[1], LinkNetwork.of(topology, bytes_per_cycle=16))

    def test_a_schedule_made_here_knows_the_network_that_it_is_given(self):
        one_way = nocturne.from_channels([(i, (i + 1) % 4) for i in range(4)], name="one-way")
        alone = ring_allgather(4)
        for network in (one_way, LinkNetwork.of(one_way)):
            self.assertEqual(alone.violations(network), [])
        placed = ChunkedSchedule(alone.collective, alone.transfers, alone.rounds, topology=one_way)
        self.assertEqual((placed.topology, placed.violations()), ("one-way", []))
        self.assertNotEqual(placed, alone)
        named = ChunkedSchedule(alone.collective, alone.transfers, alone.rounds, topology="one-way")
        for schedule, network in [(alone, "ring:4"), (named, "one-way")]:
            self.assertIsNone(schedule.network)
            self.assertIn("allgather of 4 processors", schedule._repr_html_())
            for call, typed in [(schedule.violations, "violations("), (schedule.time, "time("),
                                (schedule.reversed, "reversed("), (schedule.in_steps, "in_steps("),
                                (lambda: schedule.save("a.json"), "save(path, "),
                                (lambda: nocturne.replay(schedule, bytes=64), "save(path, ")]:
                with self.assertRaises(ValueError) as caught:
                    call()
                self.assertIn(f"{typed}nocturne.Topology('{network}'))", str(caught.exception))

    def test_random_damage_is_seen(self):
        schedule, network = ring_allgather(6), ring(6)
        for seed in range(60):
            numbers = random.Random(seed)
            transfers = schedule.transfers
            lost = transfers.pop(numbers.randrange(len(transfers)))
            if seed % 2:
                transfers.insert(0, ChunkTransfer(lost.source, lost.destination, (lost.place + 1) % 6,
                                                  path=lost.path, step=0))
            damaged = ChunkedSchedule(schedule.collective, transfers, schedule.rounds)
            self.assertNotEqual(damaged.violations(network), [], seed)
            with self.assertRaises(ValueError):
                damaged.time(network)

    def test_each_defect_has_its_rule(self):
        network = ring(3)
        collective = Collective("reduce", 3, source=0)
        once = [ChunkTransfer(1, 2, 0, add=True, path=[1]),
                ChunkTransfer(2, 0, 0, add=True, path=[2], after=[0])]

        def rules(transfers):
            return [violation.rule for violation in
                    ChunkedSchedule(collective, transfers).violations(network)]

        self.assertEqual(rules(once), [])
        self.assertEqual(rules(once[:1]), ["missing-contribution"])
        again = ChunkTransfer(2, 0, 0, add=True, path=[2], after=[1])
        self.assertEqual(rules([*once, again]), ["added-twice"])
        self.assertEqual(rules([once[0], ChunkTransfer(2, 0, 0, add=True, path=[2])]), ["race"])
        self.assertEqual(rules([once[0], ChunkTransfer(2, 0, 0, add=True, path=[7], after=[0])])[0],
                         "unknown-channel")


if __name__ == "__main__":
    unittest.main()
