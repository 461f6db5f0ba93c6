"""Searches and simulations from Python: what they return, again, from threads, and how they fail."""

import multiprocessing
import os
import signal
import stat
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import networkx
import numpy as np

import nocturne
from nocturne import Schedule
from nocturne._command import command

LIBRARY = Path(__file__).parents[3] / "schedules" / "library"


def octagon_schedule():
    return Schedule.load(LIBRARY / "octagon8_aas.json").complete_paths()


def time_of(schedule):
    return nocturne.replay(schedule, bytes=64).replays[0].time_ns


def delivered_by(schedule):
    """What each processor has at the end, without our validator; no two paths of a step share a channel."""
    messages = schedule.problem.collective.messages
    has = np.zeros((schedule.topology.processor_count, len(messages)), bool)
    for message, owed in enumerate(messages):
        has[owed.origin, message] = True
    for step in schedule.steps:
        used = np.concatenate([transfer.path for transfer in step])
        assert len(np.unique(used)) == len(used)
        before = has.copy()
        for transfer in step:
            assert before[transfer.source, transfer.message]
            has[transfer.destination, transfer.message] = True
    return has


class SearchTest(unittest.TestCase):
    def test_collectives_on_random_graphs(self):
        for seed, kind in enumerate(["OAB", "AAB", "OAS", "AAS", "AOG"]):
            with self.subTest(kind):
                network = nocturne.from_networkx(networkx.random_regular_graph(3, 6, seed=seed))
                problem = nocturne.Problem(network, kind, ports=1 + seed % 2)
                found = nocturne.schedule(problem, budget=10)
                self.assertEqual(found.schedule.violations(problem), [])
                self.assertIsNone(nocturne.check_bound(problem, found.bound))
                self.assertGreaterEqual(len(found.schedule), found.bound.steps)
                self.assertEqual(found.optimal, len(found.schedule) == found.bound.steps)
                self.assertEqual(found.optimal, found.end == "at the bound")
                has = delivered_by(found.schedule)
                for message, owed in enumerate(problem.collective.messages):
                    self.assertTrue(has[owed.receivers, message].all())

    def test_participants_get_through(self):
        for given in [{"kind": "MNS", "senders": [0, 1], "receivers": [5, 6]}, {"kind": "OAB", "source": 3},
                      {"kind": "multicast", "source": 4, "receivers": [0, 8]},
                      {"kind": "permutation", "image": [1, 2, 3, 4, 5, 6, 7, 8, 0]},
                      {"kind": "allgather", "group": [0, 2, 8], "parts": 2}]:
            with self.subTest(given["kind"]):
                problem = nocturne.Problem("mesh:3x3", nocturne.Collective(processors=9, **given), ports=1,
                                           slack=2)
                found = nocturne.schedule(problem, budget=10)
                self.assertEqual(found.schedule.violations(problem), [])

    def test_the_command_says_the_same(self):
        collective = nocturne.Collective("alltoall", 9, group=[0, 1, 4, 8], parts=2)
        problem = nocturne.Problem("torus:3x3", collective, ports=1, slack=0)
        found = nocturne.schedule(problem, budget=20)
        printed = command(["schedule", "torus:3x3", "--collective", "alltoall", "--group", "00,01,11,22",
                           "--chunks", "2", "--ports", "1", "--slack", "0", "--budget", "20"])
        self.assertEqual((len(found.schedule), found.bound.steps, found.engine),
                         (printed["steps"], printed["lower_bound"], printed["engine"]))
        self.assertEqual(nocturne.bound(problem).bound.steps, printed["lower_bound"])

    def test_a_bound_with_its_certificate(self):
        problem = nocturne.Problem("octagon:8", "AAS")
        result = nocturne.bound(problem)
        self.assertEqual((result.bound.steps, result.bound.kind), (4, "flow"))
        self.assertEqual(list(zip(result.bounds.steps, result.bounds.bound_kind)), [(4, "flow"), (3, "port")])
        self.assertEqual(result.printed[0].steps, 3)
        lengths = result.bound.certificate["channels"]
        self.assertEqual((lengths.shape, lengths.dtype), ((24,), np.int64))
        self.assertIsNone(nocturne.check_bound(problem, result.bound))
        self.assertIsNotNone(nocturne.check_bound(nocturne.Problem("octagon:8", "OAS"), result.bound))

    def test_the_network_in_a_result_is_the_one_asked_about(self):
        faulty = nocturne.Topology("mesh:3x3").with_faults(["link:00-01"])
        found = nocturne.schedule(nocturne.Problem(faulty, "OAS"), budget=10)
        self.assertEqual(found.schedule.topology, faulty)
        self.assertEqual(nocturne.claimed_bound(found.schedule), found.bound)

    def test_schedules_in_chunks(self):
        network = nocturne.from_networkx(networkx.cycle_graph(4), name="cycle")
        for kind, objective, given in [("allgather", "steps", {"chunks": 1}), ("allreduce", "time", {}),
                                       ("reduce", "time", {"source": "#2", "group": [1, 2, 3]})]:
            with self.subTest(kind):
                found = nocturne.schedule(network, collective=kind, objective=objective, budget=5,
                                          link_bytes=8, **given)
                self.assertEqual(found.schedule.violations(found.network), [])
                self.assertEqual(found.schedule.collective.kind, kind)
                self.assertEqual(len(found.network.links), 8)
                self.assertEqual(found.steps is None, objective == "time")
                self.assertGreaterEqual(found.time_cycles, np.nanmax(found.bounds.time_cycles))
        self.assertEqual({demand.receiver for demand in found.schedule.collective.demands}, {2})
        for objective, field in [("time", "time_cycles"), ("bandwidth", "rounds"), ("steps", "steps")]:
            for call in (nocturne.schedule, nocturne.bound):
                given = call(nocturne.Problem("ring:4", "allgather"), objective=objective, budget=5)
                self.assertIsNotNone(given.bound[field])
                self.assertTrue(np.isin(given.bound[field], getattr(given.bounds, field)))
        points = nocturne.front("ring:4", collective="allgather", most_chunks=2, budget=5).points
        self.assertTrue(all(point.rounds >= point.steps for point in points))


