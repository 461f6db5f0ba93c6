"""The paper's claims (Youssef and El-Sayed, Optimization of Randomized Routing on Benes Networks), and what
is to be said of each; which design is best for each machine size, kind of traffic, reading of the costs and
message length.

A ruling is `holds`, `fails`, or `open` where the confidence intervals do not decide it."""

CLAIMED_SHARE = 0.995  # of permutations within the limit, at least
CLAIMED_SIZES = {1024: 4, 4096: 8}  # the switch size that the paper finds best
CLAIMED_COLUMNS = 1  # randomizing columns, likewise


def verdict_of(rulings):
    """`confirmed` if all hold (open ones aside), `refuted` if none does, `open` if all are."""
    if "holds" not in rulings:
        return "refuted" if "fails" in rulings else "open"
    return "confirmed under these conditions" if "fails" in rulings else "confirmed"


def both(a, b):
    """Of two claims that must hold together."""
    return "fails" if "fails" in (a, b) else "open" if "open" in (a, b) else "holds"


def ranges(every, chosen):
    """Those chosen as ranges of what follows each other in `every`: `2-12, 14`; `none`."""
    parts = []
    for before, value in zip([None, *every], every):
        if value in chosen and parts and parts[-1][1] == before:
            parts[-1] = parts[-1][0], value
        elif value in chosen:
            parts.append((value, value))
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in parts) or "none"


def tally(rulings):
    return (f"holds in {rulings.count('holds')}, open in {rulings.count('open')}, "
            f"fails in {rulings.count('fails')} of {len(rulings)}")


def meet(a, b):
    """Do the intervals meet? Of pairs of a mean and half its 95 % confidence interval."""
    return a[0] - a[1] <= b[0] + b[1] and b[0] - b[1] <= a[0] + a[1]


def randomizing_columns(point):
    """Columns whose output is drawn: n - 1 - r."""
    return point["digits"] - 1 - point["truncated"]


