"""What was measured on chips, beside the same on models of their networks: transfers between cores, whose
figures are part of this testbench, and traces of whole operations, which are not: TT_NPE names a checkout of
github.com/tenstorrent/tt-npe, without which they are left out.
"""
import csv
import json
import os
import pathlib
import statistics

import dram
import scheduled
import tables
import transfers

WHOLE_CHIPS = ("wormhole", "8x7"), ("wormhole", "8x8"), ("blackhole", "11x10")


def errors_of(values):
    """Median, 90th percentile and maximum of errors without their sign, and the mean with it, percent."""
    sizes = sorted(abs(value) for value in values)
    return {"median_percent": round(statistics.median(sizes), 2),
            "p90_percent": round(sizes[min(len(sizes) - 1, int(0.9 * len(sizes)))], 2),
            "maximum_percent": round(sizes[-1], 2),
            "mean_with_sign_percent": round(statistics.mean(values), 2), "count": len(sizes)}


def percent(value, measured):
    return round(100 * (value / float(measured) - 1), 2)


def barrier_ends(events):
    """By place and network: the cycle, from the first event on, of the last barrier of reads that has read
    something."""
    first = min(event["timestamp"] for event in events)
    ends, reading = {}, set()
    for event in sorted(events, key=lambda event: event["timestamp"]):
        core = event["sx"], event["sy"], event["proc"]
        if event.get("type") == "READ":
            reading.add(core)
        elif event.get("type") == "READ_BARRIER_END" and core in reading:
            ends[event["sx"], event["sy"], event["noc"]] = event["timestamp"] - first
    return ends


def last_answers(log, least_flits):
    """By place and network: the cycle in which the last answer of so many flits came to who had asked."""
    ends = {}
    with open(log, encoding="utf-8") as file:
        for packet in csv.DictReader(file):
            network, place = packet["destination"].split("/")
            if int(packet["flits"]) >= least_flits and not place.endswith("'"):
                row, column = map(int, place.split(","))
                at = column, row, "NOC_" + network.removeprefix("noc")
                ends[at] = max(ends.get(at, 0), int(packet["ejected_cycle"]) - 1)
    return ends


def replayed(bench, points):
    """The outcomes of traces, and the files with their packets."""
    settings = bench.settings
    common = {name: settings[name] for name in ("routing", "cycle_ns", "vc_allocator", "service_cycles",
                                                "reply_queue")}
    log = bench.sweep_file(f"packets_{len(points)}", "csv")
    outcomes = bench.sweep("traffic", [{**common, **point, "packet_log": log} for point in points],
                           remarks=False)
    return [(outcome, bench.file_of(f"packets_{len(points)}", number, "csv"))
            for number, outcome in enumerate(outcomes)]


def chips_of(bench):
    return {(row["chip"], row["direction"]): transfers.Chip(row)
            for row in tables.read(bench.place / "chips.csv")}


def rows_of(bench, name):
    """What the settings have of these, as far as --only and the half ask for it; may be nothing."""
    file, half = bench.settings[name], bench.settings["half"]
    return [row for row in (tables.read(bench.place / file) if file else [])
            if bench.only in " ".join(row.values()) and half in ("", row.get("half"))]


def point_of(bench, chip, events):
    """Options of a run."""
    return {"topology": chip.row["network"], "flit_bytes": chip.flit, "vcs": chip.row["vcs"],
            "reply_vcs": chip.row["reply_vcs"],
            "part": [f"router noc*: injection={chip.row['injection']}",
                     f"router tile_in/*: ejection={chip.row['ejection']} packets={chip.row['packets']}",
                     *bench.settings["part"]],
            "trace": events, **({"multicast": "reserved"} if chip.row["direction"] in ("multicast", "linked")
                                else {})}


def simulate_rows(bench, rows):
    """Each row with the median of the cores' times, the time of all, and what the formula says. A core
    begins `start_cycles` after the one before, where the row has them."""
    chips = chips_of(bench)
    points, starts = [], []
    for number, row in enumerate(rows):
        chip = chips[row["chip"], row["direction"]]
        events = bench.folder / f"events_{len(rows)}_{number}.json"
        starts.append(transfers.write_events(row, chip, events, int(row.get("start_cycles", 0))))
        points.append(point_of(bench, chip, events))
    found = []
    for row, start, (_, log) in zip(rows, starts, replayed(bench, points)):
        ends = last_answers(log, 1)
        formula = transfers.busiest_link_cycles(row, chips[row["chip"], row["direction"]])
        found.append({**row, "cycles": statistics.median(end - start[core] for core, end in ends.items()),
                      "cycles_of_all": max(ends.values()), "busiest_link_cycles": round(formula)})
    return found


