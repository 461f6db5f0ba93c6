"""Algorithms of textbooks and libraries as schedules, one transfer after the other: each waits for what it
sends, and for those that have still to read the place that it writes.

An algorithm is a function of the number of members and of the members of a box (1: there are no boxes). It
returns a Program, or nothing for numbers that it is not for.
"""
import heapq
import itertools


class Ways:
    """The quickest ways over a network, for a message of so many bytes; GPUs on the way store and forward."""

    def __init__(self, document, message_bytes):
        self.gpus, self.bytes = len(document["processors"]), message_bytes
        self.links = document["channels"]
        self.leaving = [[] for _ in document["routers"]]
        for number, link in enumerate(self.links):
            self.leaving[link["source"]].append(number)
        self.known = {}

    def _last_links(self, source):
        """By node: over which link the quickest way from the source comes."""
        time, last = {source: 0}, {}
        order = itertools.count()  # of equals the first
        queue = [(0, next(order), source)]
        while queue:
            now, _, node = heapq.heappop(queue)
            if now > time[node]:
                continue
            for number in self.leaving[node]:
                link = self.links[number]
                later = now + link["latency_cycles"] + self.bytes / link["width_bytes"]
                if later < time.get(link["target"], float("inf")):
                    time[link["target"]], last[link["target"]] = later, number
                    heapq.heappush(queue, (later, next(order), link["target"]))
        return last

    def hops(self, source, target):
        """From GPU to GPU: (from, to, links)."""
        if source == target:
            return [(source, target, [])]
        if source not in self.known:
            self.known[source] = self._last_links(source)
        last, hops, node, links = self.known[source], [], target, []
        to = target
        while node != source:
            links.append(last[node])
            node = self.links[last[node]]["source"]
            if node < self.gpus:
                hops.append((node, to, links[::-1]))
                to, links = node, []
        return hops[::-1]


SCRATCH_OF_RELAYS = 1 << 24  # the first place; those of the algorithms are below


class Program:
    """Transfers under dependencies. The first places are the chunks' own, those above are scratch."""

    def __init__(self, kind, members, parts):
        self.kind, self.members, self.parts = kind, members, parts
        self.transfers = []
        self.written, self.read = {}, {}  # by member and place: transfers

    def send(self, source, target, place, to=None, add=False):
        """From the place at one member to that place (or another one) at another."""
        to = place if to is None else to
        after = set(self.written.get((source, place), ())) | set(self.read.get((target, to), ()))
        if not add or (source == target and place == to):
            after |= set(self.written.get((target, to), ()))
        number = len(self.transfers)
        transfer = {"from": source, "to": target, "message": place}
        if to != place:
            transfer["write"] = to
        if add:
            transfer["add"] = True
        if after:
            transfer["after"] = sorted(after)
        self.transfers.append(transfer)
        self.read.setdefault((source, place), []).append(number)
        if add:  # sums of several that come: the next reader waits for all
            self.written.setdefault((target, to), []).append(number)
        else:
            self.written[target, to] = [number]
            self.read[target, to] = []

    def document(self, topology, ways):
        """As the file of a schedule: `topology`, the name of the network or its file."""
        transfers, ids, scratch = [], [], itertools.count(SCRATCH_OF_RELAYS)
        for one in self.transfers:
            hops = ways.hops(one["from"], one["to"])
            after = [ids[before] for before in one.get("after", ())]
            place = one["message"]
            for source, target, links in hops:
                is_last = target == one["to"]
                to = one.get("write", one["message"]) if is_last else next(scratch)
                transfers.append({"from": source, "to": target, "message": place,
                                  **({"write": to} if to != place else {}),
                                  **({"add": True} if is_last and "add" in one else {}),
                                  **({"channels": links} if links else {}),
                                  **({"after": after} if after else {})})
                place, after = to, [len(transfers) - 1]
            ids.append(len(transfers) - 1)
        return {"format": "nocturne-schedule", "version": 3, "switching": "memory-to-memory",
                "name": "textbook", "topology": topology,
                "collective": {"kind": self.kind, "processors": self.members, "parts": self.parts},
                "synchronization": "dependencies", "steps": [transfers]}


def message_bytes(program, size):
    """Of a chunk of most transfers, where a member contributes a vector of so many bytes."""
    return size / ((program.members - 1) if program.kind == "alltoall" else program.parts)


def transfers_of(name, collective, members):
    """How many transfers an algorithm has at most, before those that relay."""
    logarithm = max(1, (members - 1).bit_length())
    if name in ("binary tree", "double binary tree"):
        return 4 * members
    if name == "recursive doubling" and collective == "allreduce":
        return 2 * members * logarithm
    return members * members * (logarithm if name == "Bruck" else 2)


def is_power_of_two(number):
    return number & (number - 1) == 0


