"""Networks of GPUs as they are built, in gigabytes a second and nanoseconds: a byte a cycle is 1 GB/s, a cycle
1 ns."""
import json

IN_BOX_NS = 200  # through a switch of a box: half on each of its two links; and from chip to chip
LINK_BYTES = 4  # of the links of networks that `nocturne` knows, given as --link-bytes
LOCAL_CYCLES = 1  # from a processor to the router that it shares; a file has no 0
OUT_OF_BOX_NS = 1500  # from a GPU to a switch of the cluster, and between switches

# Links between the sixteen dies of eight MI250, 50 GB/s each way: (die, die, how many)
MI250_LINKS = [
    (0, 1, 4), (2, 3, 4), (4, 5, 4), (6, 7, 4), (8, 9, 4), (10, 11, 4), (12, 13, 4), (14, 15, 4), (0, 4, 2),
    (3, 7, 2), (8, 12, 2), (11, 15, 2), (0, 8, 1), (1, 5, 1), (1, 9, 1), (1, 10, 1), (2, 6, 1), (2, 9, 1),
    (2, 10, 1), (3, 11, 1), (4, 6, 1), (5, 6, 1), (5, 7, 1), (9, 13, 1), (10, 14, 1), (12, 14, 1), (13, 14, 1),
    (13, 15, 1)]


class Network:
    """Nodes and links; GPUs are added first, box by box."""

    def __init__(self, name):
        self.name, self.nodes, self.gpus, self.links = name, [], 0, []

    def add_gpus(self, boxes, gpus):
        """GPU k of box b is node b * gpus + k."""
        self.nodes += [f"b{b}g{k}" for b in range(boxes) for k in range(gpus)]
        self.gpus = boxes * gpus

    def add_switch(self, name):
        self.nodes.append(name)
        return len(self.nodes) - 1

    def join(self, a, b, gigabytes, nanoseconds):
        """A link each way."""
        for source, target in ((a, b), (b, a)):
            self.links.append({"source": source, "target": target, "latency_cycles": nanoseconds,
                               "width_bytes": gigabytes})

    def text(self):
        """As the file of a network."""
        return json.dumps({"format": "nocturne-topology", "version": 1, "name": self.name,
                           "default_ports": "all", "routers": [{"name": name} for name in self.nodes],
                           "processors": [{"name": self.nodes[gpu], "injection": gpu, "ejection": gpu}
                                          for gpu in range(self.gpus)],
                           "channels": self.links})


def rails(name, boxes, gpus, spines=0, in_box=450, out_of_box=50):
    """Boxes with a switch each; rail switch k joins GPU k of all boxes, spine switches join all rails."""
    network = Network(name)
    network.add_gpus(boxes, gpus)
    for b in range(boxes):
        switch = network.add_switch(f"nv{b}")
        for k in range(gpus):
            network.join(b * gpus + k, switch, in_box, IN_BOX_NS)
    rail_switches = [network.add_switch(f"rail{k}") for k in range(gpus)]
    for k, rail in enumerate(rail_switches):
        for b in range(boxes):
            network.join(b * gpus + k, rail, out_of_box, OUT_OF_BOX_NS)
    for spine in [network.add_switch(f"spine{s}") for s in range(spines)]:
        for rail in rail_switches:
            network.join(spine, rail, out_of_box, OUT_OF_BOX_NS)
    return network


def mi250(name, boxes):
    """Boxes of sixteen dies, each 16 GB/s to one switch."""
    network = Network(name)
    network.add_gpus(boxes, 16)
    switch = network.add_switch("fabric")
    for b in range(boxes):
        for one, other, count in MI250_LINKS:
            network.join(16 * b + one, 16 * b + other, 50 * count, IN_BOX_NS)
        for k in range(16):
            network.join(16 * b + k, switch, 16, OUT_OF_BOX_NS)
    return network


def meshed_boxes(name, boxes, pair, switches, out_of_box):
    """Boxes of eight GPUs with a link between each two, and one from each GPU to each switch."""
    network = Network(name)
    network.add_gpus(boxes, 8)
    for b in range(boxes):
        for k in range(8):
            for other in range(k):
                network.join(8 * b + other, 8 * b + k, pair, IN_BOX_NS)
    for switch in [network.add_switch(f"leaf{s}") for s in range(switches)]:
        for gpu in range(8 * boxes):
            network.join(gpu, switch, out_of_box, OUT_OF_BOX_NS)
    return network


