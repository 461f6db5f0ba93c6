"""Designed networks beside the tables of Marden's paper and beside conceptual networks."""
import collections
import json
import math

import figures
import tables

DEVIATION = "deviation of messages on links"


def design_of(cell):
    """The request of a cell as options of `design`."""
    return {"nodes": cell["nodes"], "links": cell["links"], "arrangement": cell["arrangement"],
            "longest-wire": cell["longest_wire"], "weight": cell["weights"].split()}


def network_of(bench, source, arrangement=None):
    """A network, given as a specification or a file: its measures, and its links as the measures are to
    read them. Those of a grid are dimension by dimension, the order in which ties between shortest paths
    fall as in print."""
    made = json.loads(bench.text("topology", topology=source, format="json"))
    pairs = [(channel["source"], channel["target"]) for channel in made["channels"]]
    links = [pair for i, pair in enumerate(pairs) if pair[::-1] not in pairs[:i]]
    if "grid" in made:
        def coordinates(router):
            found = []
            for extent in reversed(made["grid"]["extent"]):
                found.insert(0, router % extent)
                router //= extent
            return found

        def dimension(link):
            from_, to = map(coordinates, link)
            return next(i for i, (a, b) in enumerate(zip(from_, to)) if a != b)

        links.sort(key=dimension)
        made["channels"] = [{"source": a, "target": b} for link in links for a, b in (link, link[::-1])]
        source = bench.folder / "printed_order.json"
        source.write_text(json.dumps(made), encoding="utf-8")
    measured = bench.nocturne("topology", topology=source, measure=True, arrangement=arrangement)
    return {"measures": measured["measures"], "nodes": len(made["routers"]), "links": links}


def generations_to_print(history, terms, printed, channels):
    """The first generation whose best network is as good as printed in each of the figures that are terms
    of its cost; nothing if there is no such generation, or no such figure."""
    aims = [figure for figure in printed if figure["figure"] in terms]
    for row in history if aims else ():
        def value(figure):
            # What is printed is half the population deviation; the term is the sample deviation.
            found = float(row["best_" + figure["figure"].replace(" ", "_")])
            is_halved = figure["figure"] == DEVIATION
            return found / 2 * math.sqrt((channels - 1) / channels) if is_halved else found
        if all(figures.reaches(figure, value(figure)) for figure in aims):
            return int(row["generation"])
    return None


def run_designs(bench, cells, printed):
    """The networks that each engine designs, by name and engine, and a row for each."""
    jobs = [(cell, engine) for engine, budget in (("gappin", "population"), ("exchange", "exchanges"))
            for cell in cells if int(cell[budget])]
    points = []
    for cell, engine in jobs:
        limits = ({"population": cell["population"], "generations": cell["generations"],
                   "mutation": cell["mutation"], "budget": 10**7,
                   "history": bench.sweep_file("history", "csv")}
                  if engine == "gappin" else {"exchanges": cell["exchanges"]})
        points.append({**design_of(cell), "engine": engine, **limits, "output": bench.sweep_file("design")})
    found = bench.sweep("design", points, seed=bench.settings["seed"])
    networks, rows, histories = {}, [], {}
    for i, ((cell, engine), each) in enumerate(zip(jobs, found)):
        key = cell["name"], engine
        networks[key] = {**network_of(bench, bench.file_of("design", i), cell["arrangement"]),
                         "file": bench.file_of("design", i), "arrangement": cell["arrangement"]}
        is_gappin = engine == "gappin"
        if is_gappin:
            histories[cell["name"]] = tables.read(bench.file_of("history", i, "csv"))
        generation = generations_to_print(histories.get(cell["name"], []) if is_gappin else [],
                                          [term["term"] for term in each["terms"]],
                                          [figure for figure in printed if figure["network"] == cell["name"]],
                                          each["channels"])
        population = int(cell["population"])
        measures = networks[key]["measures"]
        wires = measures["wires"] if cell["arrangement"] else {}
        rows.append({"network": cell["name"], "engine": engine, "weights": cell["weights"],
                     "population": population if is_gappin else None,
                     "mutation": cell["mutation"] if is_gappin else None,
                     "evaluations": population * (int(cell["generations"]) + 1) if is_gappin
                     else int(cell["exchanges"]),
                     "as_printed_after": None if generation is None else population * (generation + 1),
                     "time_s": each.seconds, "cost": each["cost"],
                     "average_hops": measures["latency"]["average_with_self_hops"],
                     "its_bound_hops": measures["bound"]["average_with_self_hops"],
                     "maximum_hops": measures["latency"]["maximum_hops"],
                     "bound_of_maximum_hops": measures["bound"]["maximum_hops"],
                     "longest_wire": wires.get("maximum_units"), "all_wires": wires.get("total_units")})
    return networks, rows, histories