def ring_scatter(program, line, place_of):
    """Sums: member i of the line has that of share i at the end."""
    size = len(line)
    for step in range(1, size):
        for i in range(size):
            program.send(line[i], line[(i + 1) % size], place_of((i - step) % size), add=True)


def ring_gather(program, line, place_of):
    size = len(line)
    for step in range(size - 1):
        for i in range(size):
            program.send(line[i], line[(i + 1) % size], place_of((i - step) % size))


def direct_scatter(program, line, place_of):
    size = len(line)
    for step in range(1, size):
        for i in range(size):
            program.send(line[i], line[(i + step) % size], place_of((i + step) % size), add=True)


def direct_gather(program, line, place_of):
    size = len(line)
    for step in range(1, size):
        for i in range(size):
            program.send(line[i], line[(i + step) % size], place_of(i))


def one_shot(program, line, place, scratch):
    """Each sends what it has to all others, which add it up."""
    size = len(line)
    for step in range(1, size):
        for i in range(size):
            program.send(line[i], line[(i + step) % size], place, to=scratch + i)
    for j in range(size):
        for i in range(size):
            if i != j:
                program.send(line[j], line[j], scratch + i, to=place, add=True)


def halving(program, line, places_of):
    """Recursive halving: member i has the sums of share i. `places_of`: of a share."""
    size = len(line)
    half = size // 2
    while half:
        for i in range(size):
            partner = i ^ half
            first = partner & ~(half - 1)
            for share in range(first, first + half):
                for place in places_of(share):
                    program.send(line[i], line[partner], place, add=True)
        half //= 2


def doubling(program, line, places_of):
    """Recursive doubling: all have all shares."""
    size, held = len(line), 1
    while held < size:
        for i in range(size):
            first = i & ~(held - 1)
            for share in range(first, first + held):
                for place in places_of(share):
                    program.send(line[i], line[i ^ held], place)
        held *= 2


def single(place_of):
    return lambda share: [place_of(share)]


def whole_line(members):
    return list(range(members))


def itself(share):
    return share


# All-reduce

def allreduce_ring(members, box):
    del box
    program = Program("allreduce", members, members)
    ring_scatter(program, whole_line(members), itself)
    ring_gather(program, whole_line(members), itself)
    return program


def allreduce_halving_doubling(members, box):
    del box
    if not is_power_of_two(members):
        return None
    program = Program("allreduce", members, members)
    halving(program, whole_line(members), single(itself))
    doubling(program, whole_line(members), single(itself))
    return program


def allreduce_recursive_doubling(members, box):
    del box
    if not is_power_of_two(members):
        return None
    program = Program("allreduce", members, 1)
    distance = 1
    while distance < members:
        for i in range(members):
            program.send(i, i ^ distance, 0, to=distance)
        for i in range(members):
            program.send(i, i, distance, to=0, add=True)
        distance *= 2
    return program


def allreduce_two_shot(members, box):
    del box
    program = Program("allreduce", members, members)
    direct_scatter(program, whole_line(members), itself)
    direct_gather(program, whole_line(members), itself)
    return program


def allreduce_one_shot(members, box):
    del box
    program = Program("allreduce", members, 1)
    one_shot(program, whole_line(members), 0, 1)
    return program


