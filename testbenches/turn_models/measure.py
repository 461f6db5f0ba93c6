"""Where dimension order and turn models saturate, and what a packet takes long before."""


def measure(bench):
    settings = bench.settings
    cells = bench.rows(settings["cells"])
    plan = {"warm-up": settings["warm_up"], "window": settings["window"], "seed": settings["seed"],
            "vcs": settings["vcs"]}
    searched = bench.sweep("traffic", [{**cell, "saturation": True} for cell in cells],
                           tolerance=settings["tolerance"], runs=settings["runs"], **plan)
    at_low_load = bench.sweep("traffic", cells, load=settings["low_load"], **plan)
    rows, bars = [], {}
    for cell, found, low in zip(cells, searched, at_low_load):
        steady = [curve["highest_steady_load"] for curve in found["curves"]]
        mean = round(sum(steady) / len(steady), 6)
        rows.append({**cell, "steady_load": mean, "least_steady_load": round(min(steady), 6),
                     "most_steady_load": round(max(steady), 6),
                     "latency_at_low_load_cycles":
                         low["curves"][0]["points"][0]["average_packet_latency_cycles"]})
        if not cell["selection"]:
            bars.setdefault(cell["pattern"], {"pattern": cell["pattern"]})[cell["routing"]] = mean
    return {"saturation": rows, "bars": list(bars.values())}
