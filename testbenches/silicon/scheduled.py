"""All-to-all on a chip, arranged in steps: what a schedule over the paths that its routers take would gain.

Network 0 takes messages to the right and then down. So that schedules have these paths and no others, each
tile is two routers here, one for each direction; messages go from the first to the second.
"""
import csv
import io
import json

import transfers


def write_network(chip, path):
    """Network 0, a processor for each tile, as a topology file."""
    tiles = [(x, y) for y in range(chip.height) for x in range(chip.width)]
    number = {tile: at for at, tile in enumerate(tiles)}
    channels = []
    for x, y in tiles:
        here = number[x, y]
        right, down = number[(x + 1) % chip.width, y], number[x, (y + 1) % chip.height]
        channels += [{"source": here, "target": right, "latency_cycles": 5},
                     {"source": len(tiles) + here, "target": len(tiles) + down, "latency_cycles": 5}]
        # From the left and from the tile, at the same time: one goes down and the other arrives.
        channels += [{"source": here, "target": len(tiles) + here}] * 2
    path.write_text(json.dumps({
        "format": "nocturne-topology", "version": 1, "name": "right, then down", "default_ports": "1",
        "routers": [{"name": f"{way}/{y},{x}"} for way in ("right", "down") for x, y in tiles],
        "processors": [{"name": f"{y},{x}", "injection": number[x, y], "ejection": len(tiles) + number[x, y]}
                       for x, y in tiles],
        "channels": channels}), encoding="utf-8")


def place_of(name):
    """Column and row of a tile."""
    row, column = name.split(",")
    return int(column), int(row)


def sends_of(schedule):
    """Core, step and destination of each send, cores and destinations as column and row."""
    steps = json.loads(schedule.read_text(encoding="utf-8"))["steps"]
    return [(place_of(send["from"]), step, place_of(send["to"]))
            for step, sends in enumerate(steps) for send in sends]


def write_events(row, chip, sends, step_cycles, path):
    """Each core sends in each step, at the same time by the chip's clock; last to itself."""
    last = 1 + max(step for _, step, _ in sends)
    sizes = transfers.packets(int(row["bytes"]), chip.flit)
    events = []
    for core in sorted({core for core, _, _ in sends}):
        common = {"proc": "BRISC", "sx": core[0], "sy": core[1], "noc": "NOC_0"}
        events.append({**common, "type": "", "timestamp": 0})
        own = [(step, to) for sender, step, to in sends if sender == core] + [(last, core)]
        for step, to in own:
            events += [{**common, "type": "WRITE", "dx": to[0], "dy": to[1], "num_bytes": size,
                        "timestamp": step * step_cycles + at * chip.gap} for at, size in enumerate(sizes)]
        end = last * step_cycles + len(sizes) * chip.gap
        events += [{**common, "type": f"WRITE_BARRIER_{name}", "timestamp": end} for name in ("START", "END")]
    path.write_text(json.dumps(events), encoding="utf-8")


def text_of_sends(sends, step_cycles):
    """The order of sends, for a kernel, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["column", "row", "step", "cycle", "to_column", "to_row"])
    writer.writerows([*core, step, step * step_cycles, *to] for core, step, to in sorted(sends))
    return text.getvalue()
