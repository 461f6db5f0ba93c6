"""Replays, comparisons and synthetic traffic on simulated hardware, in worker processes."""

from __future__ import annotations

from typing import Any, Iterable, Optional, Union

from ._core import ChunkedSchedule, Schedule, Topology
from ._inputs import ChunksOnNetwork, run, to_topology
from .results import Comparison, Result, Rows


def replay(schedule: Schedule, message_bytes: int = 1024, *, mode: str = "barrier",
           **options: Any) -> Result:
    """A schedule on the hardware with one message size. One that is not valid is not run: see `valid`.

    `mode`: 'barrier' or 'self-timed'. `options`: any of `nocturne replay --help`, with _ for -: flit_bytes,
    vcs, model, seed, …
    """
    return replay_sizes(schedule, [message_bytes], mode=mode, **options).replays[0]


def replay_sizes(schedule: Schedule, message_bytes: Iterable[int], *, mode: str = "barrier",
                 **options: Any) -> Result:
    """The same with several message sizes (`replays`), and the fit of t0 and t1 over them (`fit`)."""
    printed, _ = run("replay", schedule, {"bytes": list(message_bytes), "mode": mode, **options})
    return Result(printed)


def replay_chunks(schedule: ChunkedSchedule, topology: Union[Topology, str], message_bytes: Iterable[int], *,
                  element: str = "int32", link_bytes: int = 4, **options: Any) -> Rows:
    """A schedule in chunks on hardware whose DMA engines add, once for each size. One that is not valid is a
    ValueError.

    `element`: 'int32' or 'float32'. `link_bytes`: bytes a cycle of links that say nothing of their own, as
    in find_chunks(). `options`: any of `nocturne replay --help` about hardware, with _ for -: t0_ns,
    flit_bytes, …
    """
    printed, _ = run("replay", ChunksOnNetwork(schedule, to_topology(topology), link_bytes),
                     {"bytes": list(message_bytes), "element": element, **options})
    if "replays" not in printed:
        raise ValueError(f"the schedule is not valid: {printed['violations'][0]['text']}")
    return Result(printed).replays


def compare(schedule: Schedule, message_bytes: Iterable[int] = (64, 1024, 16384), *,
            routing: Union[str, Iterable[str], None] = None, traffic: Optional[Iterable[str]] = None,
            **options: Any) -> Comparison:
    """A schedule against the same messages without one, over message sizes, at least two.

    `routing`: of the messages without a schedule, one or several; None: what suits the network, and adaptive
    where the hardware has that. `traffic`: their orders ('in-order', 'shifted', 'random', 'binomial', with
    '+chained'); None: the usual ones. `options`: any of `nocturne compare --help`, with _ for -.
    """
    printed, _ = run("compare", schedule, {
        "bytes": list(message_bytes),
        "routing": routing if routing is None or isinstance(routing, str) else list(routing),
        "traffic": None if traffic is None else list(traffic), **options})
    return Comparison(printed)


def traffic(topology: Union[Topology, str], load: Union[float, Iterable[float]], *, pattern: str = "uniform",
            routing: str = "auto", **options: Any) -> Result:
    """Latency over load for synthetic traffic.

    `load`: flits per processor and cycle, one or several. `pattern`: 'uniform', 'transpose', …. `options`:
    any of `nocturne traffic --help` that concerns one curve, with _ for -: window, warm_up, packet_flits,
    seed, …; `channel_use=True` with one load records every channel.
    """
    return _curve(topology, {"load": load, "pattern": pattern, "routing": routing, **options})


def find_saturation(topology: Union[Topology, str], *, pattern: str = "uniform", routing: str = "auto",
                    tolerance: float = 0.005, **options: Any) -> Result:
    """The loads, so close together, between which the network saturates, and the points on the way.

    `options`: as for traffic().
    """
    return _curve(topology, {"saturation": True, "pattern": pattern, "routing": routing,
                             "tolerance": tolerance, **options})


def _curve(topology: Union[Topology, str], options: dict[str, Any]) -> Result:
    several = sorted({"closed_loop", "runs", "topology", "trace"} & options.keys())
    if several:
        raise ValueError(f"traffic: no '{several[0]}' here: one curve of synthetic traffic a call")
    network = to_topology(topology)
    printed, _ = run("traffic", network, options)
    return Result({**printed["curves"][0], "topology": network.name})


def describe(topology: Union[Topology, str], **options: Any) -> dict[str, Any]:
    """What `nocturne topology --json` says of a network: diameter, mean distance; with `measure=True` its
    latencies, connectivity and bisection; with `routing='xy'` whether that routing can deadlock."""
    return run("topology", to_topology(topology), options)[0]
