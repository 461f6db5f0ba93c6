#!/usr/bin/env python3
"""Runs BookSim2 and `nocturne traffic` on the same networks, and prints how far they are apart.

BookSim2 is no part of this project: build it beside it (git clone https://github.com/booksim/booksim2,
make in its src), and name the binary with --booksim. Without it nothing is measured.
"""

import argparse
import concurrent.futures
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What BookSim2 calls the networks, and what Nocturne calls them. A k-ary n-fly is a file: see fly().
BOOKSIM_NETWORKS = {
    "mesh:8x8": "topology=mesh k=8 n=2 routing_function=dor",
    "torus:8x8": "topology=torus k=8 n=2 routing_function=dim_order_bal use_noc_latency=0",
    "fly:2,6": "topology=fly k=2 n=6 routing_function=dest_tag",
    "fly:4,3": "topology=fly k=4 n=3 routing_function=dest_tag",
    "fattree:4,3": "topology=fattree k=4 n=3 routing_function=nca",
}
NOCTURNE_ROUTINGS = {
    "mesh:8x8": "dor",
    "torus:8x8": "dor_even+balanced",
    "fly:2,6": "tag",
    "fly:4,3": "tag",
    "fattree:4,3": "nca",
}
PATTERNS = {
    "uniform": "uniform",
    "transpose": "transpose",
    "complement": "bitcomp",
    "reversal": "bitrev",
    "shuffle": "shuffle",
}
# By the number of stages that a head takes: four; route looked up ahead; switch allocation speculative too.
BOOKSIM_STAGES = {
    "4": "routing_delay=1",
    "3": "routing_delay=0",
    "2": "routing_delay=0 speculative=1 spec_sw_allocator=islip",
}
NOCTURNE_STAGES = {"4": "standard", "3": "lookahead", "2": "lookahead_speculative"}

SHARES = (0.4, 0.6, 0.8, 0.9, 0.95)  # of the load at which Nocturne's curve saturates
COLUMNS = ["network", "pattern", "packet_flits", "vcs", "stages", "kind", "load", "booksim",
           "booksim_spread", "nocturne", "nocturne_error", "zero_load", "deviation_percent", "limit_percent"]


