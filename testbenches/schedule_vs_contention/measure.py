"""The schedules printed in the papers beside the same messages without a schedule."""
import pathlib


def name_of(run):
    return f"{run['traffic']}, {run['routing']}"


def summary_row(schedule, steps, replay, strongest, others):
    """The schedule beside the model, beside the fastest run without a schedule, and beside the fastest of
    those that pay the start-up for each message as the schedule does."""
    paying = [run for run in others if not run["traffic"].endswith("+chained")]
    best = min(paying, key=lambda run: run["time_ns"], default=None)
    return {"schedule": schedule, "steps": steps, "message_bytes": replay["message_bytes"],
            "model_ns": replay["model_time_ns"], "schedule_time_ns": replay["time_ns"],
            "hop_overhead_ns": replay["hop_overhead_ns"], "blocked_cycles": replay["blocked_cycles"],
            "memories": "right" if replay["memory_ok"] else "WRONG",
            "strongest": name_of(strongest) if strongest else None,
            "its_time_ns": strongest and strongest["time_ns"],
            "over_schedule": strongest and strongest["time_ns"] / replay["time_ns"],
            "best_with_all_start_ups": best and name_of(best),
            "its_time_with_all_ns": best and best["time_ns"],
            "worst_ns": max((run["time_ns"] for run in others), default=0)}


def measure(bench):
    settings = bench.settings
    names = bench.chosen(settings["schedules"])
    files = [{"schedule": f"schedules/library/{name}.json"} for name in names]
    hardware = {"vcs": settings["vcs"], "seed": settings["seed"]}
    compared = bench.sweep("compare", [{**file, "output": bench.folder / f"{name}-{{point}}",
                                        "record": bench.sweep_file(f"{name}_run", "json")}
                                       for file, name in zip(files, names)],
                           bytes=settings["bytes"], routing=settings["routings"], **hardware)
    bench.sweep("replay", [{**file, "svg": bench.sweep_file(name, "svg")}
                           for file, name in zip(files, names)], bytes=settings["occupancy_bytes"],
                           **hardware)
    summary, fits = [], []
    for point, (name, each) in enumerate(zip(names, compared)):
        for replay in (run for run in each["runs"] if run["traffic"] == "schedule"):
            what = f"{name}, {replay['message_bytes']} bytes"
            if replay["outcome"] != "ok":
                bench.fail(f"{what}: {replay['outcome']}")
            if replay["blocked_cycles"]:
                bench.fail(f"{what}: {replay['blocked_cycles']} blocked cycles")
            if abs(replay["time_ns"] - replay["model_time_ns"] - replay["hop_overhead_ns"]) > 1e-6:
                bench.fail(f"{what}: the time is not (t0 + m t1) steps and the hop overhead")
            unscheduled = [run for run in each["runs"] if run["message_bytes"] == replay["message_bytes"]
                           and not run["traffic"].startswith("schedule")]
            summary.append(summary_row(name, each["steps"], replay,
                                       next((run for run in unscheduled if run["strongest"]), None),
                                       [run for run in unscheduled if run["stall"] is None]))
        fit = each["fit"]
        fits.append({"schedule": name, "t0_ns": fit["t0_ns"], "t1_ns_per_byte": fit["t1_ns_per_byte"],
                     "t0_over_model": fit["t0_ns"] / fit["model_t0_ns"],
                     "t1_over_model": fit["t1_ns_per_byte"] / fit["model_t1_ns_per_byte"],
                     "hop_overhead_ns": fit["hop_overhead_ns"], "residual_ns": fit["residual_ns"]})
        folder = pathlib.Path(bench.folder / f"{name}-{point}")
        for file, of_case in (("comparison.csv", ".csv"), ("comparison.json", ".json"),
                              ("latency.svg", "_latency.svg")):
            bench.files[name + of_case] = (folder / file).read_text(encoding="utf-8")
        bench.reported.insert(0, bench.file_of(f"{name}_run", point, "json"))
        bench.files[f"{name}_occupancy.svg"] = bench.file_of(name, point, "svg").read_text(encoding="utf-8")
    return {"summary": summary, "fits": fits}
