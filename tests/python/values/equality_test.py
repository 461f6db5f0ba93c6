"""Values are equal if what they hold is, and equal ones have the same hash."""

import unittest

import nocturne
from nocturne import ChunkTransfer, Collective, LinkNetwork, Transfer

LINKS = [(i, (i + 1) % 3, 4, 10) for i in range(3)]


def one_way_ring(size=3):
    return nocturne.from_channels([(i, (i + 1) % size) for i in range(size)], name="ring")


def around(network, step_count):
    steps = [[Transfer((i - step) % 3, i, (i + 1) % 3, [i]) for i in range(3)]
             for step in range(step_count)]
    return nocturne.Schedule(nocturne.Problem(network, "AAB"), steps)


def chunked(add_last):
    return nocturne.ChunkedSchedule(Collective("reduce", 3, source=0), [
        ChunkTransfer(1, 2, 0, add=True, path=[1]),
        ChunkTransfer(2, 0, 0, add=add_last, path=[2], after=[0])])


# Each makes a new value for True and another one for False.
MAKERS = {
    "Topology": lambda same: one_way_ring(3 if same else 4),
    "Collective": lambda same: Collective("allgather", 3, parts=1 if same else 2),
    "Chunk": lambda same: Collective("allgather", 3).chunks[0 if same else 1],
    "Demand": lambda same: Collective("allgather", 3).demands[0 if same else 1],
    "Message": lambda same: Collective("scatter", 3).messages[0 if same else 1],
    "Problem": lambda same: nocturne.Problem(one_way_ring(), "AAB", slack=0 if same else None),
    "Transfer": lambda same: Transfer(0, 1, 2, [1] if same else None),
    "Schedule": lambda same: around(one_way_ring(), 2 if same else 1),
    "Violation": lambda same: around(one_way_ring(), 1).violations()[0 if same else 1],
    "Bound": lambda same: nocturne.Bound.from_json(
        '{"steps": %d, "kind": "port", "reason": "ports"}' % (2 if same else 3), one_way_ring()),
    "LinkNetwork": lambda same: LinkNetwork("ring", 3, LINKS if same else LINKS[:2]),
    "ChunkTransfer": lambda same: ChunkTransfer(1, 2, 0, path=[1], after=[0] if same else []),
    "ChunkedSchedule": chunked,
}


class EqualityTest(unittest.TestCase):
    def test_every_class_is_compared_by_value(self):
        for name, make in MAKERS.items():
            with self.subTest(name):
                one, again, other = make(True), make(True), make(False)
                self.assertIsNot(one, again)
                self.assertEqual(one, again)
                self.assertEqual(hash(one), hash(again))
                self.assertNotEqual(one, other)
                self.assertNotEqual(one, name)
                self.assertEqual(len({one, again, other}), 2)
                self.assertTrue(repr(one).startswith(f"<{name} "), repr(one))

    def test_every_class_is_among_them(self):
        classes = {name for name, value in vars(nocturne._core).items() if isinstance(value, type)}
        self.assertEqual(classes, set(MAKERS))


if __name__ == "__main__":
    unittest.main()
