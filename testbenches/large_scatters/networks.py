"""Networks for large scatters that are no kinds of topology of their own, as Nocturne's JSON."""
import json


class SplitMix64:
    """Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        """From 0 to bound - 1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = (self.state ^ self.state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return ((z ^ z >> 31) >> 32) * bound >> 32


def topology(name, ports, routers, processors, links):
    """Links lead both ways; `processors` has the router of each."""
    return {"format": "nocturne-topology", "version": 1, "name": name, "default_ports": ports,
            "routers": [{"name": str(router)} for router in range(routers)],
            "processors": [{"name": str(processor), "injection": router, "ejection": router}
                           for processor, router in enumerate(processors)],
            "channels": [{"source": source, "target": target}
                         for a, b in links for source, target in ((a, b), (b, a))]}


def dragonfly(h):
    """Groups of 2h routers, each with h processors and h links to other groups, and every group linked to
    every other one by a link: 2h^2 (2h^2 + 1) processors, one-port, since a router serves h of them (Kim,
    Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008, with their
    balance a = 2p = 2h). Link j of a group leads to the group j + 1 further on, so that the network looks
    the same from every group."""
    name = f"dragonfly:{h}"
    if not 1 <= h <= 16:
        raise ValueError(f"{name}: h is 1 to 16")
    size = 2 * h
    groups = size * h + 1
    links = [(group * size + a, group * size + b)
             for group in range(groups) for a in range(size) for b in range(a + 1, size)]
    links += [(group * size + j // h, (group + j + 1) % groups * size + (groups - 2 - j) // h)
              for group in range(groups) for j in range(groups // 2)]
    return topology(name, "1", size * groups, [i // h for i in range(size * groups * h)], links)


def joined_at_random(routers, degree, random):
    """Links between free ends until none is left; nothing if those that are left cannot be joined."""
    ends = [router for router in range(routers) for _ in range(degree)]
    neighbours = [set() for _ in range(routers)]
    links, misses = [], 0
    while ends and misses < 20 * degree * degree + 100:
        places = random.below(len(ends)), random.below(len(ends))
        a, b = sorted(ends[place] for place in places)
        if a == b or b in neighbours[a]:
            misses += 1
            continue
        misses = 0
        links.append((a, b))
        neighbours[a].add(b)
        neighbours[b].add(a)
        for place in sorted(places, reverse=True):
            ends[place] = ends[-1]
            ends.pop()
    return None if ends else links


def is_connected(routers, links):
    """Does a path lead from the first router to every other one?"""
    neighbours = [[] for _ in range(routers)]
    for a, b in links:
        neighbours[a].append(b)
        neighbours[b].append(a)
    reached, left = {0}, [0]
    while left:
        new = [router for router in neighbours[left.pop()] if router not in reached]
        reached.update(new)
        left += new
    return len(reached) == routers


def random_regular(routers, degree, seed):
    """A simple connected graph in which every router, with a processor each, has `degree` links, all-port.
    Free ends of links are joined at random, as long as the graph stays simple (Steger and Wormald,
    Generating random regular graphs quickly, Combinatorics, Probability and Computing 8, 1999), again from
    the start where that gets stuck."""
    name = f"random_regular:{routers},{degree},{seed}"
    if not 3 <= degree < routers <= 4096 or routers * degree % 2:
        raise ValueError(f"{name}: the degree is at least 3 and less than the number of routers, which is at "
                         "most 4096, and their product is even")
    random = SplitMix64(seed)
    while True:
        links = joined_at_random(routers, degree, random)
        if links is not None and is_connected(routers, links):
            return topology(name, "all", routers, range(routers), links)


KINDS = {"dragonfly": (dragonfly, 1), "random_regular": (random_regular, 3)}


def file_text(network):
    """The JSON of a network of these kinds; nothing for other ones."""
    kind, _, text = network.partition(":")
    if kind not in KINDS:
        return None
    make, count = KINDS[kind]
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"{network}: '{text}' are no numbers") from None
    if len(numbers) != count:
        raise ValueError(f"{network}: expected {count} numbers")
    return json.dumps(make(*numbers))
