"""Networks as Python values: read, made, converted, written; what networkx and NumPy see of them."""

import pickle
import random
import tempfile
import unittest
from pathlib import Path

import networkx
import numpy as np

import nocturne

SPECIFICATIONS = ["mesh:3x4", "torus:4x4", "hypercube:3", "octagon:8", "ring:5", "omega:8", "clos:3,3,4",
                  "fattree:8", "btree:4", "kautz:2,3", "complete:4", "coated_mesh:3x3"]


def random_graph(seed):
    """A directed multigraph in which every node reaches every other one, with attributes on its edges."""
    numbers = random.Random(seed)
    nodes = numbers.randint(2, 9)
    graph = networkx.MultiDiGraph(name=f"random {seed}")
    ends = [(i, (i + 1) % nodes) for i in range(nodes)]
    ends += [tuple(numbers.sample(range(nodes), 2)) for _ in range(numbers.randint(0, 2 * nodes))]
    for source, target in ends:
        graph.add_edge(source, target, latency_cycles=numbers.randint(1, 5),
                       width_bytes=numbers.choice([0, 2, 8]), length=numbers.choice([0, 1.5]))
    return graph


class TopologyTest(unittest.TestCase):
    def test_what_a_specification_makes(self):
        mesh = nocturne.Topology("mesh:2x3")
        self.assertEqual((mesh.name, mesh.router_count, mesh.processor_count, mesh.channel_count),
                         ("mesh:2x3", 6, 6, 14))
        self.assertEqual(mesh.router_names, ["00", "01", "02", "10", "11", "12"])
        self.assertEqual((mesh.grid, mesh.default_ports), ([2, 3], "all"))
        self.assertEqual((mesh.find_processor("12"), mesh.find_router("#2")), (5, 2))
        self.assertEqual(mesh.channels.dtype.names,
                         ("source", "target", "latency_cycles", "width_bytes", "length", "buffer_flits",
                          "vcs"))
        self.assertEqual(mesh.positions.shape, (6, 2))
        np.testing.assert_array_equal(mesh.injection_routers, range(6))
        omega = nocturne.Topology("omega:8")
        self.assertTrue(set(omega.injection_routers).isdisjoint(omega.ejection_routers))

    def test_round_trips(self):
        for specification in SPECIFICATIONS:
            with self.subTest(specification), tempfile.TemporaryDirectory() as folder:
                network = nocturne.Topology(specification)
                self.assertEqual(pickle.loads(pickle.dumps(network)), network)
                self.assertEqual(nocturne.Topology.from_json(network.to_json()), network)
                self.assertEqual(nocturne.from_networkx(nocturne.to_networkx(network)), network)
                network.save(Path(folder) / "network.json")
                self.assertEqual(nocturne.Topology(f"{folder}/network.json"), network)
                network.save(f"{folder}/network.graphml")
                read = nocturne.Topology(f"{folder}/network.graphml")
                np.testing.assert_array_equal(read.channels, network.channels)

    def test_random_graphs_come_in_as_networkx_sees_them(self):
        for seed in range(30):
            with self.subTest(seed=seed):
                graph = random_graph(seed)
                network = nocturne.from_networkx(graph)
                nodes = list(graph)
                self.assertEqual(network.name, f"random {seed}")
                lengths = dict(networkx.all_pairs_shortest_path_length(graph))
                np.testing.assert_array_equal(
                    network.hop_distances(),
                    [[lengths[source][target] for target in nodes] for source in nodes])
                expected = [(nodes.index(source), nodes.index(target), edge["latency_cycles"],
                             edge["width_bytes"], edge["length"], 0, 0)
                            for source, target, edge in graph.edges(data=True)]
                self.assertEqual(network.channels.tolist(), expected)
                self.assertEqual(nocturne.from_networkx(nocturne.to_networkx(network)), network)
                np.testing.assert_array_equal(
                    nocturne.from_channels(network.channels, routers=len(nodes)).channels, network.channels)

    def test_parts_of_their_own_stay(self):
        network = nocturne.Topology("mesh:3x3").with_parts(
            ["router 0*: pipeline=2,1,1,1 clock=2/3",
             "router 11: buffers=4 pool=9 vcs=2 packets=1 arbiter=age injection=2.5",
             "link dim0: buffers=9 vcs=3 width=2"])
        self.assertEqual(network.router_parts,
                         {**{i: {"pipeline": "2,1,1,1", "clock": "2/3"} for i in range(3)},
                          4: {"buffers": "4", "pool": "9", "vcs": "2", "packets": "1", "arbiter": "age",
                              "injection": "2.5"}})
        self.assertEqual(sorted(network.channels["buffer_flits"].tolist()), [0] * 12 + [9] * 12)
        self.assertEqual(nocturne.Topology.from_json(network.to_json()), network)
        self.assertEqual(pickle.loads(pickle.dumps(network)), network)
        self.assertEqual(nocturne.from_networkx(nocturne.to_networkx(network)), network)
        np.testing.assert_array_equal(
            nocturne.from_channels(network.channels, routers=9).channels, network.channels)
        with self.assertRaisesRegex(ValueError, "has no such router"):
            network.with_parts(["router 9*: vcs=2"])

    def test_edges_without_direction_are_links(self):
        network = nocturne.from_networkx(networkx.petersen_graph())
        self.assertEqual((network.processor_count, network.channel_count), (10, 30))
        np.testing.assert_array_equal(network.hop_distances(), nocturne.Topology("petersen").hop_distances())

    def test_processors_of_a_graph(self):
        graph = networkx.path_graph(3)
        graph.nodes[0]["processors"] = 2
        graph.nodes[2]["processors"] = 1
        network = nocturne.from_networkx(graph, name="path", ports=1)
        self.assertEqual(network.processor_names, ["0.0", "0.1", "2"])
        self.assertEqual((network.injection_routers.tolist(), network.default_ports), ([0, 0, 2], 1))

    def test_attributes_may_be_numbers_of_numpy(self):
        graph = networkx.cycle_graph(3)
        networkx.set_edge_attributes(graph, np.int64(2), "latency_cycles")
        networkx.set_node_attributes(graph, np.array([1.5, 2]), "pos")
        network = nocturne.from_networkx(graph)
        self.assertEqual(network.channels["latency_cycles"].tolist(), [2] * 6)
        self.assertEqual(network.positions.tolist(), [[1.5, 2]] * 3)
        graph.nodes[0].update(processors=0, copies=True)
        switched = nocturne.from_networkx(graph)
        self.assertEqual(nocturne.to_networkx(switched).nodes["0"]["copies"], True)
        self.assertEqual(nocturne.from_networkx(nocturne.to_networkx(switched)), switched)
        with self.assertRaises(TypeError):
            networkx.set_edge_attributes(graph, object(), "length")
            nocturne.from_networkx(graph)

    def test_a_graph_that_was_changed_has_no_grid(self):
        graph = nocturne.to_networkx(nocturne.Topology("mesh:3x3"))
        graph.remove_node("11")
        with self.assertWarnsRegex(UserWarning, "grid ignored"):
            network = nocturne.from_networkx(graph)
        self.assertEqual((network.grid, network.processor_count, network.channel_count), (None, 8, 16))
        faulty = nocturne.Topology("mesh:3x3").with_faults(["node:11"])
        self.assertEqual(network.processor_names, faulty.processor_names)
        np.testing.assert_array_equal(network.hop_distances(), faulty.hop_distances())

    def test_channels_as_pairs(self):
        network = nocturne.from_channels([(0, 1), (1, 2), (2, 0)], processors=[0, 2], ports=1)
        self.assertEqual((network.router_count, network.processor_names), (3, ["0", "1"]))
        self.assertEqual(network.ejection_routers.tolist(), [0, 2])
        self.assertEqual(network.hop_distances().tolist(), [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
        apart = nocturne.from_channels([(0, 1)], routers=3)
        self.assertEqual(apart.hop_distances()[1].tolist(), [-1, 0, -1])

    def test_kinds(self):
        kinds = nocturne.topology_kinds()
        self.assertIn("mesh", kinds)
        self.assertTrue(all("\n" not in help for help in kinds.values()))

    def test_bad_networks_get_one_line(self):
        mesh = nocturne.Topology("mesh:2x2")
        for make, line in [
                (lambda: nocturne.Topology("mash:3x3"), "mash:3x3: unknown network 'mash': did you mean"),
                (lambda: nocturne.Topology("nowhere.json"), "nowhere.json: cannot read: No such file"),
                (lambda: nocturne.Topology.from_json("{", "mine"), "mine: parse error at line 1, column 2"),
                (lambda: mesh.with_faults(["link:00-99"]), "mesh:2x2: fault 'link:00-99'"),
                (lambda: mesh.find_processor("x"), "mesh:2x2: no processor 'x'"),
                (lambda: mesh.save("network.png"), "network.png: a network is written as "),
                (lambda: nocturne.from_channels([(0, 0, 1)]), "network: channels have shape (channels, 2)"),
                (lambda: nocturne.from_channels([(0, -1)], name="mine"), "mine: /channels/0")]:
            with self.assertRaises(ValueError) as caught:
                make()
            self.assertTrue(str(caught.exception).startswith(line), caught.exception)
            self.assertNotIn("\n", str(caught.exception))
        with self.assertRaises(TypeError):
            nocturne.Problem(8, "AAS")


if __name__ == "__main__":
    unittest.main()
