# ---
# jupyter:
#   jupytext:
#     text_representation:
#       format_name: percent
# ---

# %% [markdown]
# # Networks with as many links, and what single faults do to them
#
# Which network of as many processors and links is best for a scatter, and which one suffers least when a link
# fails? Each one is taken whole, and with each of its links failed in turn: mean distance from NumPy, and the
# lower bound on the steps of an all-to-all scatter.

# %%
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import networkx
import numpy as np

import nocturne

options = argparse.ArgumentParser()
options.add_argument("--output", type=Path, default=Path("."), help="folder of the pictures")
options.add_argument("--quick", action="store_true", help="smaller networks, and few of their links")
given, _ = options.parse_known_args()
given.output.mkdir(parents=True, exist_ok=True)

# %%
if given.quick:
    graphs = {"prism": networkx.circular_ladder_graph(3),
              "bipartite": networkx.complete_bipartite_graph(3, 3)}
else:
    graphs = {"cube": networkx.convert_node_labels_to_integers(networkx.hypercube_graph(4)),
              "wide ring": networkx.circulant_graph(16, [1, 2]),
              "circulant": networkx.circulant_graph(16, [1, 6]),
              "random": networkx.random_regular_graph(4, 16, seed=3)}
networks = {name: nocturne.from_networkx(graph, name=name) for name, graph in graphs.items()}
assert len({network.channel_count for network in networks.values()}) == 1


def mean_distance(network):
    """Hops between two different processors; one at each router."""
    hops = network.hop_distances()
    return hops.sum() / (len(hops) * (len(hops) - 1))


def links(network):
    """The links of a network as faults, each once."""
    channels = network.channels
    names = network.router_names
    once = channels[channels["source"] < channels["target"]]
    ends = zip(once["source"], once["target"])
    faults = [f"link:{names[source]}-{names[target]}" for source, target in ends]
    return faults[:3] if given.quick else faults


# %%
figures = {}
for name, network in networks.items():
    variants = [network, *(network.with_faults([fault]) for fault in links(network))]
    bounds = [nocturne.bound(nocturne.Problem(variant, "AAS"), budget=5).bound.steps for variant in variants]
    figures[name] = np.array([bounds, [mean_distance(variant) for variant in variants]])
    whole, faulty = figures[name][:, 0], figures[name][:, 1:]
    print(f"{name}: mean distance {whole[1]:.3f}, with a fault {faulty[1].max():.3f} at worst; "
          f"a scatter takes {whole[0]:.0f} steps at least, with a fault {faulty[0].max():.0f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
for axis, row, label in ((left, 1, "mean distance (hops)"), (right, 0, "steps of a scatter, at least")):
    axis.boxplot([values[row, 1:] for values in figures.values()])
    axis.plot(np.arange(1, len(figures) + 1), [values[row, 0] for values in figures.values()], "k_",
              markersize=24, label="without a fault")
    axis.set_xticks(np.arange(1, len(figures) + 1), list(figures))
    axis.set_ylabel(label)
left.legend()
figure.tight_layout()
figure.savefig(given.output / "faults.svg")
