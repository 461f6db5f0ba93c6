"""Random graphs in files of others: as networkx writes GraphML, and as Graphviz's own programs read DOT."""

import os
import random
import shutil
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import networkx
import numpy as np

import nocturne

SPECIFICATIONS = ["mesh:3x4", "torus:4x4", "octagon:8", "omega:8", "clos:3,3,4", "fattree:8", "btree:4",
                  "coated_mesh:3x3"]
GRAPHS = int(os.environ.get("NOCTURNE_RANDOM_GRAPHS", "12"))


def silently(read):
    """What `read` returns; the warnings of what files leave open are expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return read()


def random_graph(numbers):
    kind = numbers.choice([networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph])
    graph = kind(name=f"graph {numbers.randint(0, 9)}")
    nodes = [numbers.choice([i, f"node {i}", f"<{i}&\"'>"]) for i in range(numbers.randint(2, 8))]
    graph.add_nodes_from(nodes)
    for node in nodes:
        graph.nodes[node].update(copper=numbers.choice([True, False]), rack=numbers.choice(["a", "b"]))
    for _ in range(numbers.randint(1, 20)):
        attributes = {"express": True, "weight": 1.5}
        if numbers.random() < 0.5:
            attributes[numbers.choice(["latency", "latency_cycles"])] = numbers.randint(1, 9)
        if numbers.random() < 0.5:
            attributes[numbers.choice(["width", "width_bytes"])] = numbers.randint(1, 64)
        if numbers.random() < 0.5:
            attributes["length"] = numbers.random()
        edge = (numbers.choice(nodes), numbers.choice(nodes))
        if not graph.has_edge(*edge) or graph.is_multigraph():
            graph.add_edge(*edge, **attributes)
    return graph


class RandomDot:
    """Writes a DOT graph that uses what the language has."""

    def __init__(self, numbers):
        self.numbers = numbers
        self.directed = numbers.random() < 0.5
        self.arrow = "->" if self.directed else "--"
        head = "strict " if numbers.random() < 0.2 else ""
        self.text = f"{head}{'digraph' if self.directed else 'graph'} {self.name()} {{\n{self.body(3)}}}\n"

    def one_of(self, *choices):
        return self.numbers.choice(choices)

    def name(self):
        name = self.one_of(*"abcdefgh", "n1", "n2", "3", "-4.5", ".5", "_x", "\u00e4")
        return self.one_of(name, f'"{name}"', f'"{name}" + ""')

    def node(self):
        return self.name() + self.one_of("", "", "", ":p", ":p:nw", ":s")

    def attributes(self):
        return self.one_of("", "", "[]", "[color=red]", "[color=red, shape=box; style=bold]",
                           "[label=<<b>x</b> y>]", "[weight=2][len=\"1.0\"]", "[label=\"a\\\"b\\\nc\"]",
                           "[bold=1,]")

    def subgraph(self, depth):
        head = self.one_of("", "", f"subgraph {self.one_of('s', 't', 'cluster_u')} ")
        return f"{head}{{ {self.body(depth - 1)} }}"

    def end(self, depth):
        return self.subgraph(depth) if depth > 0 and self.numbers.random() < 0.3 else self.node()

    def statement(self, depth):
        return self.one_of(
            lambda: f"{self.node()} {self.attributes()}",
            lambda: f" {self.arrow} ".join(self.end(depth) for _ in range(self.numbers.randint(2, 3)))
            + self.attributes(),
            lambda: f" {self.arrow} ".join(self.end(depth) for _ in range(2)),
            lambda: f"{self.one_of('node', 'EDGE', 'Graph')} [color=blue]",
            lambda: self.one_of("rank=same", "/* a -> b */ label=\"x\"", "// c\nrankdir = LR"),
            lambda: self.subgraph(depth) if depth > 0 else self.node(),
        )()

    def body(self, depth):
        return "".join(self.statement(depth) + self.one_of("\n", ";\n", " ; ")
                       for _ in range(self.numbers.randint(0, 4) + (depth == 3)))


class GraphFilesTest(unittest.TestCase):
    def test_a_file_that_networkx_wrote_is_the_graph_that_it_was_written_from(self):
        for seed in range(GRAPHS):
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                graph = random_graph(random.Random(seed))
                expected = silently(lambda: nocturne.from_networkx(graph))
                networkx.write_graphml(graph, f"{folder}/a.graphml")
                read = silently(lambda: nocturne.Topology(f"{folder}/a.graphml"))
                self.assertEqual(read.router_count, graph.number_of_nodes())
                self.assertEqual(read.channel_count,
                                 graph.number_of_edges() * (1 if graph.is_directed() else 2))
                self.assertEqual(read, expected)
                again = networkx.read_graphml(f"{folder}/a.graphml")
                self.assertEqual(silently(lambda: nocturne.from_networkx(again)), expected)

    def test_every_network_passes_through_files_of_networkx(self):
        for specification in SPECIFICATIONS:
            with self.subTest(specification), tempfile.TemporaryDirectory() as folder:
                network = nocturne.Topology(specification)
                networkx.write_graphml(nocturne.to_networkx(network), f"{folder}/a.graphml")
                network.save(f"{folder}/b.graphml")
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    self.assertEqual(nocturne.Topology(f"{folder}/a.graphml"), network)
                    read = networkx.read_graphml(f"{folder}/a.graphml")
                    self.assertEqual(nocturne.from_networkx(read), network)
                    self.assertEqual(nocturne.Topology(f"{folder}/b.graphml"), network)

    def test_attributes_have_the_names_of_files(self):
        graph = networkx.path_graph(2)
        graph.edges[0, 1].update(latency=40, width="8", length=2.5)
        network = nocturne.from_networkx(graph)
        self.assertEqual(network.channels.tolist(), [(0, 1, 40, 8, 2.5, 0, 0), (1, 0, 40, 8, 2.5, 0, 0)])
        rows = np.array([(0, 1, 40, 8)],
                        dtype=[(field, int) for field in ("source", "target", "latency", "width")])
        self.assertEqual(nocturne.from_channels(rows).channels.tolist(),
                         [(0, 1, 40, 8, 0, 0, 0)])
        with self.assertRaisesRegex(ValueError, "channels have no field 'latancy'"):
            nocturne.from_channels(np.array([(0, 1, 4)], dtype=[("source", int), ("target", int),
                                                                ("latancy", int)]))
        graph.edges[0, 1]["latency_cycles"] = 3
        with self.assertRaisesRegex(ValueError, "contradict"):
            nocturne.from_networkx(graph)

    def test_what_is_ignored_is_a_warning(self):
        graph = networkx.path_graph(2)
        graph.edges[0, 1].update(express=True, points=[(1, 2)])
        with self.assertWarnsRegex(UserWarning, "^graph: attributes ignored: of edges express, points$"):
            nocturne.from_networkx(graph)
        with tempfile.TemporaryDirectory() as folder, \
                self.assertWarnsRegex(UserWarning, "defaults for what it does not say: latency of all edges"):
            Path(folder, "a.dot").write_text("graph { a -- b }")
            nocturne.Topology(f"{folder}/a.dot")

    def check_as_graphviz(self, path):
        """The file has the nodes and edges that Graphviz's programs find in it."""
        def said_by(*command):
            return subprocess.run([*command, path], capture_output=True, check=True).stdout.decode()

        nodes, edges = (int(word) for word in said_by("gc", "-n", "-e").split()[:2])
        network = silently(lambda: nocturne.Topology(str(path)))
        self.assertEqual(network.router_count, nodes)
        names = network.router_names
        self.assertEqual(sorted(names), sorted(said_by("gvpr", "N { print($.name) }").splitlines()))
        ends = [tuple(line.split())
                for line in said_by("gvpr", 'E { print($.tail.name, " ", $.head.name) }').splitlines()]
        self.assertEqual(len(ends), edges)
        if not path.read_text().removeprefix("strict ").startswith("digraph"):
            ends += [pair[::-1] for pair in ends]
        channels = ((names[channel["source"]], names[channel["target"]]) for channel in network.channels)
        self.assertEqual(sorted(channels), sorted(ends))

    @unittest.skipUnless(shutil.which("gvpr"), "without Graphviz")
    def test_dot_is_what_graphviz_reads(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.dot")
            for seed in range(GRAPHS):
                text = RandomDot(random.Random(seed)).text
                path.write_text(text)
                with self.subTest(seed=seed, text=text):
                    self.check_as_graphviz(path)
                    written = subprocess.run(["dot", "-Tcanon", path], capture_output=True)
                    if written.returncode == 0:  # it aborts where clusters are in each other
                        path.write_bytes(written.stdout)
                        self.check_as_graphviz(path)


if __name__ == "__main__":
    unittest.main()