class ChunkReplayTest(unittest.TestCase):
    def test_sums_are_right_and_take_the_time_of_the_formula(self):
        for topology, options in [("ring:4", {}), (nocturne.Topology("mesh:2x3"), {"link_bytes": 8})]:
            found = nocturne.schedule(topology, collective="allreduce", objective="time", budget=5, chunks=4,
                                      **options)
            for element in "int32", "float32":
                replays = nocturne.replay(found, bytes=[400, 4096], element=element, t0_ns=500).replays
                self.assertEqual(len(replays), 2)
                for replay in replays:
                    self.assertEqual(replay.messages_delivered, replay.messages_owed)
                    self.assertIsNone(replay.stall)
                    self.assertGreaterEqual(replay.time_ns, replay.unblocked_ns)
                self.assertLess(replays[0].time_ns, replays[1].time_ns)

    def test_what_does_not_reduce_is_not_run(self):
        found = nocturne.schedule("ring:4", collective="allreduce", objective="time", budget=5)
        less = nocturne.ChunkedSchedule(found.schedule.collective, found.schedule.transfers[:-1])
        with tempfile.TemporaryDirectory() as folder:
            less.save(Path(folder) / "less.json", nocturne.Topology("ring:4"))
            replayed = nocturne.replay(Path(folder) / "less.json", bytes=64)
            self.assertIn("the contribution of", replayed.violations[0].text)
            self.assertNotIn("replays", replayed)
        with self.assertRaisesRegex(ValueError, "^element"):
            nocturne.replay(found, bytes=64, element="int8")


