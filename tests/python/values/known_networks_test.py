"""Known networks against the same graphs built here with networkx from their definitions, and against the
figures of their papers."""

import itertools
import unittest
from collections import Counter
from pathlib import Path

import networkx

import nocturne


def graph_of(specification):
    """Routers by index; an edge for each link, which is two channels."""
    network = nocturne.Topology(specification)
    ends = Counter((int(channel["source"]), int(channel["target"])) for channel in network.channels)
    assert all(ends[b, a] == count for (a, b), count in ends.items()), "every channel has one back"
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(network.router_count))
    graph.add_edges_from(pair for pair, count in ends.items() if pair[0] < pair[1] for _ in range(count))
    return graph


def links(graph):
    return Counter(tuple(sorted(edge[:2])) for edge in graph.edges)


def numbered(edges):
    """`edges` of tuples, which are numbered in their order."""
    edges = list(edges)
    number = {node: i for i, node in enumerate(sorted({node for edge in edges for node in edge}))}
    return Counter(tuple(sorted(number[node] for node in edge)) for edge in edges)


def primitive_root(prime):
    return next(e for e in range(1, prime) if len({pow(e, i, prime) for i in range(prime - 1)}) == prime - 1)


def smallest_halving(graph):
    """Links between two halves of the routers, of as many routers as can be, over all halves."""
    neighbours = [sum(1 << other for other in graph[node]) for node in graph]
    half = len(neighbours) // 2
    return min(sum((neighbours[node] & ~inside).bit_count() for node in chosen)
               for chosen in itertools.combinations(range(len(neighbours)), half)
               for inside in [sum(1 << node for node in chosen)])


