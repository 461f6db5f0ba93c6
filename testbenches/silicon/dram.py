"""Cores of a Wormhole that write to DRAM, or read from it, all at the same time: events for the simulation.

A row has the number of cores and of channels of DRAM, how they are paired, the direction, how requests choose
their virtual channel, and the network. Channels are used by the tiles that tt-metal prefers for each.
"""
import json
import random

import transfers

# Column and row of the tile of each channel (tt-metal, wormhole_b0_80_arch.yaml).
TILES = [(0, 11), (0, 1), (0, 5), (0, 7), (5, 1), (5, 11), (5, 2), (5, 9), (5, 8), (5, 3), (5, 5), (5, 7)]
BYTES = 1 << 18  # of each core; 1 MiB on the chip
REPLY_VCS = 4
REQUEST_VCS = {"static": 4, "dynamic": 8}  # before and behind the dateline together
# Bytes a cycle of an interface of DRAM: out and in.
RATES = {"read": "22.3", "write": "22"}


def pairs_of(row, chip, seed):
    """Places of cores, each with that of its channel's tile. Careful pairs are in one row, so that the data
    of a channel meet those of no other; the others are drawn."""
    cores, draw = int(row["cores"]), random.Random(seed)
    if row["pairs"] == "careful":
        step = 1 if (row["direction"] == "read") == (row["noc"] == "0") else -1
        return [(((column + step * way) % chip.width, line), (column, line))
                for column, line in TILES for way in range(1, cores // len(TILES) + 1)]
    places = draw.sample([(x, y) for x in chip.columns for y in chip.rows], cores)
    if row["channels"] == "1":
        return [(place, TILES[0]) for place in places]
    tiles = [TILES[number % len(TILES)] for number in range(cores)]
    draw.shuffle(tiles)
    return list(zip(places, tiles))


def write_events(row, chip, seed, path):
    kind, events = row["direction"].upper(), []
    for (x, y), (column, line) in pairs_of(row, chip, seed):
        core = {"proc": "BRISC", "sx": x, "sy": y, "noc": f"NOC_{row['noc']}"}
        sizes = transfers.packets(BYTES, chip.flit)
        events.append({**core, "type": "", "timestamp": 0})
        events += [{**core, "type": kind, "dx": column, "dy": line, "num_bytes": size,
                    "timestamp": number * chip.gap} for number, size in enumerate(sizes)]
        events += [{**core, "type": f"{kind}_BARRIER_{end}", "timestamp": len(sizes) * chip.gap}
                   for end in ("START", "END")]
    path.write_text(json.dumps(events), encoding="utf-8")


def options_of(row, chip):
    """Virtual channels of requests and answers, and the rates of the interfaces that data leave and enter."""
    rates = RATES[row["direction"]], chip.row["injection"]
    leave, enter = rates if row["direction"] == "read" else reversed(rates)
    return {"vcs": REQUEST_VCS[row["vc"]] + REPLY_VCS, "reply_vcs": REPLY_VCS,
            "part": [f"router noc*: injection={leave}", f"router tile_in/*: ejection={enter}"]}