def moore_steps(nodes, degree):
    """Each message needs the hops of a shortest path, and of all hops the channels carry one each in a
    step. Links of both directions are two of the channels, so that the bound of one-way links holds for
    them too."""
    left, level, hops, total = nodes - 1, degree, 0, 0
    while left > 0:
        level = min(level, left)
        hops += 1
        total += hops * level
        left -= level
        level *= degree
    return math.ceil(total / degree - 1e-9)


def name_of(cell):
    """`design:64,4`, `design:64,4 one-way symmetry 4 grid 5`"""
    return " ".join(filter(None, [
        f"design:{cell['nodes']},{cell['links']}", "one-way" if cell["kind"] == "one-way" else "",
        f"symmetry {cell['symmetry']}" if int(cell["symmetry"]) > 1 else "",
        f"{cell['arrangement']} {cell['longest_wire']}" if cell["arrangement"] else ""]))


def verdict_of(steps, moore, conceptual, is_right):
    """Is the schedule below the bound of every conceptual network, and has it run as it should?"""
    if steps is not None and steps < conceptual:
        return "below every conceptual network" if is_right else "the replay was blocked or wrong"
    return "no network can be below" if moore >= conceptual else "not below"


def run_codesigns(bench, cells):
    """Networks designed for few steps of an all-to-all scatter, against the conceptual networks of their
    size."""
    scatter = {"collective": "AAS", "ports": "all"}
    sizes = {(cell["nodes"], cell["links"]) for cell in cells}
    conceptual = [row for row in tables.read(bench.place / bench.settings["conceptual"])
                  if (row["nodes"], row["links"]) in sizes]
    bounds = bench.sweep("bound", [{"topology": row["network"], **scatter} for row in conceptual])
    least = {}
    for row, each in zip(conceptual, bounds):
        size = row["nodes"], row["links"]
        if size not in least or each["lower_bound"] < least[size][1]:
            least[size] = row["network"], each["lower_bound"]
    bench.sweep("design", [{**design_of(cell), "one-way": cell["kind"] == "one-way",
                            "symmetry": cell["symmetry"], "exchanges": cell["exchanges"],
                            "output": bench.sweep_file("codesign")} for cell in cells],
                seed=bench.settings["seed"])
    steps, verdicts = [], []
    for i, cell in enumerate(cells):
        file, schedule = bench.file_of("codesign", i), bench.folder / "schedule.json"
        measures = bench.nocturne("topology", topology=file, measure=True, arrangement=cell["arrangement"]
                                  )["measures"]
        # A symmetric network has schedules of its symmetry, which are searched by orbits of messages.
        found = bench.nocturne("schedule", topology=file, **scatter, budget=cell["search_seconds"],
                               engine="symmetry" if int(cell["symmetry"]) > 1 else "auto",
                               seed=bench.settings["seed"], output=schedule)
        replay = found["steps"] and bench.nocturne("replay", schedule=schedule, bytes=bench.settings["bytes"],
                                                   seed=bench.settings["seed"])["replays"][0]
        is_right = (bool(replay) and replay["valid"] and replay["outcome"] == "ok"
                    and not replay["blocked_cycles"])
        network, bound = least[cell["nodes"], cell["links"]]
        moore = moore_steps(int(cell["nodes"]), int(cell["links"]))
        row = {"network": name_of(cell), "average_hops": f"{measures['latency']['average_hops']:.4f}",
               "longest_wire": measures["wires"]["maximum_units"] if cell["arrangement"] else None,
               "moore_bound_steps": moore, "bound_steps": found["lower_bound"], "best_conceptual": network,
               "its_bound_steps": bound, "verdict": verdict_of(found["steps"], moore, bound, is_right)}
        verdicts.append(row)
        steps.append({**row, "found_steps": found["steps"],
                      "replayed_ns": replay["time_ns"] if is_right else None})
    return steps, verdicts


