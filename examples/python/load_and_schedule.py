# ---
# jupyter:
#   jupytext:
#     text_representation:
#       format_name: percent
# ---

# %% [markdown]
# # Latency over load, and a schedule against contention
#
# Two pictures of the same network. The left one is the usual curve of latency over load for synthetic
# traffic; it ends where the network saturates. The right one is an all-to-all scatter: with a schedule, and
# without one, when the messages get in each other's way.

# %%
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import nocturne

options = argparse.ArgumentParser()
options.add_argument("--output", type=Path, default=Path("."), help="folder of the pictures")
options.add_argument("--quick", action="store_true", help="a smaller network and shorter runs")
given, _ = options.parse_known_args()
given.output.mkdir(parents=True, exist_ok=True)

network = nocturne.Topology("octagon:8" if given.quick else "torus:4x4")
plan = {"window": 1000, "warm_up": 500} if given.quick else {}
loads = [0.1, 0.4] if given.quick else np.arange(0.05, 0.8, 0.05)

# %%
curves = nocturne.traffic(network, load=loads, pattern=["uniform", "tornado"], **plan).curves
for curve in curves:
    print(curve.pattern, curve.points.average_packet_latency_cycles.round(1))

# %% [markdown]
# The schedule is found for the network as it is, and replayed on the same hardware.

# %%
found = nocturne.schedule(nocturne.Problem(network, "AAS"), budget=30)
schedule = found.schedule
sizes = [64, 1024] if given.quick else [64, 256, 1024, 4096, 16384, 65536]
comparison = nocturne.compare(schedule, bytes=sizes, traffic=["in-order", "shifted"])
for run, times in comparison.time_ns.items():
    print(f"{run:22} {times / 1000} us")

# %% [markdown]
# The schedule takes what the model says, (t0 + m t1) steps, and a constant for the routers on the way.

# %%
replays = comparison.by_traffic["schedule"]
assert all(replay.memory_ok for replay in replays)
model = np.array([replay.model_time_ns + replay.hop_overhead_ns for replay in replays])
assert np.array_equal(comparison.time_ns["schedule"], model)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
for curve in curves:
    left.plot(curve.points.load, curve.points.average_packet_latency_cycles, marker=".", label=curve.pattern)
left.set_xlabel("load (flits per processor and cycle)")
left.set_ylabel("latency (cycles)")
left.set_ylim(0)
left.legend()
for run, times in comparison.time_ns.items():
    right.loglog(comparison.message_bytes, times / 1000, marker=".", label=run)
right.set_xlabel("message (bytes)")
right.set_ylabel("all-to-all scatter (us)")
right.legend()
figure.tight_layout()
figure.savefig(given.output / "load_and_schedule.svg")
