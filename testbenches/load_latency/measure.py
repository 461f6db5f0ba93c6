"""Latency over load for networks of one size, and an all-to-all scatter on the same axes."""
import math
import os

MODES = {"barrier": "schedule", "self-timed": "schedule, self-timed"}
SENDING = {"shifted+chained": "shifted", "random+chained": "random"}


def rounded(load):
    """To four digits behind the point."""
    return math.floor(load * 1e4 + 0.5) / 1e4


def latencies_of(points):
    return {point["load"]: point["average_packet_latency_cycles"] for point in points}


def measure_curves(bench):
    """Where each curve saturates, and the points of the search and at tenths of that load."""
    settings = bench.settings
    plan = {"warm-up": settings["warm_up"], "window": settings["window"], "seed": settings["seed"],
            "saturated-batches": "0"}  # what is accepted at load 1 is a result: over the whole window
    cells = [cell for cell in bench.rows(settings["curves"]) if bench.only in cell["topology"]]
    found = [each["curves"][0] for each in
             bench.sweep("traffic", [{**cell, "saturation": True} for cell in cells], vcs=settings["vcs"],
                         **plan)]
    loads = [[rounded(0.1 * tenth * (curve["highest_steady_load"] or 0)) for tenth in range(1, 10)]
             for curve in found]
    more = bench.sweep("traffic", [{**cell, "load": ",".join(map(repr, of_cell))}
                                   for cell, of_cell in zip(cells, loads)], vcs=settings["vcs_at_tenths"],
                                   **plan)
    rows, points = [], []
    for cell, curve, of_tenths in zip(cells, found, more):
        steady = curve["highest_steady_load"]
        measured = {**latencies_of(of_tenths["curves"][0]["points"]), **latencies_of(curve["points"])}
        accepted = next((point["accepted_flit_rate"] for point in curve["points"] if point["load"] == 1),
                        None)
        rows.append({**{name: cell[name] for name in ("topology", "routing", "pattern", "packet_flits")},
                     "latency_at_a_tenth_cycles": measured.get(rounded(0.1 * steady)) if steady else None,
                     "latency_at_half_cycles": measured.get(rounded(0.5 * steady)) if steady else None,
                     "steady_load": steady, "saturated_load": curve["lowest_saturated_load"],
                     "accepted_at_load_1": accepted})
        points += [{**cell, "vcs": vcs, "load": load, "latency_cycles": latency}
                   for vcs, each in ((settings["vcs"], curve),
                                     (settings["vcs_at_tenths"], of_tenths["curves"][0]))
                   for load, latency in sorted(latencies_of(each["points"]).items())]
    return rows, points


def measure_collectives(bench):
    """For each topology, message size and background the schedule with the fewest steps, under a barrier
    and self-timed, and the same messages in shifted and in random order. No start-up time: what is
    compared is the network."""
    settings = bench.settings
    topologies = [topology for topology in settings["collectives"] if bench.only in topology]
    sizes = settings["message_flits"]
    rows = []
    for topology in topologies:
        file = bench.folder / "schedule.json"
        found = bench.nocturne("schedule", topology=topology, collective="AAS", ports="all", output=file,
                               seed=settings["seed"])
        network = bench.nocturne("topology", topology=topology, routing="auto")
        # Class for class as many virtual channels as the messages and the background need together, whether
        # there is a background or not; the paths of a schedule need one.
        of_routing = network["vc_classes"]
        for background in settings["backgrounds"]:
            hardware = {"cycle-ns": 1, "t0-ns": 0, "seed": settings["seed"],
                        "background": background or None}
            points = [{"schedule": file, "bytes": 4 * flits, "mode": mode}
                      for mode in MODES for flits in sizes]
            scheduled = bench.sweep("replay", points, vcs=1 + of_routing, **hardware)
            runs = {(point["bytes"] // 4, MODES[point["mode"]]): each["replays"][0]
                    for point, each in zip(points, scheduled)}
            without, = bench.sweep("compare", [{"schedule": file,
                                                "bytes": ",".join(str(4 * flits) for flits in sizes),
                                                "routing": "auto", "traffic": ",".join(SENDING)}],
                                   vcs=2 * of_routing, workers=bench.workers or os.cpu_count(), **hardware)
            runs |= {(each["message_bytes"] // 4, SENDING[each["traffic"]]): each
                     for each in without["runs"] if each["traffic"] in SENDING}
            for flits in sizes:
                for traffic in (*MODES.values(), *SENDING.values()):
                    each = runs[flits, traffic]
                    is_stuck = each["outcome"] == "deadlock"
                    if each["outcome"] not in ("ok", "deadlock"):
                        bench.fail(f"{topology}, {traffic}, {flits} flits, background {background}: "
                                   f"{each['outcome']}")
                    cycles = each["time_ns"]
                    is_scheduled = traffic.startswith("schedule")
                    rows.append({
                        "topology": topology, "message_flits": flits, "background": background,
                        "traffic": traffic, "steps": found["steps"] if is_scheduled else None,
                        "bound_steps": found["lower_bound"] if is_scheduled else None,
                        "time_cycles": None if is_stuck else cycles,
                        "rate_flits_per_processor_and_cycle":
                            None if is_stuck
                            else each["messages_delivered"] * flits / cycles / network["processors"],
                        "latency_cycles": None if is_stuck else each["average_message_latency_cycles"],
                        "over_schedule": None if is_stuck else cycles / runs[flits, "schedule"]["time_ns"],
                        "end": "deadlock" if is_stuck else "memories right" if each["outcome"] == "ok"
                               else "MEMORIES WRONG"})
    return rows


def axes_of(points, collectives, vcs):
    """Uniform traffic and the collective, at the load that it and its background make together: what the
    network adds to a message, whatever its length."""
    rows = [{"topology": point["topology"], "curve": f"uniform traffic, {point['routing']} routing",
             "flit_rate": point["load"],
             "latency_cycles": point["latency_cycles"] - (int(point["packet_flits"]) - 1)}
            for point in points
            if point["pattern"] == "uniform" and point["vcs"] == vcs and point["latency_cycles"]
            and any(row["topology"] == point["topology"] for row in collectives)]
    for row in collectives:
        if row["time_cycles"] is not None and row["traffic"] != "random":  # much like shifted
            beside = f", beside {row['background']}" if row["background"] else ""
            rows.append({"topology": row["topology"], "curve": row["traffic"] + beside,
                         "flit_rate": row["rate_flits_per_processor_and_cycle"] + row["background"],
                         "latency_cycles": row["latency_cycles"] - (row["message_flits"] - 1)})
    return rows


def measure(bench):
    saturation, points = measure_curves(bench)
    collectives = measure_collectives(bench)
    return {"saturation": saturation, "collectives": collectives, "points": points,
            "axes": axes_of(points, collectives, bench.settings["vcs_at_tenths"])}