def pictures_of(bench, networks, histories):
    """Points of the pictures: generations of one design by their costs and of one by their ages, all
    relative to the first median, and designs on a grid by their wires."""
    settings, points = bench.settings, {"generations": [], "ages": [], "wires": []}
    for name in settings["draw"]:
        found = next(network for key, network in networks.items() if key[0] == name)
        bench.files[name + ".svg"] = bench.text("topology", topology=found["file"], format="svg")
    if settings["draw_costs"]:
        history = histories[settings["draw_costs"]]
        for column in [name for name in history[0] if name.startswith("median_") or name == "best_cost"]:
            first = float(history[0]["median_cost" if column == "best_cost" else column])
            points["generations"] += [{"curve": column.replace("_", " "), "generation": row["generation"],
                                       "relative_cost": float(row[column]) / first} for row in history]
    if settings["draw_ages"]:
        points["ages"] = [{"curve": curve, "generation": row["generation"], "age": row[column]}
                          for curve, column in (("oldest survivor", "maximum_age"),
                                                ("mean of the survivors", "mean_age"))
                          for row in histories[settings["draw_ages"]]]
    if settings["draw_wires"]:
        of_engines = [(engine, network) for engine in ("exchange", "gappin")
                      for (name, by), network in networks.items()
                      if by == engine and name.startswith(settings["draw_wires"])]
        known = [(name, network_of(bench, name, "grid")) for name in ("torus:8x8", "mesh:8x8")]
        points["wires"] = sorted(({"curve": curve, "wires": network["measures"]["wires"]["total_units"],
                                   "latency": network["measures"]["latency"]["average_with_self_hops"]}
                                  for curve, network in of_engines + known),
                                 key=lambda point: (point["curve"], point["wires"]))
        bound = known[0][1]["measures"]["bound"]["average_with_self_hops"]
        points["wires"] += [{"curve": "Moore's bound", "wires": wires, "latency": bound}
                            for wires in (110, 550)]
    return {name: found for name, found in points.items() if found}


def measure(bench):
    settings = bench.settings
    printed = tables.read(bench.place / settings["cells"])
    networks, designs, histories = run_designs(bench, tables.read(bench.place / settings["designs"]), printed)
    known = {name: network_of(bench, name) for name in
             dict.fromkeys(figure["network"] for figure in printed if ":" in figure["network"])}
    rows = []
    for figure in printed:
        if ":" in figure["network"]:
            rows.append(figures.compared(figure, known[figure["network"]], "measured"))
        else:
            rows += [figures.compared(figure, networks[figure["network"], engine], engine)
                     for engine in ("gappin", "exchange") if (figure["network"], engine) in networks]
    steps, verdicts = run_codesigns(bench, tables.read(bench.place / settings["codesigns"]))
    counts = collections.Counter((row["by"], row["verdict"]) for row in rows)
    of_tables = {f"table_{table}": figures.paper_table(table, [row for row in rows if row["table"] == table])
                 for table in dict.fromkeys(row["table"] for row in rows)}
    return {**of_tables, "verdicts": [{"figures": by, "verdict": verdict, "number": count}
                                      for (by, verdict), count in sorted(counts.items())],
            "designs": designs, "scatter_steps": steps, "figures": rows, "scatter_verdicts": verdicts,
            **pictures_of(bench, networks, histories)}
