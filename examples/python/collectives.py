# ---
# jupyter:
#   jupytext:
#     text_representation:
#       format_name: percent
# ---

# %% [markdown]
# # Bounds and schedules of all collectives on a graph of networkx
#
# How many steps does each collective take on a graph that was not made for it, and how good is that? For
# each one: the lower bound, which an independent checker confirms, the schedule that the engines find, and
# what the validator says of it.

# %%
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import networkx
import numpy as np

import nocturne

options = argparse.ArgumentParser()
options.add_argument("--output", type=Path, default=Path("."), help="folder of the pictures")
options.add_argument("--quick", action="store_true", help="a smaller graph")
given, _ = options.parse_known_args()
given.output.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# A random graph in which each router has three links, with a processor at each. The tests take the graph of a
# cube.

# %%
if given.quick:
    graph = networkx.convert_node_labels_to_integers(networkx.hypercube_graph(3))
else:
    graph = networkx.random_regular_graph(3, 12, seed=1)
network = nocturne.from_networkx(graph, name="cube" if given.quick else "random cubic")
budget = 20  # seconds for each; less where the bound is met
print(network)

# %%
kinds = ["OAB", "AAB", "OAS", "AAS", "AOG"]
rows = []
for ports in (1, "all"):
    for kind in kinds:
        problem = nocturne.Problem(network, kind, ports=ports)
        found = nocturne.schedule(problem, budget=budget)
        assert nocturne.check_bound(problem, found.bound) is None
        assert found.schedule is not None and found.schedule.violations(problem) == []
        rows.append((ports, kind, found.bound.steps, len(found.schedule)))
        print(f"{problem}: {len(found.schedule)} steps, at least {found.bound.steps} ({found.bound.kind})")

# %% [markdown]
# Bars: steps of the schedule. Lines across them: the lower bound. Where they meet there is nothing to gain.

# %%
places = np.arange(len(kinds))
figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharey=True)
for axis, ports in zip(axes, (1, "all")):
    bounds = [row[2] for row in rows if row[0] == ports]
    steps = [row[3] for row in rows if row[0] == ports]
    axis.bar(places, steps, color="tab:blue", label="schedule")
    axis.hlines(bounds, places - 0.4, places + 0.4, color="black", label="lower bound")
    axis.set_xticks(places, kinds)
    axis.set_title(f"{ports}-port")
axes[0].set_ylabel("steps")
axes[0].legend()
figure.tight_layout()
figure.savefig(given.output / "collectives.svg")
