"""Problems, schedules, bounds and their judges, without any search or simulation."""

import pickle
import random
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import nocturne
from nocturne import Schedule, Transfer

LIBRARY = Path(__file__).parents[3] / "schedules" / "library"


def ring_schedule(size):
    """All-to-all broadcast around a one-way ring: what came in a step goes on in the next."""
    network = nocturne.from_channels([(i, (i + 1) % size) for i in range(size)], name="one-way ring")
    steps = [[Transfer((i - step) % size, i, (i + 1) % size, [i]) for i in range(size)]
             for step in range(size - 1)]
    return Schedule(nocturne.Problem(network, "AAB"), steps, "around", "by hand")


def rules_of(schedule, steps):
    violations = Schedule(schedule.problem, steps).violations()
    return [violation.rule for violation in violations]


class ProblemTest(unittest.TestCase):
    def test_what_a_problem_says(self):
        problem = nocturne.Problem("mesh:2x2", "all-to-all", ports=1, slack=0)
        self.assertEqual(str(problem), "AAS on mesh:2x2, 1-port, wormhole, minimal paths")
        self.assertEqual((problem.ports, problem.slack, problem.switching, problem.collective.kind),
                         (1, 0, "wormhole", "alltoall"))
        self.assertEqual(nocturne.Problem("omega:8", "AAB").ports, 1)
        self.assertEqual(nocturne.Problem("ring:4", "OAB", source=2).collective.source, 2)

    def test_collectives(self):
        for kind, given, messages in [("AAB", {}, 6), ("AAS", {}, 30), ("OAS", {"source": 3}, 5),
                                      ("gather", {"source": 1}, 5),
                                      ("multicast", {"source": 0, "receivers": [2, 4]}, 1),
                                      ("MNS", {"senders": [0, 1], "receivers": [1, 2]}, 3),
                                      ("permutation", {"image": [1, 0, 2, 3, 5, 4]}, 4)]:
            with self.subTest(kind):
                collective = nocturne.Collective(kind, 6, **given)
                self.assertEqual(len(collective.messages), messages)
                for name, value in given.items():
                    self.assertEqual(getattr(collective, name), value)
        scatter = nocturne.Collective("scatter", 3)
        self.assertEqual([(m.origin, m.receivers) for m in scatter.messages], [(0, [1]), (0, [2])])

    def test_problems_that_cannot_be_posed(self):
        for make in [lambda: nocturne.Problem("mesh:2x2", "foo"), lambda: nocturne.Problem("mesh:2x2", "MNS"),
                     lambda: nocturne.Problem("mesh:2x2", "AAS", ports=0),
                     lambda: nocturne.Problem("mesh:2x2", "AAS", switching="store-and-forward", slack=1),
                     lambda: nocturne.Problem("mesh:2x2", nocturne.Collective("AAS", 5)),
                     lambda: nocturne.Problem("mesh:2x2", "OAB", source=4),
                     lambda: nocturne.Problem(nocturne.from_channels([(0, 1)]), "AAS")]:
            with self.assertRaises(ValueError) as caught:
                make()
            self.assertNotIn("\n", str(caught.exception))