def fly(k, n):
    """The k-ary n-fly of Dally & Towles, Principles and Practices, ch. 4, as a topology file."""
    switches = k ** (n - 1)
    channels = []
    for stage in range(n - 1):
        weight = k ** (n - stage - 2)
        for switch in range(switches):
            for output in range(k):
                target = switch + (output - switch // weight % k) * weight
                channels.append({"source": stage * switches + switch,
                                 "target": (stage + 1) * switches + target})
    return {
        "format": "nocturne-topology",
        "version": 1,
        "name": f"fly:{k},{n}",
        "default_ports": "1",
        "routers": [{"name": f"c{stage}s{switch}"} for stage in range(n) for switch in range(switches)],
        "processors": [{"name": str(i), "injection": i // k, "ejection": (n - 1) * switches + i // k}
                       for i in range(k ** n)],
        "channels": channels,
        "tag_digits": [{"radix": k, "divisor": k ** (n - 1 - i), "free": False} for i in range(n)],
    }


def run(command, sign_of_success):
    """Standard output of a command, which has the sign in it: BookSim2's exit status says nothing."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if sign_of_success not in done.stdout:
        raise RuntimeError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


class Simulators:
    """The two programs, and a folder for the files that they need."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.booksim_base = os.path.join(folder, "booksim")
        with open(self.booksim_base, "w", encoding="ascii") as file:
            file.write("topology = mesh; k = 8; n = 2; routing_function = dor;\n"
                       "vc_buf_size = 8; num_vcs = 1;\n"
                       "vc_allocator = islip; sw_allocator = islip; alloc_iters = 1; credit_delay = 0;\n"
                       "vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1; use_noc_latency = 1;\n"
                       "speculative = 0; spec_sw_allocator = islip; routing_delay = 1; traffic = uniform;\n"
                       "packet_size = 1; injection_rate_uses_flits = 1; injection_rate = 0.1; seed = 1;\n"
                       "warmup_periods = 1; max_samples = 6; sample_period = 10000;\n"
                       "latency_thres = 1000000.0; sim_type = latency;\n")

    def topology(self, network):
        """What Nocturne is given as the network."""
        kind, _, sizes = network.partition(":")
        if kind != "fly":
            return network
        path = os.path.join(self.folder, network.replace(":", "_").replace(",", "_") + ".json")
        if not os.path.exists(path):
            with open(path, "w", encoding="ascii") as file:
                json.dump(fly(*map(int, sizes.split(","))), file)
        return path

    def booksim(self, curve, load, seed, sim_type="latency"):
        """Latency in cycles, accepted flits per processor and cycle, and routers that a packet crosses."""
        arguments = [*BOOKSIM_NETWORKS[curve["network"]].split(), *BOOKSIM_STAGES[curve["stages"]].split(),
                     f"traffic={PATTERNS[curve['pattern']]}", f"packet_size={curve['packet_flits']}",
                     f"num_vcs={curve['vcs']}", f"injection_rate={load}", f"seed={seed}",
                     f"sim_type={sim_type}", f"sample_period={self.options.period}"]
        text = run([self.options.booksim, self.booksim_base, *arguments],
                   "Overall Traffic Statistics")
        overall = text[text.rindex("Overall Traffic Statistics"):]

        def value(name):
            return float(re.search(name + r" average = (\S+)", overall).group(1))

        return value("Packet latency"), value("Accepted flit rate"), value("Hops")

    def nocturne_curve(self, curve, arguments):
        stages = NOCTURNE_STAGES[curve["stages"]]
        text = run([self.options.nocturne, "traffic", self.topology(curve["network"]), "--json",
                    "--workers", "1", "--routing", NOCTURNE_ROUTINGS[curve["network"]],
                    "--pattern", curve["pattern"], "--packet-flits", curve["packet_flits"],
                    "--vcs", curve["vcs"], "--router-stages", stages, "--crossbar-stages", stages,
                    "--credit-cycles", "0", "--buffer-flits", "8", *arguments],
                   '"curves"')
        return json.loads(text)["curves"][0]

    def nocturne(self, curve, load, seed):
        return self.nocturne_curve(curve, ["--load", str(load), "--seed", str(seed), "--warm-up",
                                           str(self.options.period), "--window",
                                           str(5 * self.options.period)])["points"][0]


def saturation_load(simulators, curve):
    """The highest load, to 0.005, at which no source queue of Nocturne's grows."""
    found = simulators.nocturne_curve(curve, ["--saturation", "--tolerance", "0.005", "--window", "20000"])
    return found["highest_steady_load"]


def mean_and_spread(values):
    return sum(values) / len(values), max(values) - min(values)


def zero_load_row(simulators, curve):
    """A packet that meets no other takes (stages + 1) cycles a router, 2 more, and one for each flit behind
    its head: BookSim2's mean at hardly any load against that, with the number of routers that its packets
    crossed. Nocturne's own tests hold it to the same formula."""
    measured, _, hops = simulators.booksim(curve, 0.0005 * int(curve["packet_flits"]), 1)
    exact = (int(curve["stages"]) + 1) * hops + 2 + int(curve["packet_flits"]) - 1
    return {**curve, "kind": "zero load", "load": 0.0005 * int(curve["packet_flits"]),
            "booksim": round(measured, 3), "nocturne": round(exact, 3), "zero_load": round(exact, 3),
            "deviation_percent": round(100 * (exact / measured - 1), 2), "limit_percent": 1}


def latency_row(simulators, curve, load, zero_load):
    seeds = range(1, simulators.options.seeds + 1)
    measured, spread = mean_and_spread([simulators.booksim(curve, load, seed)[0] for seed in seeds])
    points = [simulators.nocturne(curve, load, seed) for seed in seeds]
    limit = 3 if measured < 1.5 * zero_load else 5 if measured < 3 * zero_load else ""
    if any(point["saturated"] for point in points):
        return {**curve, "kind": "latency", "load": load, "booksim": round(measured, 2),
                "booksim_spread": round(spread, 2), "zero_load": zero_load}
    ours = sum(point["average_packet_latency_cycles"] for point in points) / len(points)
    error = math.hypot(*(point["average_packet_latency_error_cycles"] for point in points)) / len(points)
    return {**curve, "kind": "latency", "load": load, "booksim": round(measured, 2),
            "booksim_spread": round(spread, 2), "nocturne": round(ours, 2),
            "nocturne_error": round(error, 2), "zero_load": zero_load,
            "deviation_percent": round(100 * (ours / measured - 1), 2), "limit_percent": limit}


def throughput_row(simulators, curve):
    """What is accepted when each processor offers a flit in every cycle."""
    measured, spread = mean_and_spread([simulators.booksim(curve, 1.0, seed, "throughput")[1]
                                        for seed in range(1, simulators.options.seeds + 1)])
    point = simulators.nocturne(curve, 1.0, 1)
    return {**curve, "kind": "throughput", "load": 1.0, "booksim": round(measured, 4),
            "booksim_spread": round(spread, 4), "nocturne": round(point["accepted_flit_rate"], 4),
            "nocturne_error": round(point["accepted_flit_rate_error"], 4),
            "deviation_percent": round(100 * (point["accepted_flit_rate"] / measured - 1), 2),
            "limit_percent": 3}


def measure(simulators, curve):
    """All rows of a curve."""
    rows = [zero_load_row(simulators, curve)]
    steady = saturation_load(simulators, curve)
    for share in SHARES:
        rows.append(latency_row(simulators, curve, round(share * steady, 3), rows[0]["zero_load"]))
    rows.append(throughput_row(simulators, curve))
    return rows


def is_beyond(row):
    """Is it farther away than the limit and twice the half-width of Nocturne's 95 % confidence interval?
    BookSim2 gives none; that of a run of the same length is about as wide."""
    if row.get("limit_percent", "") == "":
        return False
    doubt = 2 * 100 * row.get("nocturne_error", 0) / row["booksim"]
    return abs(row["deviation_percent"]) > row["limit_percent"] + doubt


def print_row(row):
    mark = " beyond its limit" if is_beyond(row) else ""
    print("{network} {pattern} {packet_flits} flits {vcs} VCs {stages} stages, {kind} at {load}: "
          .format(**row) + f"BookSim2 {row['booksim']}, Nocturne {row.get('nocturne', 'saturated')}, "
          f"{row.get('deviation_percent', '-')} %{mark}", flush=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--booksim", default=os.environ.get("BOOKSIM", "booksim"), help="binary of BookSim2")
    parser.add_argument("--nocturne", default="build/release/sim/cli/nocturne", help="binary of Nocturne")
    parser.add_argument("--curves", default=os.path.join(here, "curves.csv"), help="what to measure")
    parser.add_argument("--only", default="", help="only curves of this network")
    parser.add_argument("--pattern", default="", help="only curves of this pattern")
    parser.add_argument("--period", type=int, default=10000, help="cycles of a sample period of BookSim2")
    parser.add_argument("--seeds", type=int, default=1,
                        help="runs of each program for a latency, with seeds from 1 on")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="curves at a time")
    parser.add_argument("--output", default="cross_validation.csv", help="the table")
    options = parser.parse_args()
    found = shutil.which(options.booksim)
    if found is None:
        print(f"cross_validation: skipped: no BookSim2 at '{options.booksim}' (--booksim, see the README)")
        return 0
    options.booksim = found
    if shutil.which(options.nocturne) is None:
        print(f"cross_validation: no Nocturne at '{options.nocturne}': ./run build", file=sys.stderr)
        return 2
    with open(options.curves, encoding="ascii", newline="") as file:
        curves = [curve for curve in csv.DictReader(file) if options.only in ("", curve["network"])
                  and options.pattern in ("", curve["pattern"])]
    if not curves:
        print(f"cross_validation: no curve of '{options.only}' in {os.path.relpath(options.curves)}",
              file=sys.stderr)
        return 2
    rows = []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.workers) as pool, \
            open(options.output, "w", encoding="ascii", newline="") as output:
        writer = csv.DictWriter(output, COLUMNS, lineterminator="\n")
        writer.writeheader()
        simulators = Simulators(options, folder)
        for network in {curve["network"] for curve in curves}:
            simulators.topology(network)
        for of_curve in pool.map(lambda curve: measure(simulators, curve), curves):
            for row in of_curve:
                print_row(row)
            rows += of_curve
            writer.writerows(of_curve)
            output.flush()
    beyond = sum(map(is_beyond, rows))
    print(f"{len(rows)} figures of {len(curves)} curves in {options.output}; {beyond} beyond their limits")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
