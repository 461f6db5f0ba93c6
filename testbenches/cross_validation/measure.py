"""Runs BookSim2 and `nocturne traffic` on the same networks, and prints how far they are apart.

BookSim2 is no part of this project: build it beside it (git clone https://github.com/booksim/booksim2,
make in its src), and name the binary in the variable BOOKSIM. Without it nothing is measured.
"""

import concurrent.futures
import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import tempfile

import networks

# What BookSim2 calls the networks, and what Nocturne calls them. A k-ary n-fly is a file: see fly().
BOOKSIM_NETWORKS = {
    "mesh:8x8": "topology=mesh k=8 n=2 routing_function=dor",
    "torus:8x8": "topology=torus k=8 n=2 use_noc_latency=0",
    "fly:2,6": "topology=fly k=2 n=6 routing_function=dest_tag",
    "fly:4,3": "topology=fly k=4 n=3 routing_function=dest_tag",
    "fattree:4,3": "topology=fattree k=4 n=3 routing_function=nca",
    "flatfly:4,3": "topology=flatfly k=4 n=2 c=4 x=4 y=4 xr=2 yr=2 use_noc_latency=0",
    "dragonfly:2,4,2": "topology=dragonflynew k=2 n=1",
}
# Of the networks with several routings.
BOOKSIM_ROUTINGS = {
    "auto": "dim_order_bal",  # on the torus
    "dor_random+balanced": "dim_order_bal",
    "dor_random+crossing": "dim_order",
    "dor": "ran_min",
    "valiant:dor": "valiant",
    "ugal:2:dor": "ugal",
    "lgl": "min",
    "ugal:30:lgl": "ugal",
}
PATTERNS = {
    "uniform": "uniform",
    "transpose": "transpose",
    "complement": "bitcomp",
    "reversal": "bitrev",
    "shuffle": "shuffle",
    "adversarial:1": "bad_dragon",
}
# By the cycles that a head takes: four stages of one; route looked up ahead; switch allocation speculative
# too; two cycles of route computation, and two of switch traversal as well.
BOOKSIM_STAGES = {
    "4": "routing_delay=1",
    "3": "routing_delay=0",
    "2": "routing_delay=0 speculative=1 spec_sw_allocator=islip",
    "5": "routing_delay=2",
    "6": "routing_delay=2 st_final_delay=2",
}
NOCTURNE_STAGES = {"4": "standard", "3": "lookahead", "2": "lookahead_speculative", "5": "2,1,1,1",
                   "6": "2,1,1,2"}

PROCESSORS = {"dragonfly:2,4,2": 72}  # otherwise 64
SHARES = (0.4, 0.6, 0.8, 0.9, 0.95)  # of the load at which Nocturne's curve saturates
LONGER = 10  # than a run of BookSim2 is one of Nocturne, which takes less time for it
BATCHES = 10  # that are measured; the one before them leaves its state to the arbiters
BATCH_PACKETS = 40  # of each processor
SAME_SHARE = 0.8  # of that load: of the run whose packets both programs get
SAME_PERIOD = 300  # cycles of a sample period of that run, of which there are six at most
MOST_PACKETS = 200000  # of that run
STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}  # 95 %, by runs
COLUMNS = ["network", "routing", "pattern", "packet_flits", "vcs", "buffer_flits", "stages", "kind", "load",
           "runs",
           "booksim", "booksim_error", "nocturne", "nocturne_error", "zero_load", "deviation_percent",
           "limit_percent"]


