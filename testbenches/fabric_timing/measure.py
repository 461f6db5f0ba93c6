"""How far the timings of a fabric are from the routers: what the program measures, by use of the hottest
link."""


def measure(bench):
    found = bench.measured_tables()
    if "random" not in found:
        return found
    steady = [(float(row["hottest_link"]), float(row["quantum_cycles"]), abs(float(row["lt_percent"])))
              for row in found["random"] if row["steady"] == "yes" and float(row["hottest_link"]) < 0.8]
    deviations = []
    for quantum, is_ahead in (("to 100 cycles", False), ("1000 or 10000 cycles", True)):
        for tenth in range(8):
            percents = [percent for link, cycles, percent in steady
                        if int(10 * link) == tenth and (cycles >= 1000) == is_ahead]
            if percents:
                deviations.append({"quantum": quantum, "hottest_link": f"{10 * tenth} to {10 * tenth + 10} %",
                                   "networks": len(percents),
                                   "within_5_percent": sum(p <= 5 for p in percents),
                                   "within_10_percent": sum(p <= 10 for p in percents),
                                   "worst_percent": max(percents)})
    below = [percent for link, _, percent in steady if link < 0.5]
    return {**found, "deviations": deviations,
            "below_half": [{"networks": len(below),
                            "within_10_percent": sum(p <= 10
                                                     for p in below) / len(below) if below else None}]}
