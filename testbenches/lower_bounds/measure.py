"""Every cell of the papers' tables: bound, schedule, replay and verdict."""
import collections
import re

import tables


def problem_of(cell):
    """A cell's problem as options."""
    names = ("collective", "source", "senders", "receivers", "ports", "slack", "fault")
    return {"topology": cell["network"], **{name: cell.get(name) for name in names}}


def verdict_of(found, minimal, printed, printed_bound):
    """What is to be said of the printed figures; `minimal`: what is known of minimal paths, if that is
    asked."""
    if not found["optimal"]:
        return "no schedule found" if found["steps"] is None else "open"
    proven = found["lower_bound"]
    is_longer = minimal is not None and minimal["steps"] != proven
    if printed is None:
        text = "none printed, optimal now"
    elif printed == proven:
        text = "confirmed optimal"
    elif printed > proven and is_longer:
        text = (f"improved over longer paths only (printed {printed}, proved {proven}, over minimal paths "
                f"{'' if minimal['optimal'] else 'at least '}{minimal['lower_bound']})")
    elif printed > proven:
        text = f"improved (printed {printed}, proved {proven})"
    else:
        text = f"steps refuted (printed {printed}, {proven} are needed)"
    if printed_bound is not None and printed_bound != proven:
        if not is_longer:
            text += f"; bound refuted (printed {printed_bound}, {proven} is right)"
        elif printed_bound != minimal["lower_bound"]:
            text += (f"; bound refuted (printed {printed_bound}, over minimal paths "
                     f"{minimal['lower_bound']} is right)")
    return text


def measure(bench):
    cells = bench.rows(bench.settings["cells"])
    search = {"budget": bench.settings["budget"], "seed": bench.settings["seed"]}
    problems = [problem_of(cell) for cell in cells]
    found = bench.sweep("schedule", [{**problem, "output": bench.sweep_file("cell")} for problem in problems],
                        **search)
    files = [bench.file_of("cell", i) for i in range(len(cells))]
    proofs = bench.sweep("certify", [{"result": file} for file in files])
    with_schedule = [i for i, each in enumerate(found) if each["steps"] is not None]
    replays = dict(zip(with_schedule, bench.sweep("replay", [{"schedule": files[i]} for i in with_schedule],
                                                  bytes=bench.settings["bytes"])))
    printed = [[int(cell[name]) if cell[name] else None for name in ("printed_steps", "printed_bound")]
               for cell in cells]
    # Minimal paths are all that the papers allow unless they say otherwise.
    below = [i for i, each in enumerate(found) if each["optimal"] and not cells[i]["slack"]
             and any(value is not None and value > each["lower_bound"] for value in printed[i])]
    minimal = dict(zip(below, bench.sweep(
        "schedule", [{**problems[i], "slack": "0"} for i in below], **search)))
    verdicts, details, differing = [], [], []
    for i, (cell, each) in enumerate(zip(cells, found)):
        row = {"paper": cell["paper"], "network": each["topology"], "collective": cell["collective"],
               "participants": tables.participants_of(cell), "ports": each["ports"],
               "printed_steps": printed[i][0], "printed_bound_steps": printed[i][1],
               "bound_steps": each["lower_bound"],
               "found_steps": each["steps"], "verdict": verdict_of(each, minimal.get(i), *printed[i])}
        name = f"{cell['collective']} on {each['topology']} {row['participants']}"
        if not each["optimal"]:
            bench.fail(f"{name}: not closed, at least {each['lower_bound']} steps")
        if i in minimal and not minimal[i]["optimal"] and minimal[i]["steps"] != each["lower_bound"]:
            bench.fail(f"{name}: not closed over minimal paths, {minimal[i]['lower_bound']} steps")
        if not proofs[i]["proven"] or not proofs[i]["valid"]:
            bench.fail(f"{name}: {proofs[i]['refutations'] or proofs[i]['violations']}")
        replay = replays[i]["replays"][0] if i in replays else None
        if replay and (not replay["valid"] or replay["outcome"] != "ok" or replay["blocked_cycles"]):
            bench.fail(f"{name}: the replay was blocked or wrong")
        verdicts.append(row)
        details.append({**row, "kind": each["bound_kind"], "engine": each["engine"],
                        "search_s": each["seconds"],
                        "simulated_ns": replay["time_ns"] if replay else None, "reason": each["bound_reason"]})
        if each["optimal"] and printed[i][0] not in (None, each["lower_bound"]):
            fault = f" -{cell['fault'].split(':')[0]}" if cell["fault"] else ""
            slack = f" slack {cell['slack']}" if cell["slack"] else ""
            differing.append({**row, "cell": f"{cell['network']}{fault} {cell['collective']}{slack}"})
    counts = collections.Counter(re.sub(r" \([^)]*\)", "", row["verdict"]) for row in verdicts)
    print(f"{len(cells)} cells, {sum(each['seconds'] for each in found):.1f} s of search")
    return {"verdicts": verdicts, "lower_bounds": details, "differing": differing,
            "summary": [{"verdict": verdict, "cells": count} for verdict, count in sorted(counts.items())]}