def destination(curve, source, numbers):
    """Of a packet, as BookSim2 numbers processors."""
    pattern, processors = curve["pattern"], PROCESSORS.get(curve["network"], 64)
    bits = processors.bit_length() - 1
    if pattern == "uniform":
        return numbers.randrange(processors)
    if pattern == "adversarial:1":
        group = networks.GROUP
        return ((source // group + 1) * group + numbers.randrange(group)) % processors
    if pattern == "transpose":
        half = bits // 2
        return source >> half | source << half & processors - 1
    if pattern == "complement":
        return processors - 1 - source
    if pattern == "reversal":
        return int(format(source, f"0{bits}b")[::-1], 2)
    return source << 1 & processors - 1 | source >> bits - 1  # shuffle


def run(command, sign_of_success):
    """Standard output of a command, which has the sign in it: BookSim2's exit status says nothing."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if sign_of_success not in done.stdout:
        raise RuntimeError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


class Simulators:
    """The two programs, and a folder for the files that they need."""

    def __init__(self, booksim, bench):
        self.booksim_file, self.nocturne_file = booksim, bench.nocturne_file
        self.period, self.seeds = bench.settings["period"], bench.settings["seeds"]
        self.folder = bench.folder
        self.booksim_base = os.path.join(self.folder, "booksim")
        self.watched = os.path.join(self.folder, "watched")
        with open(self.watched, "w", encoding="ascii") as file:
            file.writelines(f"p{packet}\n" for packet in range(MOST_PACKETS))
        with open(self.booksim_base, "w", encoding="ascii") as file:
            file.write("topology = mesh; k = 8; n = 2; routing_function = dor;\n"
                       "vc_buf_size = 8; num_vcs = 1;\n"
                       "vc_allocator = islip; sw_allocator = islip; alloc_iters = 1; credit_delay = 0;\n"
                       "vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1; use_noc_latency = 1;\n"
                       "speculative = 0; spec_sw_allocator = islip; routing_delay = 1; traffic = uniform;\n"
                       "packet_size = 1; injection_rate_uses_flits = 1; injection_rate = 0.1; seed = 1;\n"
                       "warmup_periods = 1; max_samples = 6; sample_period = 10000;\n"
                       "latency_thres = 1000000.0; sim_type = latency;\n")

    def file(self, network):
        """The network as a topology file with ports in BookSim2's order; none if there is none."""
        kind, _, sizes = network.partition(":")
        if kind not in ("fly", "mesh"):
            return None
        path = os.path.join(self.folder, network.replace(":", "_").replace(",", "_") + ".json")
        if not os.path.exists(path):
            made = (networks.fly(*map(int, sizes.split(","))) if kind == "fly" else
                    networks.mesh(int(sizes.split("x")[0])))
            with open(path, "w", encoding="ascii") as file:
                json.dump(made, file)
        return path

    def topology(self, network):
        """What Nocturne is given as the network."""
        return self.file(network) if network.startswith("fly:") else network

    def parts(self, network):
        """What is not as in the rest of the network."""
        if not network.startswith("dragonfly"):
            return []
        return ["--part", f"link local: latency={networks.LOCAL_LATENCY}",
                "--part", f"link global: latency={networks.GLOBAL_LATENCY}"]

    def booksim_command(self, curve):
        network = BOOKSIM_NETWORKS[curve["network"]]
        if "routing_function" not in network:
            network += " routing_function=" + BOOKSIM_ROUTINGS[curve["routing"]]
        return [self.booksim_file, self.booksim_base, *network.split(),
                f"vc_buf_size={curve['buffer_flits']}",
                *BOOKSIM_STAGES[curve["stages"]].split(), f"traffic={PATTERNS[curve['pattern']]}",
                f"packet_size={curve['packet_flits']}", f"num_vcs={curve['vcs']}"]

    def booksim_output(self, curve, *arguments):
        return run([*self.booksim_command(curve), *arguments], "Overall Traffic Statistics")

    def booksim(self, curve, load, seed, sim_type="latency", longer=1):
        """Latency in cycles, accepted flits per processor and cycle, and routers that a packet crosses."""
        text = self.booksim_output(curve, f"injection_rate={load}", f"seed={seed}", f"sim_type={sim_type}",
                                   f"sample_period={self.period * longer}")
        overall = text[text.rindex("Overall Traffic Statistics"):]

        def value(name):
            return float(re.search(name + r" average = (\S+)", overall).group(1))

        return value("Packet latency"), value("Accepted flit rate"), value("Hops")

    def booksim_batches(self, curve):
        """Cycles that batches in a row take; each begins when the one before it has arrived."""
        text = self.booksim_output(curve, "sim_type=batch", f"batch_size={BATCH_PACKETS}",
                                   f"batch_count={BATCHES + 1}", "injection_rate_uses_flits=0")
        sent = re.findall(r"Batch injected\. Time used is (\d+)", text)
        arrived = re.findall(r"Batch received\. Time used is (\d+)", text)
        return [int(a) + int(b) for a, b in zip(sent, arrived)]

    def booksim_packets(self, curve, load):
        """All packets of a short run, in the order of their creation: cycle, source, destination, latency."""
        # As it comes: a line for each thing that happens to a flit would fill the memory.
        with subprocess.Popen([*self.booksim_command(curve), f"injection_rate={load}", "seed=1",
                               f"sample_period={SAME_PERIOD}", f"watch_file={self.watched}", "watch_out=-"],
                              stdout=subprocess.PIPE) as process:
            text = b"".join(line for line in process.stdout if b"| Retiring packet" in line)
        packets = [tuple(map(int, found)) for found in re.findall(
            rb"(\d+) \| .*Retiring packet \d+ \(plat = (\d+), .*src = (\d+), dest = (\d+)\)", text)]
        if not 0 < len(packets) < MOST_PACKETS:
            raise RuntimeError(f"{len(packets)} packets of BookSim2 found: from 1 to {MOST_PACKETS - 1}")
        return sorted((arrival - latency, source, receiver, latency)
                      for arrival, latency, source, receiver in packets)

    def nocturne_output(self, curve, *arguments, topology=None):
        stages = NOCTURNE_STAGES[curve["stages"]]
        text = run([self.nocturne_file, "traffic", topology or self.topology(curve["network"]), "--json",
                    "--workers", "1", "--routing", curve["routing"],
                    "--vcs", curve["vcs"], "--router-stages", stages, "--crossbar-stages", stages,
                    "--credit-cycles", "0", "--buffer-flits", curve["buffer_flits"],
                    *self.parts(curve["network"]), *arguments],
                   '"made_by"')
        return json.loads(text)

    def nocturne_curve(self, curve, arguments):
        return self.nocturne_output(curve, "--pattern", curve["pattern"], "--packet-flits",
                                    curve["packet_flits"], *arguments)["curves"][0]

    def nocturne_batch(self, curve, before, distance):
        """Cycles that a batch takes, sent `distance` cycles after the one before it, so many of them."""
        numbers = random.Random(before)
        message_bytes = 4 * int(curve["packet_flits"])
        with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=self.folder, suffix=".csv") as file:
            file.write("cycle,source,destination,bytes,after\n")
            for batch in range(before + 1):
                for packet in range(BATCH_PACKETS):
                    for source in range(PROCESSORS.get(curve["network"], 64)):
                        receiver = destination(curve, source, numbers)
                        file.write(f"{batch * distance + packet},#{source},#{receiver},{message_bytes},\n")
            file.flush()
            outcome = self.nocturne_output(curve, "--trace", file.name, "--seed", str(before))
        return outcome["time_cycles"] - before * distance

    def nocturne_replay(self, curve, packets):
        """Mean latency of packets: cycle, source, destination."""
        message_bytes = 4 * int(curve["packet_flits"])
        with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=self.folder, suffix=".csv") as file:
            file.write("cycle,source,destination,bytes,after\n")
            file.writelines(f"{cycle},#{source},#{receiver},{message_bytes},\n"
                            for cycle, source, receiver, _ in packets)
            file.flush()
            outcome = self.nocturne_output(curve, "--trace", file.name,
                                           topology=self.file(curve["network"]))
        return outcome["average_packet_latency_cycles"]

    def nocturne(self, curve, load):
        return self.nocturne_curve(curve, ["--load", str(load), "--warm-up", str(self.period),
                                           "--window", str(LONGER * 5 * self.period)])["points"][0]