class KnownNetworksTest(unittest.TestCase):
    def check(self, specification, edges, diameter=None):
        graph = graph_of(specification)
        self.assertEqual(links(graph), numbered(edges), specification)
        if diameter is not None:
            self.assertEqual(networkx.diameter(graph), diameter, specification)
        return graph

    def test_dragonflies(self):
        for p, a, h in [(1, 2, 1), (2, 4, 2), (1, 3, 2), (3, 6, 3)]:
            groups = a * h + 1
            local = [((g, i), (g, j)) for g in range(groups) for i, j in itertools.combinations(range(a), 2)]
            ports = {(g, k if k < g else k + 1): (g, k // h) for g in range(groups) for k in range(a * h)}
            across = [(ports[i, j], ports[j, i]) for i, j in itertools.combinations(range(groups), 2)]
            self.check(f"dragonfly:{p},{a},{h}", local + across, 3)
            self.assertEqual(nocturne.Topology(f"dragonfly:{p},{a},{h}").processor_count, p * a * groups)
        # Fewer groups: as many links between each two as there are ports for.
        fewer = graph_of("dragonfly:2,4,2,3")
        across = Counter(tuple(sorted((a // 4, b // 4))) for a, b in links(fewer).elements()
                         if a // 4 != b // 4)
        self.assertEqual(across, {(0, 1): 4, (0, 2): 4, (1, 2): 4})
        self.assertTrue(all(degree == 5 for _, degree in fewer.degree))

    def test_hyperx_and_flattened_butterflies(self):
        for extents, specification, times in [((4, 4), "hyperx:4x4", 1), ((2, 3, 4), "hyperx:2x3x4", 1),
                                              ((4, 4), "flatfly:4,3", 1), ((8,), "flatfly:8,2", 1),
                                              ((3, 3, 3), "regular_hyperx:3,3,2,5", 2)]:
            nodes = itertools.product(*map(range, extents))
            edges = [pair for pair in itertools.combinations(nodes, 2)
                     if sum(x != y for x, y in zip(*pair)) == 1]
            self.check(specification, edges * times, len(extents))
        self.assertEqual(nocturne.Topology("flatfly:4,3").processor_count, 64)

    def test_grids(self):
        self.check("cmesh:3x5x4", networkx.grid_graph([5, 3]).edges, 2 + 4)
        for extents in [(4, 4), (5, 3), (7,), (3, 4, 5)]:
            specification = "folded_torus:" + "x".join(map(str, extents))
            graph = networkx.grid_graph(extents[::-1], periodic=True)
            edges = graph.edges if len(extents) > 1 else [((a,), (b,)) for a, b in graph.edges]
            self.check(specification, edges, sum(extent // 2 for extent in extents))
            channels = nocturne.Topology(specification).channels
            # Every ring has two links of one place, at its ends; all others are of two.
            rings = {extent: len(channels) // 2 // len(extents) // extent for extent in extents}
            self.assertEqual(sum(channels["latency_cycles"] == 1), 4 * sum(rings[e] for e in extents))
            self.assertEqual(set(channels["latency_cycles"]), {1, 2})
            self.assertTrue((channels["length"] == channels["latency_cycles"]).all())

    def test_twisted_tori(self):
        for rows, columns, twist in [(4, 8, 4), (8, 16, 8), (3, 5, 1), (4, 6, 0), (2, 5, 2)]:
            # The plane of whole numbers, in which (rows, -twist) and (0, columns) are nothing.
            def place(row, column):
                return row % rows, (column + row // rows * twist) % columns
            edges = {frozenset((place(r, c), place(r + dr, c + dc))) for r in range(rows)
                     for c in range(columns) for dr, dc in [(0, 1), (1, 0)]}
            self.check(f"twisted_torus:{rows},{columns},{twist}", edges)
        # A rectangle of a x 2a twisted by a: diameter a, which is a half more without the twist.
        for a in (2, 4, 6, 8):
            self.assertEqual(networkx.diameter(graph_of(f"twisted_torus:{a},{2 * a}")), a)
            self.assertEqual(networkx.diameter(graph_of(f"torus:{a}x{2 * a}")), 3 * a // 2)

    def test_meshes_with_elevators(self):
        for layers, rows, columns, period in [(2, 4, 4, 2), (3, 5, 7, 3), (3, 3, 3, 1)]:
            at = {p: p % period == period // 2 for p in range(max(rows, columns))}
            places = itertools.product(range(layers), range(rows), range(columns))
            edges = [((z, y, x), b) for z, y, x in places
                     for b in [(z + 1, y, x), (z, y + 1, x), (z, y, x + 1)]
                     if b[0] < layers and b[1] < rows and b[2] < columns and (b[0] == z or (at[y] and at[x]))]
            self.check(f"elevator_mesh:{layers}x{rows}x{columns}x{period}", edges)

    def test_generalized_fat_trees(self):
        for m, w in [((4, 4), (1, 2)), ((2, 3, 2), (1, 2, 3)), ((8, 4), (1, 4)), ((3,), (1,))]:
            height = len(m)
            # A switch: its level from the top, the processors above which it is, which of those it is.
            def switches(level):
                above = itertools.product(*map(range, reversed(m[level:])))
                return [(height - level, a, b) for a in above
                        for b in itertools.product(*map(range, reversed(w[:level])))]
            edges = [(child, parent) for level in range(1, height) for child in switches(level)
                     for parent in switches(level + 1)
                     if child[1][:-1] == parent[1] and child[2] == parent[2][1:]]
            specification = "xgft:" + ",".join(map(str, m + w))
            graph = graph_of(specification)
            self.assertEqual(links(graph), numbered(edges) if edges else Counter(), specification)
            self.assertEqual(len(graph), sum(len(switches(level)) for level in range(1, height + 1)))
        for k, n in [(2, 3), (4, 2), (3, 3)]:  # a k-ary n-tree is one
            same = "xgft:" + ",".join(map(str, [k] * n + [1] + [k] * (n - 1)))
            plain = networkx.Graph(graph_of(f"fattree:{k},{n}"))
            self.assertTrue(networkx.is_isomorphic(networkx.Graph(graph_of(same)), plain))

    def test_slim_flies(self):
        for q in (5, 13, 17):
            e = primitive_root(q)
            even, odd = ({pow(e, i, q) for i in range(start, q - 1, 2)} for start in (0, 1))
            edges = [((s, x, y), (s, x, z)) for s, gaps in ((0, even), (1, odd)) for x in range(q)
                     for y, z in itertools.combinations(range(q), 2) if (z - y) % q in gaps]
            edges += [((0, x, (m * x + c) % q), (1, m, c))
                      for x, m, c in itertools.product(range(q), repeat=3)]
            self.check(f"slimfly:{q}", edges, 2)
        for q in (3, 4, 5, 7, 8, 9, 11, 13, 16):
            delta = {0: 0, 1: 1, 3: -1}[q % 4]
            graph = graph_of(f"slimfly:{q}")
            self.assertEqual(len(graph), 2 * q * q)
            self.assertEqual({degree for _, degree in graph.degree}, {(3 * q - delta) // 2})
            self.assertEqual(networkx.diameter(graph), 2)
            self.assertEqual(max(links(graph).values()), 1)
        # Of degree 7 that is the Hoffman-Singleton graph: no other one has 50 vertices and diameter 2.
        self.assertEqual(len(graph_of("slimfly:5")), 7 * 7 + 1)

    def test_polarflies(self):
        for q in (2, 3, 5, 7, 11):
            points = [point for point in itertools.product(range(q), repeat=3)
                      if any(point) and next(digit for digit in point if digit) == 1]
            edges = [(a, b) for a, b in itertools.combinations(points, 2)
                     if sum(x * y for x, y in zip(a, b)) % q == 0]
            self.check(f"polarfly:{q}", edges, 2)
        for q in (2, 3, 4, 5, 7, 8, 9, 11, 13, 16):
            graph = graph_of(f"polarfly:{q}")
            self.assertEqual(len(graph), q * q + q + 1)
            self.assertEqual(Counter(degree for _, degree in graph.degree), {q: q + 1, q + 1: q * q})
            self.assertEqual(networkx.diameter(graph), 2)

    def test_hexameshes(self):
        for rings in range(1, 6):
            sides = range(-rings, rings + 1)
            places = [(y, x) for y in sides for x in sides if abs(x + y) <= rings]
            edges = [(a, b) for a, b in itertools.combinations(places, 2)
                     if (b[0] - a[0], b[1] - a[1]) in [(0, 1), (1, 0), (1, -1)]]
            graph = self.check(f"hexamesh:{rings}", edges, 2 * rings)
            self.assertEqual(len(graph), 1 + 3 * rings * (rings + 1))
            # The upper rows and r of the 2r + 1 chiplets of the middle one: 4r + 1 links, 13, 17, 21 from
            # r = 3.
            upper = set(range(len(graph) // 2))
            self.assertEqual(sum((a in upper) != (b in upper) for a, b in links(graph)), 4 * rings + 1)
            if rings <= 2:
                self.assertEqual(smallest_halving(networkx.Graph(graph)), 4 * rings + 1)
            for seed in range(10):
                halves = networkx.community.kernighan_lin_bisection(networkx.Graph(graph), seed=seed)
                cut = sum((a in halves[0]) != (b in halves[0]) for a, b in links(graph))
                self.assertGreaterEqual(cut, 4 * rings + 1)

    def test_kites(self):
        for rows, columns in [(4, 5), (8, 8), (3, 3), (5, 6)]:
            places = list(itertools.product(range(rows), range(columns)))
            def border(place):
                return place[0] in (0, rows - 1) or place[1] in (0, columns - 1)
            diagonal = [(a, b) for a, b in itertools.combinations(places, 2)
                        if b[0] - a[0] == 1 and abs(b[1] - a[1]) == 1]
            # Along the border: two neighbours of it in one row or column, unless one is across a corner.
            around = [(a, b) for a, b in itertools.combinations(places, 2) if border(a) and border(b)
                      and ((a[0] == b[0] in (0, rows - 1) and b[1] - a[1] == 1)
                           or (a[1] == b[1] in (0, columns - 1) and b[0] - a[0] == 1))]
            self.check(f"kite_small:{rows}x{columns}", diagonal + around)
        self.assertEqual(graph_of("kite_small:4x5").number_of_edges(), 38)
        kinds = {"small": [(1, 1), (1, 0)], "medium": [(2, 0), (1, 1), (1, 0)],
                 "large": [(2, 1), (2, 0), (1, 1), (1, 0)]}
        for size, lengths in kinds.items():
            for rows, columns in [(4, 5), (8, 8)]:
                graph = graph_of(f"kite_{size}:{rows}x{columns}")
                found = {tuple(sorted((abs(a // columns - b // columns), abs(a % columns - b % columns)),
                                      reverse=True)) for a, b in links(graph)}
                self.assertLessEqual(found, set(lengths))
                self.assertIn(lengths[0], found)
                self.assertTrue(networkx.is_connected(graph))
                self.assertLessEqual(max(degree for _, degree in graph.degree), 4)
                self.assertEqual(max(links(graph).values()), 1)
                # No two routers with a port free could have a link that is missing.
                free = [node for node, degree in graph.degree if degree < 4]
                for a, b in itertools.combinations(free, 2):
                    ends = abs(a // columns - b // columns), abs(a % columns - b % columns)
                    self.assertTrue(graph.has_edge(a, b) or tuple(sorted(ends, reverse=True)) not in lengths)

    def test_butterdonuts(self):
        for side in (4, 8):
            stages = side.bit_length() - 1
            edges = [((row, column), (row ^ (1 << stage), column + 1)) for stage in range(stages)
                     for column in range((1 << stage) - 1, side - 1, 2 << stage) for row in range(side)]
            ring = [*range(0, side, 2), *range(side - 1, 0, -2)]
            edges += [((row, a), (row, b)) for row in range(side) for a, b in zip(ring, ring[1:] + ring[:1])]
            graph = self.check(f"butterdonut:{side}", edges)
            self.assertLessEqual(max(degree for _, degree in graph.degree), 4)

    def test_rings(self):
        for routers in (4, 6, 8, 10, 16, 22):
            graph = networkx.circulant_graph(routers, [1, routers // 2])
            self.check(f"spidergon:{routers}", graph.edges, (routers + 3) // 4)
        self.assertEqual(links(graph_of("spidergon:12")), links(graph_of("octagon:12")))
        for order in (3, 4, 5, 6):
            edges = [((word, i), (word, (i + 1) % order)) for word in range(1 << order) for i in range(order)]
            edges += [((word, i), (word ^ 1 << i, i)) for word in range(1 << order) for i in range(order)
                      if not word >> i & 1]
            self.check(f"ccc:{order}", edges, 6 if order == 3 else 2 * order + order // 2 - 2)

    def test_boxes_and_rails(self):
        for name, gpus, switches, degree, ports in [("dgx1", 8, 0, 6, set()), ("dgx2", 16, 12, 6, {16}),
                                                    ("dgx_a100", 8, 6, 12, {16}),
                                                    ("dgx_h100", 8, 4, 18, {32, 40})]:
            graph = graph_of(name)
            self.assertEqual(len(graph), gpus + switches)
            self.assertEqual({graph.degree(gpu) for gpu in range(gpus)}, {degree})
            self.assertEqual({graph.degree(each) for each in range(gpus, gpus + switches)}, ports)
        boxes, gpus = 3, 4
        nodes = [(box, gpu) for box in range(boxes) for gpu in range(gpus)]
        for spines in (0, 2):
            edges = [((0, *node), (kind, which)) for node in nodes for kind, which in enumerate(node, 1)]
            edges += [((2, rail), (3, spine)) for rail in range(gpus) for spine in range(spines)]
            network = f"rail:{boxes},{gpus}" + (f",{spines}" if spines else "")
            self.check(network, edges)

    def test_groups(self):
        for specification, routers in [("dragonfly:2,4,2", 4), ("slimfly:5", 5), ("mesh:4x4", 0)]:
            network = nocturne.Topology(specification)
            self.assertEqual(network.routers_per_group, routers)
            self.assertEqual(nocturne.from_networkx(nocturne.to_networkx(network)), network)
            self.assertEqual(network.with_faults([f"node:{network.router_names[0]}"]).routers_per_group, 0)

    def test_compositions(self):
        chiplets = networkx.MultiGraph()
        for i in range(4):
            chiplets.add_edges_from(((f"chiplet{i}", *a), (f"chiplet{i}", *b))
                                    for a, b in networkx.grid_graph([4, 4]).edges)
        chiplets.add_edges_from((("interposer", *a), ("interposer", *b))
                                for a, b in networkx.grid_graph([2, 2]).edges)
        for i, place in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)]):
            chiplets.add_edge((f"chiplet{i}", *(3 - 3 * side for side in place)), ("interposer", *place))
        chiplets.add_edges_from(((f"chiplet{i}", row, 3), (f"chiplet{i + 1}", row, 0))
                                for i in (0, 2) for row in range(4))
        four, two = (f"{Path(__file__).parents[3]}/examples/networks/{name}.json"
                     for name in ("four_chiplets", "two_boxes"))
        graph = self.check(four, [edge[:2] for edge in chiplets.edges], 16)
        self.assertEqual(len(graph), 4 * 16 + 4)
        network = nocturne.Topology(four)
        self.assertEqual(network.processor_names, [f"chiplet{i}/{row}{column}" for i in range(4)
                                                   for row in range(4) for column in range(4)])
        latencies = Counter(map(int, network.channels["latency_cycles"]))
        self.assertEqual(latencies, {1: 2 * (4 * 24 + 4), 2: 2 * 8, 4: 2 * 4})
        boxes = nocturne.Topology(two)
        self.assertEqual(boxes.processor_names[7:9], ["box0/gpu7", "box1/gpu0"])
        hops = networkx.single_source_shortest_path_length(graph_of(two), 0)
        self.assertEqual([hops[boxes.find_router(f"box1/gpu{gpu}")] for gpu in range(8)], [2] + [4] * 7)


if __name__ == "__main__":
    unittest.main()