class ScheduleTest(unittest.TestCase):
    def test_a_schedule_of_plain_values(self):
        schedule = ring_schedule(5)
        self.assertEqual(schedule.violations(), [])
        self.assertEqual(schedule.violations(schedule.problem), [])
        self.assertEqual((len(schedule), schedule.name, schedule.source), (4, "around", "by hand"))
        rows = schedule.transfers
        self.assertEqual(len(rows), 20)
        np.testing.assert_array_equal(np.bincount(rows["destination"]), [4] * 5)
        self.assertTrue((rows["hops"] == 1).all())

    def test_round_trips(self):
        for schedule in [ring_schedule(4), *(Schedule.load(path) for path in sorted(LIBRARY.glob("*.json")))]:
            with self.subTest(schedule.name), tempfile.TemporaryDirectory() as folder:
                self.assertEqual(Schedule(schedule.problem, schedule.steps, schedule.name, schedule.source),
                                 schedule)
                self.assertEqual(pickle.loads(pickle.dumps(schedule)), schedule)
                for name in ("schedule.json", "schedule.nsched"):
                    schedule.save(Path(folder) / name)
                    self.assertEqual(Schedule.load(Path(folder) / name), schedule)

    def test_each_defect_has_its_rule(self):
        schedule = ring_schedule(4)
        steps = schedule.steps
        self.assertEqual(rules_of(schedule, [*steps[:2], steps[2][1:]]), ["undelivered"])
        self.assertEqual(rules_of(schedule, [*steps, [Transfer(0, 0, 1, [0])]]), ["redundant-delivery"])
        self.assertEqual(rules_of(schedule, [[Transfer(0, 0, 1), *steps[0][1:]], *steps[1:]]),
                         ["missing-path"])
        self.assertEqual(rules_of(schedule, [[Transfer(0, 0, 1, [9]), *steps[0][1:]], *steps[1:]]),
                         ["unknown-channel"])
        self.assertEqual(rules_of(schedule, [[Transfer(0, 0, 1, [1]), *steps[0][1:]], *steps[1:]]),
                         ["broken-path", "channel-conflict"])
        other = nocturne.Problem(schedule.topology, "AAB", ports=2)
        self.assertEqual([v.rule for v in schedule.violations(other)], ["wrong-problem"])
        self.assertTrue({"undelivered", "broken-path"} < set(nocturne.validation_rules()))

    def test_a_violation_says_where(self):
        schedule = ring_schedule(4)
        steps = schedule.steps
        steps[1].append(Transfer(0, 0, 1, [0]))
        violation = Schedule(schedule.problem, steps).violations()[0]
        self.assertEqual((violation.step, violation.transfer), (1, 4))
        self.assertEqual(violation.rule, "channel-conflict")
        self.assertIn(": step 2, transfer 5 (0>1): ", violation.text)

    def test_random_damage_is_seen(self):
        schedule = Schedule.load(LIBRARY / "octagon8_aas.json").complete_paths()
        self.assertEqual(schedule.violations(), [])
        for seed in range(100):
            numbers = random.Random(seed)
            steps = schedule.steps
            step = numbers.choice(steps)
            transfer = step.pop(numbers.randrange(len(step)))
            if seed % 2:
                step.append(Transfer(transfer.message, transfer.destination, transfer.source, transfer.path))
            self.assertNotEqual(rules_of(schedule, steps), [], seed)

    def test_threads_share_values(self):
        schedule = Schedule.load(LIBRARY / "octagon8_aas.json")
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda _: schedule.complete_paths(), range(8)))
        self.assertTrue(all(result == results[0] and result.violations() == [] for result in results))

    def test_bad_files_get_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bad.json"
            path.write_text('{"steps": 3}')
            for read in (Schedule.load, nocturne.load_result):
                with self.assertRaises(ValueError) as caught:
                    read(path)
                self.assertTrue(str(caught.exception).startswith(str(path)))
                self.assertNotIn("\n", str(caught.exception))


class BoundTest(unittest.TestCase):
    def test_a_claim_is_checked(self):
        problem = nocturne.Problem("ring:5", "AAB")
        true = nocturne.Bound.from_json('{"steps": 2, "kind": "port", "reason": "ports"}', problem.topology)
        self.assertIsNone(nocturne.check_bound(problem, true))
        self.assertEqual((true.steps, true.kind, true.certificate), (2, "port", None))
        false = nocturne.Bound.from_json('{"steps": 3, "kind": "port", "reason": "?"}', problem.topology)
        self.assertIsInstance(nocturne.check_bound(problem, false), str)
        self.assertEqual(nocturne.Bound.from_json(true.to_json(problem.topology), problem.topology), true)
        self.assertNotEqual(true, false)
        with self.assertRaises(ValueError):
            nocturne.Bound.from_json('{"steps": 3, "kind": "hunch"}', problem.topology)
        with self.assertRaises(ValueError):
            nocturne.Bound.from_json("[", problem.topology)

    def test_results_of_the_gallery(self):
        for path in sorted((LIBRARY / "gallery").rglob("*.json"))[:12]:
            with self.subTest(path.name):
                problem, schedule, bound = nocturne.load_result(path)
                self.assertEqual(schedule.violations(problem), [])
                self.assertEqual(nocturne.claimed_bound(schedule), bound)
                self.assertIsNone(nocturne.check_bound(problem, bound))


if __name__ == "__main__":
    unittest.main()
