"""The gallery of schedules/library: for every network of the papers a schedule with as few steps as can
be, evolved by the paper's engine where that reaches them, with the bound and its certificate."""
import pathlib

PARTS = ("collective", "source", "senders", "receivers", "ports", "slack")
HEAD = """# The gallery

One schedule for every network and collective of the papers that is small enough to read, each with as few
steps as can be and the bound that says so. Evolved by the paper's engine where that reaches the bound,
otherwise found by today's engines. `./run gallery` makes all files of this folder; `nocturne certify FILE`
checks one.

| file | problem | steps | bound | made by |
| --- | --- | --: | --- | --- |
"""


def members(text):
    """`0-2,5` as {0, 1, 2, 5}."""
    found = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def deliveries(cell, processors):
    """How many messages are owed, each to one receiver."""
    if cell["senders"]:
        receivers = members(cell["receivers"])
        return sum(len(receivers - {sender}) for sender in members(cell["senders"]))
    return (processors - 1) * (1 if cell["collective"] in ("OAB", "OAS") else processors)


def base_name(cell):
    """`omega_8_AAS`, `mesh_4x4_OAS_from_01`, `fat_octagon_8_MNB_8_to_16`"""
    name = f"{cell['network']}_{cell['collective']}"
    if cell["source"]:
        name += f"_from_{cell['source']}"
    if cell["senders"]:
        senders, receivers = members(cell["senders"]), members(cell["receivers"])
        of_each = len(receivers - {min(senders)})
        is_broadcast = cell["collective"] == "MNB"
        name += f"_{len(senders)}_to_{of_each}" if is_broadcast else f"_{deliveries(cell, 0)}_to_1"
    if cell["ports"]:
        name += f"_ports_{cell['ports']}"
    return name.replace(":", "_").replace(",", "_")


def line_of(file, member):
    """The line of a member in a file of a schedule."""
    return next(line for line in file.read_text(encoding="utf-8").splitlines()
                if line.startswith(f'  "{member}"'))


def result_text(file, best):
    """A file as the gallery has it: with the best bound, and without the call that made it."""
    lines = [line for line in file.read_text(
        encoding="utf-8").splitlines() if not line.startswith('  "made_by"')]
    return "\n".join(line_of(best, "lower_bound") if line.startswith('  "lower_bound"') else line
                     for line in lines) + "\n"


def measure(bench):
    settings = bench.settings
    cells = bench.rows(settings["cells"])
    networks = sorted({cell["network"] for cell in cells})
    found = bench.sweep("topology", [{"topology": network} for network in networks])
    processors = {network: each["processors"] for network, each in zip(networks, found)}
    cells = [cell for cell in cells if deliveries(
        cell, processors[cell["network"]]) <= settings["most_transfers"]]
    problems = [{"topology": cell["network"], **{name: cell[name] for name in PARTS}} for cell in cells]
    found = bench.sweep("schedule", [{**problem, "output": bench.sweep_file("best")} for problem in problems],
                        seed=settings["seed"])
    unlike = {}  # some problems are in several papers
    for i, cell in enumerate(cells):
        unlike.setdefault((found[i]["problem"], cell["source"], cell["senders"], cell["receivers"]), i)
    evolved = bench.sweep("evolve", [{**problems[i], "engine": cells[i]["engine"],
                                      "steps": found[i]["lower_bound"], "output": bench.sweep_file("evolved")}
                                     for i in unlike.values()], may_fail=True,
                          **{name: settings[name] for name in ("seed", "evaluations", "budget")})
    names, files, table = [], [], HEAD
    for at, i in enumerate(unlike.values()):
        cell, each = cells[i], found[i]
        if not each["optimal"]:
            raise RuntimeError(f"{each['problem']}: no optimal schedule found")
        best = bench.file_of("best", i)
        file = bench.file_of("evolved", at) if evolved[at].status == 0 else best
        name = base_name(cell)
        names.append(name)
        name += f"_{names.count(name)}.json" if names.count(name) > 1 else ".json"
        text = result_text(file, best)
        file.write_text(text, encoding="utf-8")
        files.append(file)
        bench.files[name] = text
        table += (f"| [{name}]({name}) | {each['problem']} | {each['steps']} | {each['bound_kind']} | "
                  f"{line_of(file, 'source').split(': ')[1].strip(',').strip(chr(34))} |\n")
    for name, each in zip(bench.files, bench.sweep("certify", [{"result": file} for file in files])):
        if not each["valid"] or not each["proven"] or not each["optimal"]:
            bench.fail(f"{name}: {each['refutations'] or 'not valid, or not optimal'}")
    if not bench.only:
        bench.files["README.md"] = table
    if bench.output is None:
        for name, text in bench.files.items():
            file = pathlib.Path(settings["folder"]) / name
            if not file.exists() or file.read_text(encoding="utf-8") != text:
                bench.fail(f"{file}: another one comes out")
    print(f"{len(files)} schedules")
    return {}
