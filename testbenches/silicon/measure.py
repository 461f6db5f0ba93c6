"""Traces that were captured on chips, beside the same events on a model of the chip's network.

The traces are no part of this project: TT_NPE names a checkout of github.com/tenstorrent/tt-npe. Without it
nothing is measured.
"""
import csv
import json
import os
import pathlib
import statistics


def errors_of(values):
    """Median, 90th percentile and maximum of errors without their sign, and the mean with it, percent."""
    sizes = sorted(abs(value) for value in values)
    return {"count": len(sizes), "median_percent": round(statistics.median(sizes), 2),
            "p90_percent": round(sizes[min(len(sizes) - 1, int(0.9 * len(sizes)))], 2),
            "maximum_percent": round(sizes[-1], 2),
            "mean_with_sign_percent": round(statistics.mean(values), 2)}


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


def last_data(log):
    """By place and network: the cycle in which the last data came; answers to reads have more than a flit."""
    ends = {}
    with open(log, encoding="utf-8") as file:
        for packet in csv.DictReader(file):
            network, place = packet["destination"].split("/")
            if int(packet["flits"]) > 1 and not place.endswith("'"):
                row, column = map(int, place.split(","))
                at = column, row, "NOC_" + network.removeprefix("noc")
                ends[at] = max(ends.get(at, 0), int(packet["ejected_cycle"]) - 1)
    return ends


def measure(bench):
    settings = bench.settings
    checkout = settings["tt_npe"] or os.environ.get("TT_NPE", "")
    folder = pathlib.Path(checkout) / "tt_npe/workload/noc_trace_json"
    if not checkout or not folder.is_dir():
        bench.skip("no checkout of tt-npe (the variable TT_NPE, or --set tt_npe=FOLDER; see the README)")
    traces = [row for row in bench.rows(settings["traces"]) if settings["half"] in ("", row["half"])]
    operations, readers = [], []
    for row in traces:
        trace, log = folder / f"{row['trace']}.json", bench.folder / "packets.csv"
        run = bench.nocturne("traffic", topology=settings["network"], routing=settings["routing"],
                             flit_bytes=settings["flit_bytes"], cycle_ns=settings["cycle_ns"],
                             vcs=settings["vcs"], service_cycles=settings["service_cycles"],
                             reply_queue=settings["reply_queue"], part=settings["part"], trace=trace,
                             packet_log=log)
        events = json.loads(trace.read_text(encoding="utf-8"))
        error = 100 * (run["time_cycles"] / run["captured_cycles"] - 1)
        operations.append({**row, "reads": sum(event.get("type") == "READ" for event in events),
                           "captured_cycles": run["captured_cycles"], "cycles": run["time_cycles"],
                           "error_percent": round(error, 2)})
        captured, simulated = barrier_ends(events), last_data(log)
        readers += [{**row, "error_percent": 100 * (simulated[core] / end - 1)}
                    for core, end in captured.items()]
    summary = []
    for half in dict.fromkeys(row["half"] for row in traces):
        for kind in ("all", *dict.fromkeys(row["kind"] for row in traces)):
            for what, rows in (("operation", operations), ("core", readers)):
                found = [row["error_percent"] for row in rows
                         if row["half"] == half and kind in ("all", row["kind"])]
                if found:
                    summary.append({"half": half, "kind": kind, "what": what, **errors_of(found)})
    return {"operations": operations, "summary": summary}
