"""How fast everything is: what Google Benchmark wrote, beside what it wrote once, and as a picture."""
import json


def rates_of(text):
    """The runs by their names, without what Google Benchmark adds of its own settings; of repetitions the
    best, by the calibration loop of their own time."""
    rates = {}
    for run in json.loads(text)["benchmarks"]:
        if run.get("run_type") != "iteration" or run.get("error_occurred"):
            continue
        name = run["run_name"].split("/iterations:")[0]
        if name not in rates or run["work_per_calibration_step"] > rates[name]["work_per_calibration_step"]:
            rates[name] = run
    return rates


def measure(bench):
    bench.settings["nocturne"] = str(bench.nocturne_file)
    found = bench.measured_tables()
    rates = rates_of(bench.files["benchmarks.json"])
    against = bench.place / bench.settings["against"]
    before = rates_of(against.read_text(encoding="utf-8"))
    rows = []
    for name, run in rates.items():
        known = before.get(name, {}).get("work_per_calibration_step")
        processors = run.get("processors")
        rows.append({"benchmark": name, "work_per_s": run["work_per_second"], "memory_mib": run["MiB"],
                     "of_a_processor_kib": processors and run["MiB"] * 1024 / processors,
                     "to_the_stored_run": known and run["work_per_calibration_step"] / known})
    cost = {}  # of several loads on a mesh the quickest
    for name, run in rates.items():
        level, network = name.split("/")[:2]
        if level in ("flit", "worm") and network.startswith("mesh:") and run["work_per_second"] > 0:
            place = level, run["processors"]
            cost[place] = min(cost.get(place, float("inf")), 1e9 / run["work_per_second"])
    labels = {"flit": "flit-hop, flit level", "worm": "message-hop, message level"}
    return {"rates": rows, **found, "cost": [{"curve": labels[level], "processors": processors, "ns": ns}
                                             for (level, processors), ns in sorted(cost.items())]}
