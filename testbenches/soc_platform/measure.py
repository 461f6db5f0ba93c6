"""Programs on the platform, whose times and energies the program of this testbench measures."""


def measure(bench):
    found = bench.measured_tables()
    picture = []
    for row in found["results"]:
        is_busy, is_scheduled = row["background"] == "yes", row["messages"] == "schedule"
        # Not all with background traffic: so many curves can be told apart.
        if row["timing"] == "flit" and (not is_busy or row["messages"] in ("schedule", "engines")):
            of_row = {"kind": row["workload"].split(":")[0], "size_bytes": row["size_bytes"]}
            curve = row["messages"] + (", background traffic" if is_busy else "")
            picture.append({**of_row, "curve": curve, "time_ns": row["exchanges_ns"]})
            if is_scheduled and not is_busy:
                picture.append({**of_row, "curve": "(t0 + m t1) x steps", "time_ns": row["model_ns"]})
    return {**found, "picture": picture}
