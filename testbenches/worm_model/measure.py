"""How far the message-level model is from the flit-level model: the same packets through both."""


def measure(bench):
    settings = bench.settings
    window, seeds = settings["window"], range(1, settings["seeds"] + 1)
    cells = bench.rows(settings["cells"])
    plan = {"warm-up": window // 5, "window": window, "drain": window}
    points = [{**cell, "load": 0.95, "model": "flit", "seed": 1} for cell in cells]
    saturations = [each["curves"][0]["points"][0]["accepted_flit_rate"]
                   for each in bench.sweep("traffic", points, **plan)]
    points = [{**cell, "load": ",".join(repr(part * saturation) for part in settings["parts"]),
               "model": model,
               "seed": seed}
              for cell, saturation in zip(cells, saturations) for seed in seeds for model in ("flit", "worm")]
    curves = iter([each["curves"][0]["points"] for each in bench.sweep("traffic", points, **plan)])
    rows = []
    for cell, saturation in zip(cells, saturations):
        of_cell = [(next(curves), next(curves)) for _ in seeds]
        for at, part in enumerate(settings["parts"]):
            cycles = [[points[at]["average_packet_latency_cycles"]
                for points in models] for models in zip(*of_cell)]
            if None in cycles[0] + cycles[1]:
                continue  # not steady
            flit, worm = (sum(of_model) / len(of_model) for of_model in cycles)
            rows.append({"topology": cell["topology"], "pattern": cell["pattern"],
                         "flits": cell["packet_flits"],
                         "VCs": cell["vcs"] or "as needed", "load": round(part * saturation, 3),
                         "of_saturation_percent": round(100 * part), "flit_cycles": round(flit, 1),
                         "worm_cycles": round(worm, 1), "error_percent": 100 * (worm / flit - 1)})
    worst = [{"up_to_percent_of_saturation": percent,
              "worst_error_percent": max((abs(row["error_percent"]) for row in rows if int(row["flits"]) >= 16
                                          and row["of_saturation_percent"] <= percent), default=None)}
             for percent in (50, 70, 90)]
    return {"accuracy": rows, "worst": worst}