def tree_of(members, is_turned):
    """Parents in a binary tree, in the order of a heap; the other tree has the leaves of this one inside."""
    at = (lambda i: members - 1 - i) if is_turned else itself
    return [(at(i), at((i - 1) // 2)) for i in range(1, members)]


def over_trees(members, trees):
    """A part over each: short messages, which are not worth a pipeline."""
    program = Program("allreduce", members, len(trees))
    for part, tree in enumerate(trees):
        for child, parent in reversed(tree):
            program.send(child, parent, part, add=True)
        for child, parent in tree:
            program.send(parent, child, part)
    return program


def allreduce_tree(members, box):
    del box
    return over_trees(members, [tree_of(members, False)])


def allreduce_double_tree(members, box):
    del box
    return over_trees(members, [tree_of(members, False), tree_of(members, True)])


def by_boxes(members, box):
    """Lines inside boxes, and lines of the same place in all boxes."""
    inside = [[first + k for k in range(box)] for first in range(0, members, box)]
    across = [list(range(k, members, box)) for k in range(box)]
    return inside, across


def allreduce_box_by_box(members, box):
    """Scatter inside, all-reduce across in two shots, gather inside."""
    if box in (1, members):
        return None
    inside, across = by_boxes(members, box)
    boxes = members // box
    program = Program("allreduce", members, members)
    for line in inside:
        for b in range(boxes):
            direct_scatter(program, line, lambda k, b=b: b * box + k)
    for k, line in enumerate(across):
        direct_scatter(program, line, lambda b, k=k: b * box + k)
        direct_gather(program, line, lambda b, k=k: b * box + k)
    for line in inside:
        for b in range(boxes):
            direct_gather(program, line, lambda k, b=b: b * box + k)
    return program


def allreduce_one_shot_on_rails(members, box):
    """As before, in one shot across."""
    if box in (1, members):
        return None
    inside, across = by_boxes(members, box)
    program = Program("allreduce", members, box)
    for line in inside:
        direct_scatter(program, line, itself)
    for k, line in enumerate(across):
        one_shot(program, line, k, box)
    for line in inside:
        direct_gather(program, line, itself)
    return program


# All-gather, and reduce-scatter

def gathering(function):
    """An all-gather: chunk i is the block of member i."""
    def algorithm(members, box):
        program = Program("allgather", members, 1)
        return program if function(program, members, box) else None
    return algorithm


def scattering(function):
    """A reduce-scatter: member i has the sum of chunk i."""
    def algorithm(members, box):
        program = Program("reduce-scatter", members, 1)
        return program if function(program, members, box) else None
    return algorithm


def on_whole_line(function):
    def steps(program, members, box):
        del box
        function(program, whole_line(members), itself)
        return True
    return steps


def in_powers_of_two(function):
    def steps(program, members, box):
        del box
        if not is_power_of_two(members):
            return False
        function(program, whole_line(members), single(itself))
        return True
    return steps


def bruck(program, members, box):
    """What a member has comes to the one so many places before it, the distance doubled each time."""
    del box
    held = 1
    while held < members:
        for i in range(members):
            for share in range(min(held, members - held)):
                program.send(i, (i - held) % members, (i + share) % members)
        held *= 2
    return True


def gather_box_by_box(program, members, box):
    if box in (1, members):
        return False
    inside, across = by_boxes(members, box)
    for k, line in enumerate(across):
        direct_gather(program, line, lambda b, k=k: b * box + k)
    for line in inside:
        for b in range(members // box):
            direct_gather(program, line, lambda k, b=b: b * box + k)
    return True


def scatter_box_by_box(program, members, box):
    if box in (1, members):
        return False
    inside, across = by_boxes(members, box)
    for line in inside:
        for b in range(members // box):
            direct_scatter(program, line, lambda k, b=b: b * box + k)
    for k, line in enumerate(across):
        direct_scatter(program, line, lambda b, k=k: b * box + k)
    return True


# All-to-all

def chunk_of(source, target, members):
    return source * (members - 1) + (target if target < source else target - 1)


def alltoall_direct(members, box):
    del box
    program = Program("alltoall", members, 1)
    for step in range(1, members):
        for i in range(members):
            program.send(i, (i + step) % members, chunk_of(i, (i + step) % members, members))
    return program


def alltoall_bruck(members, box):
    """A block goes on by each power of two that is in its distance."""
    del box
    program = Program("alltoall", members, 1)
    distance = 1
    while distance < members:
        for i in range(members):
            for far in range(1, members):
                if far & distance:
                    at = (i + (far & (distance - 1))) % members
                    program.send(at, (at + distance) % members, chunk_of(i, (i + far) % members, members))
        distance *= 2
    return program


def alltoall_box_by_box(members, box):
    """To the GPU of the own box that stands in the receiver's place, then across."""
    if box in (1, members):
        return None
    program = Program("alltoall", members, 1)
    for step in range(1, members):
        for i in range(members):
            j = (i + step) % members
            relay = i - i % box + j % box
            chunk = chunk_of(i, j, members)
            if relay != i:
                program.send(i, relay, chunk)
            if relay != j:
                program.send(relay, j, chunk)
    return program


ALGORITHMS = {
    "allreduce": {"ring": allreduce_ring, "halving and doubling": allreduce_halving_doubling,
                  "recursive doubling": allreduce_recursive_doubling, "one shot": allreduce_one_shot,
                  "two shots": allreduce_two_shot, "binary tree": allreduce_tree,
                  "double binary tree": allreduce_double_tree, "box by box": allreduce_box_by_box,
                  "one shot on rails": allreduce_one_shot_on_rails},
    "allgather": {"ring": gathering(on_whole_line(ring_gather)),
                  "recursive doubling": gathering(in_powers_of_two(doubling)), "Bruck": gathering(bruck),
                  "direct": gathering(on_whole_line(direct_gather)),
                  "box by box": gathering(gather_box_by_box)},
    "reduce-scatter": {"ring": scattering(on_whole_line(ring_scatter)),
                       "recursive halving": scattering(in_powers_of_two(halving)),
                       "direct": scattering(on_whole_line(direct_scatter)),
                       "box by box": scattering(scatter_box_by_box)},
    "alltoall": {"direct": alltoall_direct, "Bruck": alltoall_bruck, "box by box": alltoall_box_by_box}}