def measure_rows(bench, rows):
    """The same with the errors of both times of a core."""
    found = simulate_rows(bench, rows)
    for row in found:
        row["error_percent"] = percent(row["cycles"], row["measured_cycles"])
        row["busiest_link_error_percent"] = percent(row["busiest_link_cycles"], row["measured_cycles"])
        del row["cycles_of_all"]
    return found


def groups_of(rows, *columns):
    """Rows that have the same in these columns."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return sorted(groups.items())


def summary_of_transfers(rows):
    """Errors by half, chip and pattern."""
    return [{"half": half, "pattern": pattern, "chip": chip,
             **errors_of([row["error_percent"] for row in group]),
             **{f"busiest_link_{name}": value for name, value in
                errors_of([row["busiest_link_error_percent"] for row in group]).items()
                if name in ("median_percent", "p90_percent")}}
            for (half, pattern, chip), group in groups_of(rows, "half", "pattern", "chip")]


def curves_of(rows, picture="{pattern}"):
    """What each core moves in a cycle where all cores of a chip transfer once to all, by who says so."""
    return [{"picture": picture.format_map(row), "curve": f"{row['chip']}, {who}", "bytes": row["bytes"],
             "bytes_a_cycle": len(transfers.cores_of(row)[1]) * int(row["bytes"]) / float(row[column])}
            for row in rows
            if (row["chip"], row["grid"]) in WHOLE_CHIPS and row["master"] == "all" and row["per_peer"] == "1"
            for who, column in (("measured", "measured_cycles"), ("simulated", "cycles"),
                                ("busiest link", "busiest_link_cycles"))]


def measure_dram(bench, rows):
    """What all cores of a row move together in a cycle, from the first start to the last end: the median of
    the draws of pairs, and the range."""
    chips, points, numbers = chips_of(bench), [], []
    for number, row in enumerate(rows):
        chip = chips["wormhole", row["direction"]]
        for seed in range(1 if row["pairs"] == "careful" else bench.settings["draws"]):
            events = bench.folder / f"dram_{number}_{seed}.json"
            dram.write_events(row, chip, seed, events)
            points.append({"topology": chip.row["network"], "flit_bytes": chip.flit, "trace": events,
                           **dram.options_of(row, chip)})
            points[-1]["part"] += bench.settings["part"]
            numbers.append(number)
    moved = [[] for _ in rows]
    for number, (run, _) in zip(numbers, replayed(bench, points)):
        moved[number].append(int(rows[number]["cores"]) * dram.BYTES / run["time_cycles"])
    return [{**row, "bytes_a_cycle": round(statistics.median(found), 1), "least": round(min(found), 1),
             "most": round(max(found), 1),
             "error_percent": percent(statistics.median(found), row["measured_bytes_a_cycle"])}
            for row, found in zip(rows, moved)]


def measure_scheduled(bench, row):
    """The collective of a row as it was measured, and in the steps of a schedule."""
    settings = bench.settings
    chip = chips_of(bench)[row["chip"], "write"]
    network, file, events = (bench.folder / name for name in ("network.json", "schedule.json", "steps.json"))
    is_sum, step_cycles = row["collective"] == "reduce", int(row["step_cycles"])
    scheduled.write_network(chip, network, leads_back=is_sum)
    masters, peers = transfers.cores_of(row)
    number = {core: y * chip.width + x for core in {*masters, *peers} for x, y in [chip.place(core)]}
    problem = {"group": ",".join(str(number[core]) for core in sorted(number))}
    problem |= {"source": number[masters[0]]} if len(masters) == 1 else {}
    problem |= {"engine": "even"} if row["collective"] == "alltoall" else {}
    schedule = bench.nocturne("schedule", topology=network, ports=1, slack=0, budget=settings["budget"],
                              collective="broadcast" if is_sum else row["collective"], workers=1, output=file,
                              **problem)
    sends = scheduled.sends_of(file, is_sum)
    scheduled.write_events(row, chip, sends, events)
    (_, log), = replayed(bench, [point_of(bench, chip, events)])
    if row["collective"] != "alltoall" and scheduled.late_arrivals(log, step_cycles) > 0:
        raise ValueError(f"{row['collective']}: data that is to be sent on comes after the next step's begin")
    name = f"sends_{row['collective']}.csv"
    bench.files[name] = scheduled.text_of_sends(sends, step_cycles)
    cycles = max(last_answers(log, 1).values())
    return {"collective": row["collective"], "cores": len(number), "bytes": row["bytes"],
            "measured_cycles": row["measured_cycles"], "steps": schedule["steps"],
            "least_steps": schedule["lower_bound"], "cycles": cycles,
            "gain": round(float(row["measured_cycles"]) / cycles, 2)}


def measure_traces(bench, rows, folder):
    """Of each trace the time of the operation, and a summary of these and of the times of cores."""
    settings = bench.settings
    traces = [folder / f"{row['trace']}.json" for row in rows]
    operations, readers = [], []
    for row, trace, (run, log) in zip(rows, traces, replayed(bench, [
            {"topology": settings["network"], "flit_bytes": settings["flit_bytes"], "vcs": settings["vcs"],
             "reply_vcs": settings["reply_vcs"], "part": settings["part"], "trace": trace}
            for trace in traces])):
        events = json.loads(trace.read_text(encoding="utf-8"))
        operations.append({**row, "reads": sum(event.get("type") == "READ" for event in events),
                           "captured_cycles": run["captured_cycles"], "cycles": run["time_cycles"],
                           "error_percent": percent(run["time_cycles"], run["captured_cycles"])})
        simulated = last_answers(log, 2)  # answers to reads have more than a flit
        readers += [{**row, "error_percent": percent(simulated[core], end)}
                    for core, end in barrier_ends(events).items()]
    summary = []
    for half in dict.fromkeys(row["half"] for row in rows):
        for kind in ("all", *dict.fromkeys(row["kind"] for row in rows)):
            for what, measured in (("operation", operations), ("core", readers)):
                found = [row["error_percent"] for row in measured
                         if row["half"] == half and kind in ("all", row["kind"])]
                if found:
                    summary.append({"half": half, "kind": kind, "what": what, **errors_of(found)})
    return operations, summary


def measure(bench):
    settings = bench.settings
    rows = {name: rows_of(bench, name) for name in ("transfers", "starts", "stagger", "dram", "scheduled",
                                                    "traces")}
    if not any(rows.values()):
        raise ValueError(f"--only {bench.only}: no row of transfers, starts or traces of that half has this")
    bench.left_out.update({"transfers", "starts", "stagger", "dram", "scheduled", "operations"})
    found, curves = {}, []
    if rows["transfers"]:
        found["transfers"] = measure_rows(bench, rows["transfers"])
        found["patterns"] = summary_of_transfers(found["transfers"])
        curves += curves_of(found["transfers"])
    if rows["starts"]:
        found["starts"] = measure_rows(bench, [{**row, "start_cycles": settings["start_cycles"]}
                                               for row in rows["starts"]])
        curves += curves_of(found["starts"], "{pattern}_starts_apart")
    if curves:
        found["curves"] = curves
    if rows["stagger"]:
        found["stagger"] = simulate_rows(bench, rows["stagger"])
    if rows["dram"]:
        found["dram"] = measure_dram(bench, rows["dram"])
        found["dram_summary"] = [
            {"half": half, "direction": direction, "vc": vc,
             **errors_of([row["error_percent"] for row in group])}
            for (half, direction, vc), group in groups_of(found["dram"], "half", "direction", "vc")]
    if rows["scheduled"]:
        found["scheduled"] = [measure_scheduled(bench, row) for row in rows["scheduled"]]
    checkout = settings["tt_npe"] or os.environ.get("TT_NPE", "")
    folder = pathlib.Path(checkout) / "tt_npe/workload/noc_trace_json"
    if rows["traces"] and checkout and folder.is_dir():
        found["operations"], found["summary"] = measure_traces(bench, rows["traces"], folder)
    elif rows["traces"]:
        print("Traces are left out: no checkout of tt-npe (the variable TT_NPE, or --set tt_npe=FOLDER)")
    bench.left_out -= found.keys()
    return found