def saturation_load(simulators, curve):
    """The highest load, to 0.005, at which no source queue of Nocturne's grows."""
    found = simulators.nocturne_curve(curve, ["--saturation", "--tolerance", "0.005", "--window", "20000"])
    return found["highest_steady_load"]


def mean_and_error(values):
    """Mean, and the half-width of its 95 % confidence interval; 0 for a single value, of which nothing is
    known."""
    if len(values) == 1:
        return values[0], 0.0
    return statistics.mean(values), STUDENT[len(values)] * statistics.stdev(values) / math.sqrt(len(values))


def zero_load_row(simulators, curve):
    """A packet that meets no other takes (stages + 1) cycles a router, 2 more, and one for each flit behind
    its head: BookSim2's mean at hardly any load against that, with the number of routers that its packets
    crossed. Nocturne's own tests hold it to the same formula."""
    is_dragonfly = curve["network"].startswith("dragonfly")  # ways differ by 100 cycles: many packets
    measured, _, hops = simulators.booksim(curve, 0.0005 * int(curve["packet_flits"]), 1,
                                           longer=20 if is_dragonfly else 1)
    exact = (int(curve["stages"]) + 1) * hops + 2 + int(curve["packet_flits"]) - 1
    if is_dragonfly:
        exact += networks.dragonfly_wire_cycles(curve["pattern"])
    return {**curve, "kind": "zero load", "load": 0.0005 * int(curve["packet_flits"]), "runs": 1,
            "booksim": round(measured, 3), "nocturne": round(exact, 3), "zero_load": round(exact, 3),
            "deviation_percent": round(100 * (exact / measured - 1), 2), "limit_percent": 1}


