"""The figures of the paper's tables, and what they are for a network that `nocturne topology --measure`
has measured."""
import math

# Where a figure is in the measures, its digits behind the point, and whether more of it is better.
KINDS = {
    "average latency": ("latency", "average_with_self_hops", 4, False),
    "average without self": ("latency", "average_hops", 4, False),
    "maximum latency": ("latency", "maximum_hops", 0, False),
    "average latency under contention": ("contention", "average_with_self_hops", 3, False),
    "maximum latency under contention": ("contention", "maximum_hops", 0, False),
    "deviation of messages on links": ("contention", "printed_deviation_messages", 2, False),
    "minimum connectivity": ("smallest_degree", None, 0, True),
    "deviation of paths through nodes": ("path_spread", "node_deviation_paths", 2, False),
    "deviation of paths over links": ("path_spread", "link_deviation_paths", 2, False),
    "average latency with random faults": ("random_faults", "average_with_self_hops", 3, False),
    "maximum latency with random faults": ("random_faults", "maximum_hops", 0, False),
    "average latency with a node fault": ("single_node_faults", "average_with_self_hops", 3, False),
    "maximum latency with a node fault": ("single_node_faults", "maximum_hops", 0, False),
    "bisection bandwidth": ("bisection", "links", 0, True),
}
FITS = "fits"  # the only figure that also asks for a layout, `backplane 3`


def printed_value(figure):
    """The number that is printed; 1 and 0 for yes and no."""
    text = figure["printed"]
    return {"yes": 1, "no": 0}[text] if figure["figure"] == FITS else float(text)


def is_as_printed(figure, value):
    """Is it the same to the last printed digit?"""
    wanted = printed_value(figure)
    half_a_digit = 0.5 * 10 ** -len(figure["printed"].partition(".")[2]) + 1e-9
    return value == wanted or abs(value - wanted) <= half_a_digit


def reaches(figure, value):
    """Is the value at least as good as printed, to the last printed digit?"""
    if is_as_printed(figure, value) or figure["figure"] == FITS:
        return is_as_printed(figure, value)
    wanted = printed_value(figure)
    return value > wanted if KINDS[figure["figure"]][3] else value < wanted


def value_of(figure, network):
    """Of a network: its `measures`, and the `links` of its `nodes`."""
    if figure["figure"] == FITS:
        return 1 if fits(network["nodes"], network["links"], figure["layout"]) else 0
    group, member, _, _ = KINDS[figure["figure"]]
    value = network["measures"][group] if member is None else network["measures"][group][member]
    return math.inf if value is None else value


def text_of(figure, value):
    """`2.8345`, `7`, `inf` or `yes`, as the figure has it."""
    if figure["figure"] == FITS:
        return "yes" if value else "no"
    return "inf" if math.isinf(value) else f"{value:.{KINDS[figure['figure']][2]}f}"


def compared(figure, network, by):
    """A row of the figures: `as printed` or `differs`; of designs `reached`, also where they are better."""
    value = value_of(figure, network)
    verdict = (("as printed" if is_as_printed(figure, value) else "differs") if by == "measured" else
               ("reached" if reaches(figure, value) else "not reached"))
    return {**{name: figure[name] for name in ("table", "network", "figure", "layout", "printed")}, "by": by,
            "value": text_of(figure, value), "verdict": verdict}


def places_of(arrangement, nodes):
    """Where nodes stand, as measures::arrange() has it."""
    side = math.isqrt(nodes - 1) + 1
    return [{"backplane": (node, 0), "centerplane": (node // 2, node % 2),
             "grid": (node % side, node // side)}[arrangement] for node in range(nodes)]


def fits(nodes, links, layout):
    """Can the nodes be put at different places of the layout so that no link is longer than it says,
    Manhattan distance? Trees have a node less than there are places. By search with backtracking, which
    comes to an end for the networks of up to 16 nodes that are asked about."""
    arrangement, longest = layout.split()
    places = places_of(arrangement, (nodes + 1) // 2 * 2)
    near = [sum(1 << other for other, place in enumerate(places)
                if abs(place[0] - here[0]) + abs(place[1] - here[1]) <= float(longest)) for here in places]
    neighbours = [set() for _ in range(nodes)]
    for a, b in links:
        neighbours[a].add(b)
        neighbours[b].add(a)
    order = []  # each node but the first of its part is a neighbour of one before it
    for first in range(nodes):
        reached = [first] if first not in order else []
        while reached:
            order += reached
            reached = sorted({other for node in reached for other in neighbours[node]} - set(order))
    before = [[other for other in neighbours[node] if other in order[:at]] for at, node in enumerate(order)]
    place_of = {}

    def put(at, free):
        if at == len(order):
            return True
        candidates = free
        for other in before[at]:
            candidates &= near[place_of[other]]
        while candidates:
            place = candidates & -candidates
            candidates ^= place
            place_of[order[at]] = place.bit_length() - 1
            if put(at + 1, free ^ place):
                return True
        return False

    return put(0, (1 << len(places)) - 1)


def paper_table(table, rows):
    """One of the paper's tables: for each network a row as printed, and a row for each one that was
    measured."""
    lines, columns = {}, []
    for row in rows:
        column = f"{row['figure']} {row['layout']}".strip()
        if column not in columns:
            columns.append(column)
        lines.setdefault((row["network"], "print"), {})[column] = row["printed"]
        line = lines.setdefault((row["network"], row["by"]), {"missed": []})
        line[column] = row["value"]
        if row["verdict"] in ("differs", "not reached"):
            line["missed"].append(column)
    result = []
    for (network, by), line in lines.items():
        good, bad = ("as printed", "differs") if by == "measured" else ("reached", "not reached")
        verdict = f"{bad}: {', '.join(line['missed'])}" if line.get("missed") else good
        result.append({"network": network if by == "print" else "", "figures": by,
                       **{column: line.get(column) for column in columns},
                       "verdict": "" if by == "print" else verdict})
    return result