def latency(point, reading, message_bits):
    """Mean and error in clock cycles of a point, whose delays are in network cycles, under a reading of
    the costs: set-up of each column; then a message or a word crosses; then a release, for each digit."""
    words = -(-message_bits // point["link_bits"])
    is_whole = reading["circuit"] == "message"
    clocks = ((2 * point["digits"] - 1 - point["truncated"]) * reading["setup"] + (words if is_whole else 1)
              + reading["release"] * point["digits"]) * (1 if is_whole else words)
    return point["mean_delay"] * clocks, point["delay_error"] * clocks


def rule_on_share(point):
    if point["share_low"] >= CLAIMED_SHARE:
        return "holds"
    return "fails" if point["share_high"] < CLAIMED_SHARE else "open"


def rule(cell, claimed, is_best):
    """Open if another one is faster, but the intervals meet. A choice is switch size, columns and latency."""
    if is_best:
        return "holds"
    return "open" if meet(cell["best"][2], claimed[2]) else "fails"


def rule_on_switch_size(cell):
    return rule(cell, cell["of_size"], cell["best"][0] == cell["of_size"][0])


def rule_on_columns(cell):
    return rule(cell, cell["of_columns"], cell["best"][1] == CLAIMED_COLUMNS)


def rule_on_randomization(single, multiple):
    """Is multiple randomization faster than single?"""
    slow, fast = ((point["mean_delay"], point["delay_error"]) for point in (single, multiple))
    return "open" if meet(slow, fast) else "holds" if fast[0] < slow[0] else "fails"


def map_of(processors, traffic, points, readings, message_bits):
    """Cells for each reading and length, of the points with multiple randomization."""
    points = [point for point in points if point["randomization"] == "multiple"]
    if not points:
        raise ValueError("a map of no designs")
    cells = []
    for reading in readings:
        for bits in message_bits:
            choices = [(point["switch_size"], randomizing_columns(point), latency(point, reading, bits))
                       for point in points]

            def fastest(is_eligible):
                return min(filter(is_eligible, choices), key=lambda choice: choice[2][0], default=None)

            cells.append({"processors": processors, "traffic": traffic, "reading": reading["name"],
                          "bits": bits,
                          "best": fastest(lambda choice: True),
                          "of_size": fastest(lambda choice: choice[0] == CLAIMED_SIZES.get(processors)),
                          "of_columns": fastest(lambda choice: choice[1] == CLAIMED_COLUMNS)})
    return cells


def row_of(claim, where, rulings, numbers):
    return {"claim": claim, "where": where, "verdict": verdict_of(rulings), "numbers": numbers}


def on_share(clos, limit):
    """The claims on the share of permutations: of points of B(q,2), random and worst, single and multiple."""
    rows = []
    for randomization in ("single", "multiple"):
        for permutations in ("random", "worst"):
            points = [point for point in clos
                      if (point["randomization"], point["permutations"]) == (randomization, permutations)]
            rulings = [rule_on_share(point) for point in points]
            sizes = [point["switch_size"] for point in points]
            of = {ruling: ranges(sizes, [q for q, each in zip(sizes, rulings) if each == ruling])
                  for ruling in ("holds", "open", "fails")}
            least = min([1, *(point["share"] for point in points)])
            least_messages = min([1, *(point["messages_within_limit"] for point in points)])
            rows.append(row_of(
                f"a permutation over B(q,2) takes at most {limit} network cycles with probability "
                f"{CLAIMED_SHARE}",
                f"{randomization} randomization, {permutations} permutations", rulings,
                f"holds for q = {of['holds']}; open for {of['open']}; fails for {of['fails']}; least share "
                f"{least:.4f}, of messages {least_messages:.6f}"))
    return rows


def on_randomization(where, points):
    """Of points with both randomizations, design by design next to each other."""
    pairs = [(single, multiple) for single, multiple in zip(
        points[::2], points[1::2]) if randomizing_columns(single)]
    rulings = [rule_on_randomization(*pair) for pair in pairs]
    most = max([0, *(single["mean_delay"] / multiple["mean_delay"] for single, multiple in pairs)])
    return row_of("multiple randomization is faster than single", where, rulings,
                  f"{tally(rulings)} designs with a randomizing column; single takes up to {most:.2f} times "
                  "as long")


def on_cases(claim, where, cases):
    """One claim over cases (reading, length, ruling): where it holds, reading by reading."""
    rulings = [ruling for _, _, ruling in cases]
    numbers = tally(rulings) + " cases"
    for reading in dict.fromkeys(reading for reading, _, _ in cases):
        lengths = [bits for name, bits, _ in cases if name == reading]
        held = [bits for name, bits, ruling in cases if name == reading and ruling == "holds"]
        if held:
            numbers += f"; {reading}: {ranges(lengths, held)} bits"
    return row_of(claim, where, rulings, numbers)


def on_designs(where, cells):
    """Of cells of one machine size and one kind of traffic; none for a machine size without a claim."""
    if not cells or not cells[0]["of_size"]:
        return []
    q = cells[0]["of_size"][0]
    return [on_cases(claim, where, [(cell["reading"], cell["bits"], rule_on(cell)) for cell in cells])
            for claim, rule_on in ((f"{q} x {q} switches are best", rule_on_switch_size),
                                   ("one randomizing column is best", rule_on_columns))]


def on_all_sizes(traffic, cells):
    """Is the best design what the paper says, with both its switch size and one randomizing column, on all
    machine sizes at once? Nothing for less than two sizes with a claim."""
    cells = [cell for cell in cells if cell["traffic"] == traffic and cell["of_size"]]
    sizes = list(dict.fromkeys(cell["processors"] for cell in cells))
    if len(sizes) < 2:
        return []
    cases = {}
    for cell in cells:
        case = cell["reading"], cell["bits"]
        cases[case] = both(cases.get(case, "holds"), both(rule_on_switch_size(cell), rule_on_columns(cell)))
    return [on_cases("the best switch size and one randomizing column at once",
                     f"{' and '.join(map(str, sizes))} processors, {traffic}",
                     [(*case, ruling) for case, ruling in cases.items()])]
