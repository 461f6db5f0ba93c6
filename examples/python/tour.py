# ---
# jupyter:
#   jupytext:
#     text_representation:
#       format_name: percent
# ---

# %% [markdown]
# # From a network to a schedule that survives a fault
#
# A network is designed, its traffic measured, a scatter scheduled, replayed, and brought to its end after a
# link has failed. In a notebook each cell shows its result, as tables and curves; as a script it writes them
# into one page. It needs the package and nothing else.

# %%
import argparse
import json
from pathlib import Path

import nocturne

options = argparse.ArgumentParser()
options.add_argument("--output", type=Path, default=Path("."), help="folder of the page")
options.add_argument("--quick", action="store_true", help="a smaller network and shorter runs")
given, _ = options.parse_known_args()
given.output.mkdir(parents=True, exist_ok=True)
nodes, exchanges, window = (8, 100, 500) if given.quick else (16, 20000, 5000)
page = []


def show(title, result):
    page.append(f"<h2>{title}</h2>{result._repr_html_()}")
    return result


# %% [markdown]
# A network of so many nodes with three links each, of short paths.

# %%
designed = show("Design", nocturne.design(nodes, links=3, exchanges=exchanges))
network = designed.network

# %%
loads = [0.1, 0.2, 0.3, 0.4]
traffic = show("Traffic", nocturne.traffic(network, load=loads, pattern=["uniform", "complement"],
                                           window=window, warm_up=window))
nocturne.plot(traffic, y="p99_packet_latency_cycles").save(str(given.output / "tail_latency.svg"))

# %% [markdown]
# A schedule with its lower bound, which the independent checker confirms.

# %%
found = show("Schedule", nocturne.schedule(nocturne.Problem(network, "AAS"), budget=20))
certified = nocturne.certify(found)
assert certified.valid and certified.proven
replayed = show("Replay", nocturne.replay(found.schedule, bytes=[64, 1024, 16384]))

# %% [markdown]
# A link fails in the middle of the second step: probes find it, and what was lost is sent again.

# %%
first = json.loads(network.to_json())["channels"][0]
link = "link:{}-{}".format(*(network.router_names[first[end]] for end in ("source", "target")))
recovered = show("Recovery", nocturne.recover(found, fault=[link], at_step=2))
assert recovered.memory_ok

# %%
(given.output / "tour.html").write_text(
    f"<!doctype html><meta charset='utf-8'><title>Nocturne {nocturne.__version__}</title>{''.join(page)}")
