"""What people ask first: each collective on each network, by default, beside its bound, and beside what
textbooks would do."""
import json

import networks
import tables
import textbook


def network_file(bench, name):
    """The network as `nocturne` takes it, and as a document."""
    file = bench.folder / f"{name.replace(' ', '_').replace(':', '_').replace(',', '_')}.json"
    made = networks.file_text(name)
    if made:
        file.write_text(made, encoding="utf-8")
    else:
        bench.nocturne("topology", topology=name, output=file)
    return file if made else name, json.loads(file.read_text(encoding="utf-8"))


def best_of_textbook(bench, cell, document, collective, size):
    """The name of the quickest algorithm and its cycles, judged by the validator; nothing where all are too
    large."""
    plane = networks.in_one_plane(document)
    topology, schedule = bench.folder / "plane.json", bench.folder / "textbook.json"
    topology.write_text(json.dumps(plane), encoding="utf-8")
    members = len(plane["processors"])
    best = ("", None)
    for name, algorithm in textbook.ALGORITHMS[collective].items():
        if textbook.transfers_of(name, collective, members) > bench.settings["most_transfers"]:
            continue
        program = algorithm(members, int(cell["box"]))
        if not program:
            continue
        ways = textbook.Ways(plane, textbook.message_bytes(program, size))
        schedule.write_text(json.dumps(program.document(str(topology), ways)), encoding="utf-8")
        judged = bench.nocturne("validate", schedule=schedule, bytes=size, start_cycles=cell["start_cycles"])
        if not judged["valid"]:
            bench.fail(f"{cell['network']} {collective}: {name} is not valid: {judged['violations'][0]}")
        elif best[1] is None or judged["time_cycles"] < best[1]:
            best = (name, judged["time_cycles"])
    return best


def verdict_of(cycles, bound, others):
    """`at the bound`, `2.1 % over`, `slower than direct`; times that differ by rounding are the same."""
    if cycles is None:
        return "no schedule"
    slower = [name for name, least in others if least is not None and cycles > least * (1 + 1e-9)]
    if slower:
        return f"slower than {slower[0]}"
    return "at the bound" if cycles <= bound * 1.001 else f"{100 * (cycles / bound - 1):.1f} % over"


def measure(bench):
    settings = bench.settings
    by_hand = {(row["network"], row["collective"], int(row["bytes"])): float(row["cycles"])
               for row in tables.read(bench.place / "by_hand.csv")}
    rows = []
    for cell in bench.rows(settings["networks"]):
        topology, document = network_file(bench, cell["network"])
        for collective in settings["collectives"]:
            for size in map(int, settings["bytes"]):
                file = bench.folder / "schedule.json"
                found = bench.nocturne("schedule", topology=topology, collective=collective, bytes=size,
                                       start_cycles=cell["start_cycles"], link_bytes=networks.LINK_BYTES,
                                       output=file,
                                       **{name: settings[name] for name in ("budget", "workers", "seed")})
                cycles, bound = found["time_cycles"], found["bounds"][-1]["time_cycles"]
                if cycles is not None:
                    proof = bench.nocturne("certify", result=file)
                    if not proof["proven"] or not proof["valid"]:
                        bench.fail(f"{cell['network']} {collective} {size}: {proof['refutations']}")
                name, least = best_of_textbook(bench, cell, document, collective, size)
                hand = by_hand.get((cell["network"], collective, size))
                rows.append({"network": cell["network"], "collective": collective, "bytes": size,
                             "bound_cycles": bound, "cycles": cycles,
                             "times_the_bound": None if cycles is None else cycles / bound,
                             "verdict": verdict_of(cycles, bound, [(name, least), ("by hand", hand)]),
                             "chunks": found["chunks"], "engine": found["engine"], "end": found["end"],
                             "textbook": name, "textbook_times_the_bound": least and least / bound,
                             "search_s": found["seconds"], "memory_mib": found.mebibytes})
    return {"clusters": rows}
