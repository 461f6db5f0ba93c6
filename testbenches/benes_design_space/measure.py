"""Which Benes network is best for randomized routing: delays that the program measures, read as clock
cycles in each way, and what that says of the paper's claims."""
import claims
import tables

DELAY_LIMIT = 6  # the paper's, network cycles
TRAFFICS = {"random": "random", "worst": "worst", "lowest port": "random, arbitration by port"}


def of_processors(processors, traffic):
    return f"{processors} processors, {traffic}"


def delay_rows(points):
    """Of every design: random permutations, those with a name, and the worst that was found."""
    rows = []
    for random, worst in zip(points["random"], points["worst"]):
        named = [point for point in points["named"]
                 if point["network"] == random["network"] and random["randomization"] == "multiple"]
        hardest = max(named, key=lambda point: point["mean_delay"], default=None)
        rows.append({"network": random["network"], "columns": random["columns"],
                     "randomizing": claims.randomizing_columns(random),
                     "randomization": random["randomization"],
                     "random_network_cycles": random["mean_delay"],
                     "error_network_cycles": random["delay_error"],
                     "hardest_with_a_name": hardest and hardest["permutations"],
                     "its_delay_network_cycles": hardest and hardest["mean_delay"],
                     "unavoidable_network_cycles": random["unavoidable_delay"],
                     "worst_network_cycles": worst["mean_delay"],
                     "worst_error_network_cycles": worst["delay_error"],
                     "in_search_network_cycles": worst["searched_delay"], "start": worst["search_start"]})
    return rows


def reference_rows(points):
    """Latencies of random permutations beside those of the references."""
    of = {(point["message_bits"], point["network"], point["randomization"]): point for point in points}
    rows = []
    for (bits, network, randomization), circuits in of.items():
        if randomization == "multiple":
            looping, wormhole = of.get((bits, network, "looping")), of.get((bits, network, "wormhole"))
            rows.append({"message_bits": bits, "network": network, "link_bits": circuits["link_bits"],
                         "circuits_clocks": circuits["mean_clocks"], "error_clocks": circuits["clocks_error"],
                         "looping_clocks": looping and looping["mean_clocks"],
                         "wormhole_clocks": wormhole and wormhole["mean_clocks"],
                         "wormhole_error_clocks": wormhole and wormhole["clocks_error"]})
    return rows


def map_row(cell):
    size, columns, (clocks, error) = cell["best"]
    return {"processors": cell["processors"], "permutations": cell["traffic"], "reading": cell["reading"],
            "message_bits": cell["bits"], "switch_size": size, "randomizing_columns": columns,
            "mean_latency_clocks": clocks, "error_clocks": error,
            "claimed_switch_size_clocks": cell["of_size"] and cell["of_size"][2][0],
            "one_randomizing_column_clocks": cell["of_columns"] and cell["of_columns"][2][0]}


def clos_row(point):
    return {"q": point["switch_size"], "permutations": point["permutations"],
            "randomization": point["randomization"],
            "samples": point["samples"], "mean_delay_network_cycles": point["mean_delay"],
            "most_network_cycles": point["most_delay"], "share": point["share"], "from": point["share_low"],
            "to": point["share_high"], "cannot_exceed": point["most_share"],
            "of_messages": point["messages_within_limit"], "claim": claims.rule_on_share(point)}


def measure(bench):
    settings = bench.settings
    found = bench.measured_tables()
    points = [{name: tables.value_of(text) for name, text in row.items()} for row in found["points"]]
    machines = {processors: {kind: [point for point in points if (point["processors"], point["kind"])
                                    == (processors, kind)]
                             for kind in ("random", "named", "worst", "lowest port")}
                for processors in settings["processors"]}
    clos = [point for point in points if point["processors"] == 0]
    cells = [cell for processors, machine in machines.items() for kind, traffic in TRAFFICS.items()
             for cell in claims.map_of(processors, traffic, machine[kind], settings["readings"],
                                       settings["bits"])]
    verdicts = claims.on_share(clos, DELAY_LIMIT)
    for processors, machine in machines.items():
        verdicts += [claims.on_randomization(of_processors(processors, f"{kind} permutations"), machine[kind])
                     for kind in ("random", "worst")]
    for processors in machines:
        for traffic in TRAFFICS.values():
            verdicts += claims.on_designs(of_processors(processors, traffic), [
                cell for cell in cells if (cell["processors"], cell["traffic"]) == (processors, traffic)])
    for traffic in TRAFFICS.values():
        verdicts += claims.on_all_sizes(traffic, cells)
    first = settings["readings"][0]
    designs = [{"title": of_processors(processors, f"{kind} permutations{' found' * (kind == 'worst')}"),
                "file": f"designs_{processors}_{kind}", "q": point["switch_size"], "n": point["digits"],
                "randomizing": claims.randomizing_columns(point),
                "latency": claims.latency(point, first, 256)[0]}
               for processors, machine in machines.items() for kind in ("random", "worst")
               for point in machine[kind] if point["randomization"] == "multiple"]
    shares = [{"curve": curve, "q": point["switch_size"], "share": point[column]}
              for point in clos if point["permutations"] == "random"
              for curve, column in ((point["randomization"], "share"),
                                    ("single: cannot exceed", "most_share"))
              if point[column] is not None]
    return {"delays": [row for machine in machines.values() for row in delay_rows(machine)],
            "references": reference_rows([point for point in points if point["kind"] == "reference"]),
            "verdicts": verdicts, "map": [map_row(cell) for cell in cells],
            "clos": [clos_row(point) for point in clos],
            "speed": found["speed"], "designs": designs, "shares": shares}
