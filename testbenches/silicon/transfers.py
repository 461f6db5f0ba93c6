"""Transfers between cores of a chip, as tt-metal's tests make them: events for the simulation, and what a
formula of the busiest link says.

A row has the pattern, the direction, the grid of cores, how many transfers a core makes to each of its peers
(`per_peer`) and their bytes. Every core goes through its peers in the same order, column by column, and waits
at the end for all answers. A multicast goes to all peers at once; of linked ones all but the last keep the way
that they have reserved.
"""
import json

PACKET_FLITS = 256  # of data, behind a header


class Chip:
    """Where the cores are, and what the software takes; a row of chips.csv."""

    def __init__(self, row):
        self.row, self.flit = row, int(row["flit_bytes"])
        self.columns = [int(column) for column in row["columns"].split()]
        self.rows = [int(line) for line in row["rows"].split()]
        self.width, self.height = (int(side) for side in row["torus"].split("x"))
        self.gap, self.next_peer = int(row["gap_cycles"]), int(row["next_peer_cycles"])

    def place(self, core):
        """Column and row on the network of a core of the grid."""
        return self.columns[core[0]], self.rows[core[1]]


def packets(size, flit):
    """Bytes of the packets that the software cuts a transfer into."""
    most = PACKET_FLITS * flit
    return [min(most, size - at) for at in range(0, size, most)]


def is_multicast(row):
    return row["direction"] in ("multicast", "linked")


def cores_of(row):
    """Those that transfer, and their peers, in their order."""
    if row["grid"] == "":
        return [(0, 0)], [(0, 1) if row["same_axis"] == "yes" else (1, 1)]
    width, height = (int(side) for side in row["grid"].split("x"))
    grid = [(x, y) for x in range(width) for y in range(height)]
    if is_multicast(row):
        beside = [(x, 1) for x in range(width)] if height == 1 else [(width, y) for y in range(height)]
        masters = grid if row["master"] == "inside" else beside
        return masters if row["pattern"].split()[0] in ("row_to_row", "column_to_column") else masters[:1], grid
    if row["master"] == "all":
        return grid, grid
    if row["master"] == "outside":
        return [(width, 0)], grid
    return [(0, 0)], [core for core in grid if core != (0, 0)]


def rectangle_of(places):
    """Members of an event: the corners, and those of the rectangle that are cores."""
    ends = {"start": min, "end": max}
    return {"receivers": places, **{f"mcast_{name}_{axis}": end(place[number] for place in places)
                                    for name, end in ends.items() for number, axis in enumerate("xy")}}


def write_events(row, chip, path, start_cycles=0):
    """The events of all cores, as their profiler would have written them; each core begins so many cycles
    after the one before. Returns when, by place and network."""
    masters, peers = cores_of(row)
    kind = "READ" if row["direction"] == "read" else "WRITE"
    sizes = packets(int(row["bytes"]), chip.flit)
    linked = [row["direction"] == "linked"] * len(sizes) * (int(row["per_peer"]) - 1) + [False] * len(sizes)
    sizes *= int(row["per_peer"])
    events, starts = [], {}
    for number, master in enumerate(masters):
        x, y = chip.place(master)
        core = {"proc": "BRISC", "sx": x, "sy": y, "noc": f"NOC_{row['noc']}"}
        now = starts[x, y, core["noc"]] = number * start_cycles
        events.append({**core, "type": "", "timestamp": now})
        for size, is_linked in zip(sizes, linked) if is_multicast(row) else ():
            events.append({**core, "type": "WRITE_MULTICAST", "num_bytes": size, "timestamp": now,
                           "linked": is_linked, **rectangle_of([chip.place(peer) for peer in peers])})
            now += chip.gap
        for peer in () if is_multicast(row) else peers:
            now += chip.next_peer if len(peers) > 1 else 0
            x, y = chip.place(peer)
            for size in sizes:
                events.append({**core, "type": kind, "dx": x, "dy": y, "num_bytes": size, "timestamp": now})
                now += chip.gap
        events += [{**core, "type": f"{kind}_BARRIER_{end}", "timestamp": now} for end in ("START", "END")]
    path.write_text(json.dumps(events), encoding="utf-8")
    return starts


def links(start, end, network, chip):
    """The links from a place to another: right and down on network 0, up and left on network 1."""
    (x, y), found = start, []
    step = 1 if network == 0 else -1
    for axis in ((0, 1) if network == 0 else (1, 0)):
        while (x, y)[axis] != end[axis]:
            found.append((axis, x, y))
            if axis == 0:
                x = (x + step) % chip.width
            else:
                y = (y + step) % chip.height
    return found


def busiest_link_cycles(row, chip):
    """What the busiest link or interface takes for its flits, or the software to begin all transfers, and
    the way there and back of a transfer of one byte."""
    masters, peers = cores_of(row)
    sizes = packets(int(row["bytes"]), chip.flit) * int(row["per_peer"])
    flits = sum(1 + -(-size // chip.flit) for size in sizes)
    load = {}
    for master in masters:
        used = []
        for peer in peers:
            ends = chip.place(master), chip.place(peer)
            sender, receiver = ends if row["direction"] != "read" else reversed(ends)
            used += links(sender, receiver, int(row["noc"]), chip)
            used += [("out", sender, "injection"), ("in", receiver, "ejection")]
        for link in sorted(set(used), key=str) if is_multicast(row) else used:
            rate = float(chip.row[link[2]]) if link[0] in ("out", "in") else chip.flit
            load[link] = load.get(link, 0) + flits * chip.flit / rate
        if is_multicast(row):  # answers of all peers
            load["in", chip.place(master), "answers"] = len(sizes) * len(peers)
    places = [chip.place(core) for core in (*masters, *peers)]
    rings = [side for side, positions in zip((chip.width, chip.height), zip(*places))
             if len(set(positions)) > 1]
    software = (1 if is_multicast(row) else len(peers)) * (
        len(sizes) * chip.gap + (chip.next_peer if len(peers) > 1 else 0))
    return max(software, max(load.values())) + 9 * sum(rings) + float(chip.row["round_trip_cycles"])
