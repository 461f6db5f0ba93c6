"""The papers' engines on one cell of their tables after the other, beside what was printed and the engines of
today; what their heuristics are worth; and their algorithms as printed."""
import collections
import os

import tables

WORDS = {"engine", "name", "of", "by"}  # of a variant, that are no options of `evolve`
PARTS = {"collective", "source", "senders", "receivers", "ports", "slack"}


def problem_of(cell):
    """A cell's problem as options."""
    return {"topology": cell["network"], **{name: cell[name] for name in PARTS}}


def identity_of(cell, ports):
    """The columns that say which cell it is."""
    return {"network": cell["network"], "collective": cell["collective"],
            "participants": tables.participants_of(cell),
            "ports": ports, "engine": cell["engine"], "printed_steps": int(cell["printed_steps"])}


def mean(found, what):
    """Of the runs that succeeded: `mean_seconds`; nothing if none did, or there are no runs."""
    return found[what] if found and found["success_percent"] > 0 else None


def rate_verdict(percent, printed):
    if not printed:
        return "reached (no rate printed)" if percent > 0 else "not reached (no rate printed)"
    return "reached" if percent >= int(printed) else f"not reached ({percent:.0f} of {printed} %)"


def name_of(variant):
    """`all`, `without restarts (ours)`"""
    ours = " (ours)" if variant.get("by") == "ours" else ""
    return variant.get("name") or f"without {variant['without']}{ours}"