def tori(name, sizes, gigabytes, nanoseconds, twist=0):
    """A three-dimensional torus; `twist`: who goes round in the first or second dimension comes out so many
    places further in the last. `gigabytes`: by dimension."""
    network = Network(name)
    x, y, z = sizes
    network.nodes = [f"{i},{j},{k}" for k in range(z) for j in range(y) for i in range(x)]
    network.gpus = len(network.nodes)

    def node(i, j, k):
        k += twist * (i // x + j // y)
        return i % x + x * (j % y) + x * y * (k % z)

    for k in range(z):
        for j in range(y):
            for i in range(x):
                for width, there in zip(gigabytes, ((i + 1, j, k), (i, j + 1, k), (i, j, k + 1))):
                    network.join(node(i, j, k), node(*there), width, nanoseconds)
    return network


def tapered(name, leaves, hosts, spines, gigabytes, nanoseconds):
    """A fat tree of two levels with fewer links up than down."""
    network = Network(name)
    network.add_gpus(leaves, hosts)
    for b in range(leaves):
        leaf = network.add_switch(f"leaf{b}")
        for k in range(hosts):
            network.join(b * hosts + k, leaf, gigabytes, nanoseconds)
    for spine in [network.add_switch(f"spine{s}") for s in range(spines)]:
        for b in range(leaves):
            network.join(network.gpus + b, spine, gigabytes, nanoseconds)
    return network


# Those that `nocturne` does not know by a name of its own.
MADE = {
    "rail 8x8": lambda name: rails(name, 8, 8),
    "rail 32x8": lambda name: rails(name, 32, 8),
    "rail 128x8": lambda name: rails(name, 128, 8),
    "H100 4x8 with a spine": lambda name: rails(name, 4, 8, spines=4),
    "MI250 x 4": lambda name: mi250(name, 4),
    "MI300X x 4": lambda name: meshed_boxes(name, 4, pair=64, switches=1, out_of_box=50),
    "Gaudi 3 x 4": lambda name: meshed_boxes(name, 4, pair=75, switches=3, out_of_box=25),
    "Trainium2 UltraServer": lambda name: tori(name, (4, 4, 4), (128, 128, 64), 500),
    "TPU 4x4x4": lambda name: tori(name, (4, 4, 4), (50, 50, 50), 500),
    "TPU twisted 4x4x8": lambda name: tori(name, (4, 4, 8), (50, 50, 50), 500, twist=4),
    "fat tree 2:1": lambda name: tapered(name, 8, 8, 4, 50, 300)}


def file_text(name):
    """The file of the network of this name; nothing if it is a specification."""
    return MADE[name](name).text() if name in MADE else None


def with_own_routers(document):
    """Processors that share routers at routers of their own, as schedules in chunks have them."""
    gpus = len(document["processors"])
    if [processor["injection"] for processor in document["processors"]] == list(range(gpus)):
        return document
    names = [{"name": processor["name"]} for processor in document["processors"]]
    links = [{**link, "source": link["source"] + gpus, "target": link["target"] + gpus}
             for link in document["channels"]]
    for gpu, processor in enumerate(document["processors"]):
        links += [{"source": gpu, "target": processor["injection"] + gpus, "latency_cycles": LOCAL_CYCLES},
                  {"source": processor["ejection"] + gpus, "target": gpu, "latency_cycles": LOCAL_CYCLES}]
    return {**document, "routers": names + document["routers"], "channels": links,
            "processors": [{**processor, "injection": gpu, "ejection": gpu}
                           for gpu, processor in enumerate(document["processors"])]}


def in_one_plane(document):
    """The network with parallel links, and switches that join the same GPUs, taken together: nothing takes
    longer there."""
    document = with_own_routers(document)
    gpus = len(document["processors"])
    joined = [set() for _ in document["routers"]]
    for link in document["channels"]:
        if link["target"] < gpus:
            joined[link["source"]].add(link["target"])
    first = {}  # switch, by the GPUs that it joins
    kept = [node if node < gpus else first.setdefault(frozenset(joined[node]), node)
            for node in range(len(joined))]
    number = {node: i for i, node in enumerate(sorted(set(kept)))}
    links = {}
    for link in document["channels"]:
        ends = number[kept[link["source"]]], number[kept[link["target"]]]
        width, latency = link.get("width_bytes", LINK_BYTES), link.get("latency_cycles", 1)
        known = links.setdefault(ends, [0, latency])
        known[0] += width
        known[1] = min(known[1], latency)
    return {**document, "name": "one plane", "routers": [document["routers"][node] for node in number],
            "channels": [{"source": source, "target": target, "latency_cycles": latency, "width_bytes": width}
                         for (source, target), (width, latency) in links.items()]}
