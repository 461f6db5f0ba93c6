"""Collectives on a chip, arranged in steps: what a schedule over the paths that its routers take would gain.

Network 0 takes messages to the right and then down. So that schedules have these paths and no others, each
tile is two routers here, one for each direction; messages go from the first to the second. Sums to one core
are a broadcast backwards: over links that lead back, from the last step to the first.
"""
import csv
import io
import json

import transfers


def write_network(chip, path, leads_back=False):
    """Network 0, a processor for each tile, as a topology file; or with every link in the other direction."""
    tiles = [(x, y) for y in range(chip.height) for x in range(chip.width)]
    begin, end = ("ejection", "injection") if leads_back else ("injection", "ejection")
    number = {tile: at for at, tile in enumerate(tiles)}
    channels = []
    for x, y in tiles:
        here = number[x, y]
        right, down = number[(x + 1) % chip.width, y], number[x, (y + 1) % chip.height]
        channels += [{"source": here, "target": right, "latency_cycles": 5},
                     {"source": len(tiles) + here, "target": len(tiles) + down, "latency_cycles": 5}]
        # From the left and from the tile, at the same time: one goes down and the other arrives.
        channels += [{"source": here, "target": len(tiles) + here}] * 2
    if leads_back:
        channels = [{**channel, "source": channel["target"], "target": channel["source"]}
                    for channel in channels]
    path.write_text(json.dumps({
        "format": "nocturne-topology", "version": 1, "name": "right, then down", "default_ports": "1",
        "routers": [{"name": f"{way}/{y},{x}"} for way in ("right", "down") for x, y in tiles],
        "processors": [{"name": f"{y},{x}", begin: number[x, y], end: len(tiles) + number[x, y]}
                       for x, y in tiles],
        "channels": channels}), encoding="utf-8")


def place_of(name):
    """Column and row of a tile."""
    row, column = name.split(",")
    return int(column), int(row)


def sends_of(schedule, is_backwards):
    """Core, step and destination of each send, cores and destinations as column and row."""
    steps = json.loads(schedule.read_text(encoding="utf-8"))["steps"]
    ends = ("to", "from") if is_backwards else ("from", "to")
    return [(place_of(send[ends[0]]), step, place_of(send[ends[1]]))
            for step, sends in enumerate(reversed(steps) if is_backwards else steps) for send in sends]


def write_events(row, chip, sends, path):
    """Each core sends in its steps, at the same time by the chip's clock; of an all-to-all last to itself."""
    last = 1 + max(step for _, step, _ in sends)
    is_all_to_all, step_cycles = row["collective"] == "alltoall", int(row["step_cycles"])
    sizes = transfers.packets(int(row["bytes"]), chip.flit)
    events = []
    for core in sorted({core for core, _, _ in sends}):
        common = {"proc": "BRISC", "sx": core[0], "sy": core[1], "noc": "NOC_0"}
        events.append({**common, "type": "", "timestamp": 0})
        own = [(step, to) for sender, step, to in sends if sender == core]
        own += [(last, core)] if is_all_to_all else []
        for step, to in own:
            events += [{**common, "type": "WRITE", "dx": to[0], "dy": to[1], "num_bytes": size,
                        "timestamp": step * step_cycles + at * chip.gap} for at, size in enumerate(sizes)]
        end = last * step_cycles + len(sizes) * chip.gap
        events += [{**common, "type": f"WRITE_BARRIER_{name}", "timestamp": end} for name in ("START", "END")]
    path.write_text(json.dumps(events), encoding="utf-8")


def late_arrivals(log, step_cycles):
    """Packets of data that come after the next step has begun, in which they may be sent on."""
    with open(log, encoding="utf-8") as file:
        packets = [{name: int(packet[name]) for name in ("flits", "created_cycle", "ejected_cycle")}
                   for packet in csv.DictReader(file)]
    return sum(packet["flits"] > 1 and
               packet["ejected_cycle"] // step_cycles > packet["created_cycle"] // step_cycles
               for packet in packets)


def text_of_sends(sends, step_cycles):
    """The order of sends, for a kernel, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["column", "row", "step", "cycle", "to_column", "to_row"])
    writer.writerows([*core, step, step * step_cycles, *to] for core, step, to in sorted(sends))
    return text.getvalue()
