"""Lower bounds and schedules, found in worker processes."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from ._core import Bound, Problem, Schedule, Topology, load_chunks, load_result
from ._inputs import problem_arguments, run, to_topology
from .results import Result, Rows


def bound(problem: Problem, *, budget: float = 60, **options: Any) -> Result:
    """Lower bounds on the steps of any schedule of the problem; `bound` is the best with its certificate.

    `budget`: seconds. `options`: any of `nocturne bound --help`, with _ for -.
    """
    printed, (_, _, best) = run("bound", problem.topology, {"budget": budget, **options},
                                problem_arguments(problem), load_result)
    return Result(printed, bound=best)


def find_schedule(problem: Problem, *, budget: float = 60, steps: Optional[int] = None, engine: str = "auto",
                  seed: int = 1, workers: int = 0, **options: Any) -> Result:
    """The schedule with the fewest steps that the engines find (`schedule`, or None), with the lower bound
    (`bound`).

    `budget`: seconds, bounds included. `steps`: a schedule of so many will do; None: the fewest. `seed`: the
    same gives the same schedule unless the budget ends it. `workers`: processes, 0: one for each core.
    `options`: any of `nocturne schedule --help`, with _ for -.
    """
    schedule: Optional[Schedule]
    best: Bound
    printed, (_, schedule, best) = run(
        "schedule", problem.topology,
        {"budget": budget, "steps": steps, "engine": engine, "seed": seed, "workers": workers, **options},
        problem_arguments(problem), load_result)
    return Result(printed, schedule=schedule, bound=best)


def find_chunks(topology: Union[Topology, str], collective: str, *, objective: str = "steps",
                chunks: Optional[int] = None, message_bytes: int = 1 << 20, source: Optional[int] = None,
                group: Sequence[int] = (), budget: float = 60, **options: Any) -> Result:
    """The best schedule in chunks of a collective, sums included, on links of their own speed: `schedule`, on
    its `network` of links.

    `collective`: a kind of Collective. `objective`: 'steps' (fewest, then rounds), 'bandwidth' (fewest
    rounds a chunk) or 'time' (alpha + beta, without barriers). `chunks`: parts of each block; None: what is
    best. `message_bytes`: of the largest vector that a processor contributes. `group`: processors that take
    part; empty: all. `budget`: seconds. `options`: any of `nocturne schedule --help` about chunks, with _ for
    -: weights, link_bytes, start_cycles, latency_holds_link, seed.
    """
    printed, (schedule, network, _) = run(
        "schedule", to_topology(topology),
        {"chunks": chunks, "objective": objective, "bytes": message_bytes,
         **_participants(collective, source, group), "budget": budget, **options}, read=load_chunks)
    return Result(printed, schedule=schedule, network=network)


def front(topology: Union[Topology, str], collective: str, *, most_chunks: int = 6,
          source: Optional[int] = None, group: Sequence[int] = (), budget: float = 60,
          **options: Any) -> Rows:
    """The schedules in up to `most_chunks` chunks that no other one beats in both steps and rounds a chunk;
    other arguments as of find_chunks()."""
    printed, _ = run("front", to_topology(topology),
                     {**_participants(collective, source, group), "most_chunks": most_chunks,
                      "budget": budget, **options})
    return Result(printed).points


def _participants(collective: str, source: Optional[int], group: Sequence[int]) -> dict[str, Any]:
    return {"collective": collective, "source": None if source is None else f"#{source}",
            "group": [f"#{processor}" for processor in group] or None}