def latency_limit(latency, zero_load):
    return 3 if latency < 1.5 * zero_load else 5 if latency < 3 * zero_load else None


def runs_for(seeds, point, zero_load):
    """Of BookSim2: as many as it takes for a half-width of a third of the limit, if its variance is that of
    Nocturne's longer run."""
    limit = latency_limit(point["average_packet_latency_cycles"], zero_load)
    if limit is None:
        return 1
    aim = limit / 100 / 3 * point["average_packet_latency_cycles"]
    runs = math.ceil(LONGER * (point["average_packet_latency_error_cycles"] / aim) ** 2)
    return 1 if runs == 1 else min(max(runs, 3), seeds)


def latency_row(simulators, curve, load, zero_load):
    point = simulators.nocturne(curve, load)
    runs = 1 if point["saturated"] else runs_for(simulators.seeds, point, zero_load)
    measured, booksim_error = mean_and_error([simulators.booksim(curve, load, seed)[0]
                                              for seed in range(1, runs + 1)])
    row = {**curve, "kind": "latency", "load": load, "runs": runs, "booksim": round(measured, 2),
           "booksim_error": round(booksim_error, 2), "zero_load": zero_load}
    if point["saturated"]:
        return row
    ours = point["average_packet_latency_cycles"]
    return {**row, "nocturne": round(ours, 2),
            "nocturne_error": round(point["average_packet_latency_error_cycles"], 2),
            "deviation_percent": round(100 * (ours / measured - 1), 2),
            "limit_percent": latency_limit(measured, zero_load) or ""}