class Experiment:
    """The engines on the chosen cells."""

    def __init__(self, bench):
        self.bench, self.settings = bench, bench.settings
        self.limits = {name: self.settings[name] for name in ("runs", "budget", "seed")}
        self.cells = self.small(bench.rows(self.settings["cells"]))
        if not self.cells:
            raise ValueError(
                f"--only {bench.only}: no cell with up to {self.settings['most_processors']} processors")

    def small(self, cells):
        """Those with few enough processors."""
        networks = list(dict.fromkeys(cell["network"] for cell in cells))
        found = self.bench.sweep("topology", [{"topology": network} for network in networks])
        processors = {network: each["processors"] for network, each in zip(networks, found)}
        return [{**cell, "processors": processors[cell["network"]]} for cell in cells
                if processors[cell["network"]] <= self.settings["most_processors"]]

    def point(self, cell, steps, evaluations, generations):
        """Our engine on a cell: UMDA is limited in generations, which say how many solutions it makes."""
        limit = {"generations": generations} if cell["engine"] == "umda" else {"evaluations": evaluations}
        # Where the schedule needs more than minimal paths, the lists of the genes have them.
        paths = {"most-paths": 1000} if cell["engine"] == "hgsa" and cell["slack"] else {}
        return {**problem_of(cell), "engine": cell["engine"], "steps": steps, **limit, **paths}

    def ours(self, pictured):
        """Successes and costs, and the pictures of the cells that are `pictured`."""
        bench, settings = self.bench, self.settings
        modern = bench.sweep("schedule", [problem_of(cell) for cell in self.cells], seed=settings["seed"])
        optima = [each["lower_bound"] for each in modern]
        at_printed, at_optimum = {}, {}
        points = {i: self.point(cell, int(cell["printed_steps"]),
                                int(cell["evaluations"] or settings["evaluations"]),
                                int(cell["generations"] or settings["generations"]))
                  for i, cell in enumerate(self.cells) if int(cell["printed_steps"]) >= optima[i]}
        for at, i in enumerate(points):
            identity = identity_of(self.cells[i], "")
            if identity in pictured:
                pictured.remove(identity)  # one picture, though a cell may be in several papers
                points[i]["svg"] = bench.sweep_file("convergence", "svg")
                name = f"convergence_{identity['network']}_{identity['collective']}.svg"
                bench.files[tables.file_name(name)] = at
        at_printed = dict(zip(points, bench.sweep("evolve", list(points.values()), **self.limits)))
        for name, at in bench.files.items():
            bench.files[name] = bench.file_of("convergence", at, "svg").read_text(encoding="utf-8")
        points = {i: self.point(self.cells[i], optima[i], settings["optimum_evaluations"],
                                settings["optimum_generations"])
                  for i in at_printed if optima[i] < int(self.cells[i]["printed_steps"])}
        at_optimum = dict(zip(points, bench.sweep("evolve", list(points.values()), **self.limits)))
        success, costs = [], []
        for i, (cell, best) in enumerate(zip(self.cells, modern)):
            runs, fewer = at_printed.get(i), at_optimum.get(i)
            success.append({**identity_of(cell, best["ports"]),
                            "printed_success_percent": cell["printed_success_percent"],
                            "success_percent": runs and runs["success_percent"], "optimum_steps": optima[i],
                            "success_at_optimum_percent": fewer and fewer["success_percent"],
                            "verdict": rate_verdict(runs["success_percent"], cell["printed_success_percent"])
                            if runs else "no schedule has so few steps"})
            costs.append({**success[-1], "family": cell["network"].split(":")[0],
                          "processors": cell["processors"],
                          "printed_time_s": cell["printed_seconds"],
                          "time_s": mean(runs, "mean_seconds"), "generations": mean(runs, "mean_generations"),
                          "evaluations": mean(runs, "mean_evaluations"),
                          "evaluations_at_optimum": mean(fewer, "mean_evaluations"),
                          "modern_engine": best["engine"], "modern_time_s": best["seconds"]})
        return success, costs

    def ablation(self, cells):
        """The same runs without each part that applies, and with what the papers leave open set otherwise."""
        variants = [(cell, variant) for cell in cells for variant in self.settings["variants"]
                    if variant.get("engine", cell["engine"]) == cell["engine"]
                    and cell["collective"].endswith(variant.get("of", ""))]
        points = []
        for cell, variant in variants:
            changes = {name: value for name, value in variant.items() if name not in WORDS}
            limits = {"evaluations": cell["evaluations"]}
            if cell["engine"] == "umda":
                made = variant.get("population", 30) * variant.get("islands", 1)  # solutions of a generation
                limits = {"generations": int(cell["generations"]) * 30 // made}
            points.append({**problem_of(cell), "engine": cell["engine"], "steps": cell["printed_steps"],
                           **limits, **changes})
        found = self.bench.sweep("evolve", points, **self.limits)
        return [{"network": cell["network"], "collective": cell["collective"], "engine": cell["engine"],
                 "steps": int(cell["printed_steps"]), "variant": name_of(variant),
                 "success_percent": each["success_percent"], "evaluations": mean(each, "mean_evaluations"),
                 "conflicts_left": sum(run["conflicts"] for run in each["runs"]) / len(each["runs"])}
                for (cell, variant), each in zip(variants, found)]

    def as_printed(self):
        """The papers' algorithms. With an output folder each result stays there, so that the run can be
        stopped and gone on with, and cells and budgets added at any time."""
        rows = []
        for cell in self.cells:
            evaluations = int(cell["as_printed_evaluations"] or self.settings["as_printed_evaluations"])
            if evaluations == 0:
                continue
            point = {**problem_of(cell), "engine": cell["engine"], "as-printed": True,
                     "evaluations": evaluations,
                     "steps": cell["printed_steps"], "population": cell["population"]}
            kept = None
            if self.bench.output:
                folder = self.bench.output / "as_printed"
                folder.mkdir(parents=True, exist_ok=True)
                words = "_".join(str(value) for value in {**point, **self.limits}.values() if value)
                kept = folder / tables.file_name(words + ".db")
            found, = self.bench.sweep("evolve", [point], kept=kept,
                                      workers=self.bench.workers or os.cpu_count(),
                                      **self.limits)
            runs = found["runs"]
            ports = found["problem"].split("-port, ")[0].split()[-1]  # `AAS on omega:8, 1-port, wormhole`
            evaluations_mean = mean(found, "mean_evaluations")
            rows.append({**identity_of(cell, ports),
                         "printed_success_percent": cell["printed_success_percent"],
                         "printed_time_s": cell["printed_seconds"], "evaluations": evaluations,
                         "runs": len(runs),
                         "successes": sum(run["solved"] for run in runs),
                         "conflicts_left": -(-sum(run["conflicts"] for run in runs) // len(runs)),
                         "mean_evaluations": evaluations_mean and int(evaluations_mean),
                         "time_s": mean(found, "mean_seconds"),
                         "verdict": rate_verdict(found["success_percent"], cell["printed_success_percent"])})
        return rows


def measure(bench):
    variant = bench.settings["variant"]
    if variant not in ("ours", "as-printed", "both"):
        raise ValueError(f"--set variant={variant}: ours, as-printed or both")
    experiment = Experiment(bench)
    found = {}
    if variant != "as-printed":
        ablated = experiment.small([cell for cell in tables.read(bench.place / bench.settings["ablation"])
                                    if bench.only in " ".join(cell.values())])
        found["success"], found["costs"] = experiment.ours([identity_of(cell, "") for cell in ablated])
        found["ablation"] = experiment.ablation(ablated)
    if variant != "ours":
        found["as_printed"] = experiment.as_printed()
    bench.left_out = {"success", "as_printed"} - set(found)
    verdicts = collections.Counter((name, row["verdict"].split(" (")[0])
                                   for name in ("success", "as_printed") for row in found.get(name, ()))
    found["verdicts"] = [{"of": name.replace("success", "ours").replace("_", " "), "verdict": verdict,
                          "cells": count}
                         for (name, verdict), count in sorted(verdicts.items())]
    return found
