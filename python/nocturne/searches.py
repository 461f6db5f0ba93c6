"""Lower bounds and schedules, found in worker processes."""

from __future__ import annotations

from typing import Any, Optional

from ._core import Bound, Problem, Schedule
from ._inputs import problem_arguments, run
from .results import BoundResult, BoundSummary, PrintedBound, SearchResult, fields_of


def bound(problem: Problem, *, budget: float = 60, **options: Any) -> BoundResult:
    """Lower bounds on the steps of any schedule of the problem, the best with its certificate.

    `budget`: seconds. `options`: any of `nocturne bound --help`, with _ for -.
    """
    printed, (_, _, best) = run("bound", problem.topology, {"budget": budget, **options},
                                tuple(problem_arguments(problem)), "result.json")
    return BoundResult(best, [fields_of(BoundSummary, row) for row in printed["bounds"]],
                       [fields_of(PrintedBound, row) for row in printed["printed"]], printed["seconds"])


def find_schedule(problem: Problem, *, budget: float = 60, steps: Optional[int] = None, engine: str = "auto",
                  seed: int = 1, workers: int = 0, **options: Any) -> SearchResult:
    """The schedule with the fewest steps that the engines find, with the lower bound.

    `budget`: seconds, bounds included. `steps`: a schedule of so many will do; None: the fewest. `seed`: the
    same gives the same schedule unless the budget ends it. `workers`: processes, 0: one for each core.
    `options`: any of `nocturne schedule --help`, with _ for -.
    """
    schedule: Optional[Schedule]
    best: Bound
    printed, (_, schedule, best) = run(
        "schedule", problem.topology,
        {"budget": budget, "steps": steps, "engine": engine, "seed": seed, "workers": workers, **options},
        tuple(problem_arguments(problem)), "result.json")
    return SearchResult(schedule, best, printed["engine"], bool(printed["optimal"]), printed["seconds"])