class ReplayTest(unittest.TestCase):
    def test_a_replay_takes_the_time_of_the_model(self):
        schedule = octagon_schedule()
        series = nocturne.replay(schedule, bytes=[64, 1024])
        np.testing.assert_array_equal(series.replays.message_bytes, [64, 1024])
        np.testing.assert_array_equal(series.replays.time_ns - series.replays.model_time_ns,
                                      series.replays.hop_overhead_ns)
        self.assertEqual((series.fit.t0_ns, series.fit.t1_ns_per_byte), (1000, 0.5))
        replay = series.replays[0]
        self.assertEqual((replay.steps, replay.step_times_ns.shape, replay.outcome), (4, (4,), "ok"))
        self.assertTrue(replay.valid and replay.memory_ok and replay.stall is None)
        self.assertEqual(replay.step_times_ns.sum(), replay.time_ns)
        # Each flit enters every channel of its path, and its processor's injection and ejection channel.
        hops = schedule.transfers["hops"].sum()
        self.assertEqual(replay.channels.flits.sum(), (hops + 2 * 56) * 64 // 4)
        self.assertEqual(list(replay.channels.channel[:2]), ["0->1", "1->0"])

    def test_again_and_from_threads_it_is_the_same(self):
        schedule = octagon_schedule()
        first = nocturne.replay(schedule, bytes=256, mode="self-timed", flit_bytes=8)
        self.assertEqual((first.replays[0].mode, first.replays[0].message_bytes), ("self-timed", 256))
        with ThreadPoolExecutor(3) as pool:
            others = list(pool.map(
                lambda _: nocturne.replay(schedule, bytes=256, mode="self-timed", flit_bytes=8), range(4)))
        for other in others:
            self.assertEqual(other, first)

    def test_from_forks_it_is_the_same(self):
        schedule = octagon_schedule()
        first = nocturne.replay(schedule, bytes=64).replays[0].time_ns
        with multiprocessing.get_context("fork").Pool(2) as pool:
            others = pool.map(time_of, [schedule, schedule])
        self.assertEqual(others, [first, first])

    def test_an_invalid_schedule_is_not_run(self):
        schedule = octagon_schedule()
        replay, = nocturne.replay(Schedule(schedule.problem, schedule.steps[1:])).replays
        self.assertFalse(replay.valid)
        self.assertEqual((replay.outcome, replay.time_ns), ("not run", 0))
        self.assertGreater(len(replay.violations), 0)

    def test_a_comparison_by_several_routings_names_the_strongest_run(self):
        comparison = nocturne.compare(octagon_schedule(), bytes=[64, 1024],
                                      traffic=["in-order", "shifted+chained"])
        self.assertEqual(set(comparison.by_traffic), {
            "schedule", "schedule, self-timed", "in-order, shortest+layers", "in-order, adaptive",
            "shifted+chained, shortest+layers", "shifted+chained, adaptive"})
        self.assertEqual([len(runs) for runs in comparison.by_traffic.values()], [2] * 6)
        for size, strongest in enumerate(comparison.strongest):
            times = {name: runs.time_ns[size] for name, runs in comparison.by_traffic.items()
                     if not name.startswith("schedule")}
            self.assertEqual(strongest.time_ns, min(times.values()))
            self.assertEqual(times[f"{strongest.traffic}, {strongest.routing}"], strongest.time_ns)
            self.assertEqual(strongest.time_over_schedule,
                             strongest.time_ns / comparison.by_traffic["schedule"].time_ns[size])
        self.assertEqual({run.vcs for run in comparison.runs}, {3})

    def test_a_comparison(self):
        comparison = nocturne.compare(octagon_schedule(), bytes=[64, 1024],
                                      traffic=["in-order", "shifted+chained"], routing="auto")
        self.assertEqual(list(comparison.by_traffic),
                         ["schedule", "schedule, self-timed", "in-order", "shifted+chained"])
        self.assertTrue(all(runs.time_ns.shape == (2,) for runs in comparison.by_traffic.values()))
        self.assertEqual(comparison.steps, 4)
        self.assertEqual(comparison.by_traffic["schedule"][0].blocked_cycles, 0)
        self.assertGreater(comparison.by_traffic["in-order"][1].blocked_cycles, 0)


class TrafficTest(unittest.TestCase):
    def test_latency_over_load(self):
        curve, = nocturne.traffic("mesh:3x3", load=[0.05, 0.1, 0.9], window=1000, warm_up=200,
                                  seed=3).curves
        np.testing.assert_array_equal(curve.points.load, [0.05, 0.1, 0.9])
        self.assertEqual([point.saturated for point in curve.points], [False, False, True])
        self.assertTrue(np.isnan(curve.points.average_packet_latency_cycles[2]))
        self.assertGreater(curve.points.p99_packet_latency_cycles[1],
                           curve.points.average_packet_latency_cycles[1])
        self.assertEqual((curve.seed, curve.highest_steady_load), (3, None))

    def test_classes_flows_and_a_packet_log(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.csv"
            result = nocturne.traffic("mesh:3x3", class_=["a,load=0.02,packet-flits=1", "b,load=0.05"],
                                      window=1000, warm_up=100, packet_log=log,
                                      flows=Path(folder) / "flows.csv")
            point = result.curves[0].points[0]
            self.assertEqual([each.traffic_class for each in point.classes], ["a", "b"])
            lines = log.read_text().splitlines()
            self.assertEqual(len(lines), 1 + point.packets)
            self.assertEqual(sum(flow.packets for flow in point.flows), point.measured_packets)

    def test_routers_copy_multicasts(self):
        def multicast(how):
            curve, = nocturne.traffic("mesh:4x4", pattern="multicast:5", load=0.2, window=3000,
                                      multicast=how).curves
            return curve.points[0].multicast
        unicasts, tree = multicast("unicasts"), multicast("tree")
        self.assertEqual(unicasts.multicasts, tree.multicasts)
        self.assertIn("unicasts", unicasts.sent_as)
        self.assertIn("routers copy", tree.sent_as)
        self.assertLess(tree.average_last_latency_cycles, unicasts.average_last_latency_cycles)

    def test_channels(self):
        curve = nocturne.traffic("ring:4", load=0.1, window=1000, warm_up=200, channel_use=True,
                                 batches=10).curves[0]
        self.assertEqual(curve.points[0].channels.utilisation.shape, (16, 10))

    def test_files_are_written_where_the_caller_is(self):
        before = os.getcwd()
        network = nocturne.from_networkx(networkx.cycle_graph(4), name="cycle")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                curve, = nocturne.traffic(network, load=0.1, window=500, warm_up=100,
                                          csv="table.csv").curves
                self.assertTrue(Path("table.csv").exists())
            finally:
                os.chdir(before)
        self.assertEqual(curve.topology, "cycle")

    def test_remarks_are_warnings(self):
        with self.assertWarnsRegex(UserWarning, "ring:5, routing shortest: can deadlock: "):
            result = nocturne.traffic("ring:5", load=0.05, routing="shortest", window=500, warm_up=100)
        point = result.curves[0].points[0]
        self.assertLessEqual(point.credit_wait_cycles, point.blocked_cycles)

    def test_saturation(self):
        curve, = nocturne.traffic("ring:4", saturation=True, tolerance=0.1, window=500, warm_up=100,
                                  model="worm").curves
        self.assertLess(curve.highest_steady_load, curve.lowest_saturated_load)
        self.assertTrue((np.diff(curve.points.load) > 0).all())

    def test_descriptions(self):
        self.assertFalse(nocturne.topology("ring:6", routing="shortest").deadlock_free)
        graph = networkx.path_graph(4)
        self.assertEqual(nocturne.topology(nocturne.from_networkx(graph)).maximum_hops,
                         networkx.diameter(graph))


class FailureTest(unittest.TestCase):
    def test_bad_input_gets_the_line_of_the_command(self):
        schedule = octagon_schedule()
        network = nocturne.from_channels([(0, 1), (1, 0)], name="pair")
        for call, line in [
                (lambda: nocturne.replay(schedule, bytes=0), "bytes 0: expected a message size"),
                (lambda: nocturne.replay(schedule, flit_bytes=0), "hardware: flit_bytes = 0: "),
                (lambda: nocturne.compare(schedule, bytes=[64]), "bytes"),
                (lambda: nocturne.traffic("mesh:3x3", load=0.1, pattern="unifrom"), "pattern"),
                (lambda: nocturne.traffic("mash:3x3", load=0.1), "topology: mash:3x3: unknown network"),
                (lambda: nocturne.traffic(network, load=0.1, routing="xy"), "topology: pair: "),
                (lambda: nocturne.schedule(network, collective="rumour"), "collective"),
                (lambda: nocturne.replay("nowhere.json"), "schedule: nowhere.json: cannot read"),
                (lambda: nocturne.traffic("ring:4", load=2, closed_loop=1), "closed_loop: "),
                (lambda: nocturne.traffic(None, load=0.1), "traffic: topology is missing"),
                (lambda: nocturne.traffic("ring:4", load=[]), "the argument for option 'load'"),
                (lambda: nocturne.fields("speed"), "kind: ")]:
            with self.assertRaises(ValueError) as caught:
                call()
            self.assertTrue(str(caught.exception).startswith(line), caught.exception)
            self.assertNotIn("\n", str(caught.exception))
            self.assertNotIn("--", str(caught.exception))
        for call in (lambda: nocturne.replay(schedule, foo=1), lambda: nocturne.replay()):
            with self.assertRaisesRegex(TypeError, r"^replay\(\) .*('foo'|'schedule')"):
                call()

    def test_what_could_not_be_found_is_an_error_with_the_line_of_the_command(self):
        with self.assertRaisesRegex(ValueError, "AAS on octagon:8"):
            nocturne.schedule(octagon_schedule().problem, steps=2)

    def run_as(self, script):
        """Describes a network with a shell script as the command."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "nocturne"
            path.write_text("#!/bin/sh\n" + script)
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
            with mock.patch.dict(os.environ, NOCTURNE=str(path)):
                return nocturne.topology("ring:4")

    def test_a_worker_that_died_is_no_bad_input(self):
        with self.assertRaisesRegex(nocturne.WorkerError, "^job 1: worker process was killed$"):
            self.run_as('echo "nocturne: job 1: worker process was killed" >&2; exit 3')
        with self.assertRaises(KeyboardInterrupt):
            self.run_as("exit 130")
        with mock.patch.dict(os.environ, NOCTURNE="/nowhere/nocturne"):
            with self.assertRaisesRegex(nocturne.WorkerError, "^/nowhere/nocturne: No such file"):
                nocturne.topology("ring:4")

    def test_an_interrupt_ends_the_command(self):
        before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(KeyboardInterrupt):
                    # More than a pipe holds: it goes on when somebody reads.
                    self.run_as(f"echo $$ > {folder}/id; head -c 200000 /dev/zero; kill -INT $PPID; "
                                "exec sleep 1000")
                with self.assertRaises(ProcessLookupError):
                    os.kill(int((Path(folder) / "id").read_text()), 0)
        finally:
            signal.signal(signal.SIGINT, before)


if __name__ == "__main__":
    unittest.main()
