"""Flows with slots of their own, on many networks: is a contract ever broken, and how near does it come?"""

RATES = [40, 90, 25, 160, 60]  # MB/s; of a link of 4 bytes each 2 ns
SIZES = [64, 20, 256, 12]  # bytes of a message
BURSTS = [1, 2, 1, 3]  # messages at once


def flows_of(processors, count):
    """So many flows between processors that are spread over the network."""
    flows = []
    for i in range(count):
        source = 5 * i % processors
        destination = (source + 1 + 7 * i % (processors - 1)) % processors
        flows.append(f"source=#{source},destination=#{destination},mbytes_per_s={RATES[i % 5]},"
                     f"message_bytes={SIZES[i % 4]},burst_messages={BURSTS[i % 4]}")
    return flows


def measure(bench):
    settings = bench.settings
    cells = bench.rows(settings["cells"])
    points = [{"topology": cell["topology"], "flow": flows_of(int(cell["processors"]), int(cell["flows"])),
               "router_stages": cell["router_stages"], "slot_flits": cell["slot_flits"],
               "link_cycles": cell["link_cycles"]} for cell in cells]
    found = bench.sweep("contract", points, check=settings["cycles"], background=settings["best_effort"],
                        buffer_flits=0, seed=settings["seed"])
    rows = []
    for cell, result in zip(cells, found):
        contracts, check = result["contracts"], result["check"]
        seen = [contract["seen_percent"] for contract in contracts]
        rows.append({"topology": cell["topology"], "flows": len(contracts), "slots": result["slots"],
                     "period_cycles": result["period_cycles"],
                     "messages": sum(contract["messages"] for contract in contracts),
                     "violations": check["violations"], "late_packets": check["late_packets"],
                     "longest_bound_cycles": max(contract["latency_cycles"] for contract in contracts),
                     "least_seen_percent": round(min(seen), 2),
                     "best_effort_rate": round(check["best_effort_rate"], 4)})
    return {"contracts": rows}