def throughput_row(simulators, curve):
    """What is accepted when each processor offers a flit in every cycle."""
    measured = simulators.booksim(curve, 1.0, 1, "throughput")[1]
    point = simulators.nocturne(curve, 1.0)
    return {**curve, "kind": "throughput", "load": 1.0, "runs": 1, "booksim": round(measured, 4),
            "booksim_error": 0.0, "nocturne": round(point["accepted_flit_rate"], 4),
            "nocturne_error": round(point["accepted_flit_rate_error"], 4),
            "deviation_percent": round(100 * (point["accepted_flit_rate"] / measured - 1), 2),
            "limit_percent": 3}


def same_packets_row(simulators, curve, load):
    """The packets of a run of BookSim2, as it has drawn them, in both programs."""
    packets = simulators.booksim_packets(curve, load)
    measured = statistics.mean(latency for _, _, _, latency in packets)
    ours = simulators.nocturne_replay(curve, packets)
    return {**curve, "kind": "same packets", "load": load, "runs": 1, "booksim": round(measured, 4),
            "booksim_error": 0.0, "nocturne": round(ours, 4), "nocturne_error": 0.0,
            "deviation_percent": round(100 * (ours / measured - 1), 3), "limit_percent": 0.5}


def batch_row(simulators, curve):
    """Cycles from the first packet of a batch to the arrival of its last one. All processors begin at once,
    but the arbiters do not: they are where the batch before has left them."""
    durations = simulators.booksim_batches(curve)
    measured, booksim_error = mean_and_error(durations[1:])
    ours, error = mean_and_error([simulators.nocturne_batch(curve, before, 4 * max(durations))
                                  for before in range(1, BATCHES + 1)])
    return {**curve, "kind": "batch", "runs": BATCHES, "booksim": round(measured, 1),
            "booksim_error": round(booksim_error, 1), "nocturne": round(ours, 1),
            "nocturne_error": round(error, 1), "deviation_percent": round(100 * (ours / measured - 1), 2),
            "limit_percent": 5}


def measure_curve(simulators, curve):
    """All rows of a curve."""
    rows = [zero_load_row(simulators, curve)]
    steady = saturation_load(simulators, curve)
    for share in SHARES:
        rows.append(latency_row(simulators, curve, round(share * steady, 3), rows[0]["zero_load"]))
    if simulators.file(curve["network"]) is not None:
        rows.append(same_packets_row(simulators, curve, round(SAME_SHARE * steady, 3)))
    rows += [throughput_row(simulators, curve), batch_row(simulators, curve)]
    return rows


def is_beyond(row):
    """Is it farther away than the limit and the 95 % confidence interval of the difference? Where BookSim2
    has run only once, its own is taken from Nocturne's longer run."""
    if row.get("limit_percent", "") == "":
        return False
    ours = row.get("nocturne_error", 0)
    booksims = row.get("booksim_error") or math.sqrt(LONGER) * ours
    doubt = 100 * math.hypot(ours, booksims) / row["booksim"]
    return abs(row["deviation_percent"]) > row["limit_percent"] + doubt


def measure(bench):
    found = shutil.which(bench.settings["booksim"] or os.environ.get("BOOKSIM", "booksim"))
    if found is None:
        bench.skip("no BookSim2 (the variable BOOKSIM, or --set booksim=FILE; see the README)")
    curves = [curve for curve in bench.rows(bench.settings["curves"])
              if bench.settings["pattern"] in ("", curve["pattern"])]
    simulators = Simulators(found, bench)
    for network in {curve["network"] for curve in curves}:
        simulators.file(network)
    rows = []
    with concurrent.futures.ThreadPoolExecutor(bench.workers or os.cpu_count()) as pool:
        for of_curve in pool.map(lambda curve: measure_curve(simulators, curve), curves):
            for row in of_curve:  # it takes hours: each is there to read as soon as it is known
                print(", ".join(f"{name} {row[name]}" for name in COLUMNS if row.get(name, "") != ""),
                      flush=True)
            rows += of_curve
    return {"cross_validation": [{**{column: row.get(column) for column in COLUMNS},
                                  "beyond": int(is_beyond(row))}
                                 for row in rows]}
