"""All-to-all scatters beside their bounds."""
import networks


def verdict_of(gap, goal):
    """`at the bound`, `within 3 %`, `5.4 % over, the goal is 3 %`, `no schedule`"""
    if gap is None:
        return "no schedule"
    if gap == 0:
        return "at the bound"
    return f"within {goal:g} %" if gap <= goal else f"{gap:.1f} % over, the goal is {goal:g} %"


def measure(bench):
    settings = bench.settings
    rows = []
    for cell in bench.rows(settings["networks"]):
        text = networks.file_text(cell["network"])
        network = cell["network"]
        if text:
            name = network.replace(":", "_").replace(",", "_") + ".json"
            bench.files[name] = text  # for `nocturne schedule FILE`
            network = bench.folder / name
            network.write_text(text, encoding="utf-8")
        found = bench.nocturne("schedule", topology=network, fault=cell["fault"], collective="AAS",
                               output=bench.folder / "schedule.json", workers=settings["workers"],
                               **{name: settings[name] for name in ("engine", "budget", "seed")})
        proof = bench.nocturne("certify", result=bench.folder / "schedule.json")
        if not proof["proven"] or not proof["valid"]:
            bench.fail(f"{found['topology']}: {proof['refutations'] or 'the schedule is not valid'}")
        gap = None if found["steps"] is None else 100 * (found["steps"] / found["lower_bound"] - 1)
        processors = bench.nocturne("topology", topology=network)["processors"]
        rows.append({"network": found["topology"], "processors": processors,
                     "bound_steps": found["lower_bound"],
                     "found_steps": found["steps"], "over_the_bound_percent": gap, "engine": found["engine"],
                     "bound_by": found["bound_kind"], "search_s": found["seconds"],
                     "memory_mib": found.mebibytes, "verdict": verdict_of(gap, float(cell["goal_percent"]))})
    return {"large_scatters": rows}
