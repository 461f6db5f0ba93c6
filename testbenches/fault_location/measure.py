"""Every single fault of a network, with a schedule and without one, at three times each: is it located as
what it is?"""
import json
import math


def all_faults(bench, network):
    """Every channel, link and router whose loss leaves the processors connected, as options have it, with
    what recovery must call it."""
    made = json.loads(bench.text("topology", topology=network, format="json"))
    names = [router["name"] for router in made["routers"]]
    channels = [(names[channel["source"]], names[channel["target"]]) for channel in made["channels"]]
    faults = {f"channel:{a}-{b}": {f"channel {a}->{b}"} for a, b in channels}
    faults |= {f"link:{a}-{b}": {f"channel {a}->{b}", f"channel {b}->{a}"} for a, b in channels
               if names.index(a) < names.index(b) and (b, a) in channels}
    faults |= {f"node:{name}": {f"router {name}"} for name in names}
    texts = sorted(faults)
    left = bench.sweep("bound", [{"topology": network, "collective": "AAS", "fault": text} for text in texts],
                       may_fail=True)
    return {text: faults[text] for text, each in zip(texts, left) if each.status == 0}


def tally(bench, network, traffic, faults, times, found):
    """What became of all faults of a network under one kind of traffic."""
    probes, unnoticed, located, wrong = [], 0, 0, 0
    cases = [(fault, time) for fault in faults for time in times]
    for (fault, time), each in zip(cases, found):
        what = f"{network} {traffic}, {fault} at {time}"
        if not each["memory_ok"] or each["duplicates"]:
            bench.fail(f"{what}: {each['messages_delivered']} of {each['messages_owed']} messages are right")
            wrong += 1
        if not each["lost"]:
            unnoticed += 1
            continue
        probes.append(each["probes"])
        if set(each["located"]) == faults[fault]:
            located += 1
        else:
            bench.fail(f"{what}: located as {', '.join(each['located'])}")
            wrong += 1
    return {"network": network, "traffic": traffic, "faults": len(faults), "runs": len(cases),
            "unnoticed": unnoticed, "located": located, "wrong": wrong,
            "mean_probes": sum(probes) / len(probes) if probes else 0, "most_probes": max(probes, default=0)}


def measure(bench):
    rows = []
    for network in bench.chosen(bench.settings["networks"]):
        faults = all_faults(bench, network)
        file = bench.folder / "schedule.json"
        steps = bench.nocturne("schedule", topology=network, collective="AAS", output=file)["steps"]
        times = [1, steps // 2 + 1, steps]
        found = bench.sweep("recover", [{"schedule": file, "fault": fault, "at-step": step}
                                        for fault in faults for step in times], bytes=bench.settings["bytes"])
        rows.append(tally(bench, network, "schedule", faults, times, found))
        without = {"schedule": network, "unscheduled": True, "collective": "AAS",
                   "bytes": bench.settings["bytes"]}
        undisturbed = bench.nocturne("recover", **without, fault=next(iter(faults)), at_ns=1e9)
        times = [math.floor(part * undisturbed["phases"][0]["end_ns"]) for part in bench.settings["parts"]]
        found = bench.sweep("recover", [{"fault": fault, "at-ns": time}
                                        for fault in faults for time in times], **without)
        rows.append(tally(bench, network, "shifted", faults, times, found))
    return {"located": rows}
