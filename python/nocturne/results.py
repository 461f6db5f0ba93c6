"""What searches and simulations return: dataclasses of plain values and NumPy arrays. Every figure says its
unit in its name."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._core import Bound, ChunkedSchedule, LinkNetwork, Schedule

_Result = TypeVar("_Result")


def fields_of(cls: type[_Result], document: Mapping[str, Any], **others: Any) -> _Result:
    """The dataclass with the members of a JSON object that it has fields for."""
    names = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    return cls(**{**{name: value for name, value in document.items() if name in names}, **others})


@dataclass(frozen=True)
class BoundSummary:
    """One of the lower bounds of a problem."""

    steps: int
    kind: str
    reason: str


@dataclass(frozen=True)
class PrintedBound:
    """What a formula of the papers gives for the problem; it need not hold."""

    steps: int
    formula: str
    source: str


@dataclass(frozen=True)
class BoundResult:
    """The best lower bound, with its certificate, and all others."""

    bound: Bound
    bounds: list[BoundSummary]
    printed: list[PrintedBound]
    seconds: float


@dataclass(frozen=True)
class SearchResult:
    """The best schedule that was found, or None, and the lower bound. `end`: of the search, 'at the bound',
    'settled', 'out of budget' or 'interrupted'."""

    schedule: Optional[Schedule]
    bound: Bound
    engine: Optional[str]
    optimal: bool
    seconds: float
    end: str


@dataclass(frozen=True)
class ChunkSearchResult:
    """The best schedule in chunks that was found, on its network of links; `steps` and `rounds` are None
    under dependencies. `bounds`: what cannot be beaten in steps, rounds and time, each with its reason, as in
    a file's "lower_bounds"; for any number of chunks if none was given. `gap`: by how much what the objective
    counts first is more than its bound (0.25: a quarter). `chunks_tried`: numbers of chunks, if none was
    given. `end`: of the search, 'at the bound', 'settled', 'out of budget' or 'interrupted'."""

    schedule: ChunkedSchedule
    network: LinkNetwork
    engine: str
    steps: Optional[int]
    rounds: Optional[int]
    chunks: int
    cycles: float
    bounds: Mapping[str, Any]
    optimal: bool
    gap: Optional[float]
    chunks_tried: list[int]
    end: str


@dataclass(frozen=True)
class FrontPoint:
    """A schedule of so many steps and rounds, in so many chunks, that no other one beats in both.
    `is_proven`: none of so few steps has fewer rounds a chunk; `is_least`: none at all has."""

    steps: int
    rounds: int
    chunks: int
    is_proven: bool
    is_least: bool


@dataclass(frozen=True)
class WaitingFor:
    """Of a circular wait: a message holds a virtual channel and waits for another channel."""

    channel: str
    vc: int
    message: str
    waits_for: str


@dataclass(frozen=True)
class Stall:
    """A run made no progress; `cycle` is the circular wait, empty for another reason."""

    time_ns: float
    reason: str
    cycle: list[WaitingFor]

    @staticmethod
    def of(document: Optional[Mapping[str, Any]]) -> Optional["Stall"]:
        if document is None:
            return None
        return fields_of(Stall, document, cycle=[fields_of(WaitingFor, edge) for edge in document["cycle"]])


@dataclass(frozen=True, eq=False)
class ChannelUse:
    """The use of all channels, in the order of Topology.channels, then injection and ejection channels."""

    names: list[str]
    flits: NDArray[np.uint64]
    packets: NDArray[np.uint64]
    utilisation: NDArray[np.float64]
    """Part of the run in which flits entered the channel, 0..1: of shape (channels,), of traffic (channels,
    batches)."""

    @staticmethod
    def of(rows: Sequence[Mapping[str, Any]]) -> "ChannelUse":
        return ChannelUse([row["channel"] for row in rows],
                          np.array([row["flits"] for row in rows], np.uint64),
                          np.array([row["packets"] for row in rows], np.uint64),
                          np.array([row["utilisation"] for row in rows], np.float64))


@dataclass(frozen=True, eq=False)
class RunResult:
    """One simulated collective, scheduled or not."""

    model: str
    traffic: str
    routing: str
    message_bytes: int
    outcome: str
    time_ns: float
    blocked_cycles: int
    credit_wait_cycles: int
    missing_buffer_flits: int
    flit_hops: int
    messages_delivered: int
    messages_owed: int
    average_message_latency_cycles: float
    memory_ok: bool
    stall: Optional[Stall]
    channels: ChannelUse

    @staticmethod
    def of(document: Mapping[str, Any]) -> "RunResult":
        return fields_of(RunResult, document, **_run_fields(document))


@dataclass(frozen=True, eq=False)
class ReplayResult(RunResult):
    """A schedule replayed with one message size, beside the model (t0 + m t1) * steps."""

    schedule: str
    topology: str
    collective: str
    ports: str
    mode: str
    valid: bool
    violations: list[str]
    steps: int
    model_time_ns: float
    hop_overhead_ns: float
    step_times_ns: NDArray[np.float64]

    @staticmethod
    def of(document: Mapping[str, Any]) -> "ReplayResult":
        return fields_of(ReplayResult, document, **_run_fields(document), outcome=document["outcome"],
                         step_times_ns=np.array(document["step_times_ns"], np.float64))


def _run_fields(document: Mapping[str, Any]) -> dict[str, Any]:
    return {"stall": Stall.of(document["stall"]), "channels": ChannelUse.of(document["channels"])}


@dataclass(frozen=True)
class ChunkReplay:
    """A schedule in chunks on the hardware. `bytes`: of the largest vector that a processor contributes, in
    whole elements for each chunk. `alpha_beta_ns`: as searched for; `unblocked_ns`: what the hardware takes
    where no flit is blocked. `staging_bytes`: memory of a processor, at most, for what waits until a step
    ends. `stall`: why a run made no progress."""

    bytes: int
    alpha_beta_ns: float
    unblocked_ns: float
    time_ns: float
    blocked_cycles: int
    flit_hops: int
    staging_bytes: int
    results_right: int
    results_owed: int
    stall: Optional[str]


@dataclass(frozen=True)
class TimingFit:
    """Least squares of time per step = t0 + hop overhead + m t1 over several message sizes."""

    t0_ns: float
    t1_ns_per_byte: float
    residual_ns: float
    model_t0_ns: float
    model_t1_ns_per_byte: float
    hop_overhead_ns: float


@dataclass(frozen=True, eq=False)
class ReplaySeries:
    """Replays of one schedule over message sizes; `fit` is None where a replay did not end well."""

    replays: list[ReplayResult]
    fit: Optional[TimingFit]

    @property
    def message_bytes(self) -> NDArray[np.uint64]:
        return np.array([replay.message_bytes for replay in self.replays], np.uint64)

    @property
    def time_ns(self) -> NDArray[np.float64]:
        return np.array([replay.time_ns for replay in self.replays], np.float64)

    @property
    def model_time_ns(self) -> NDArray[np.float64]:
        return np.array([replay.model_time_ns for replay in self.replays], np.float64)


@dataclass(frozen=True)
class StrongestBaseline:
    """The fastest run without a schedule for one message size; None where none ended well."""

    message_bytes: int
    traffic: Optional[str]
    routing: Optional[str]
    time_ns: Optional[float]
    time_over_schedule: Optional[float]


@dataclass(frozen=True, eq=False)
class Comparison:
    """A schedule against the same messages without one, on the same hardware (`vcs` virtual channels a link).
    `runs`: a list for each traffic, by size, `schedule` (barrier) first; a traffic that ran under several
    routings has their names behind its own (`shifted, adaptive`). `strongest`: one for each size."""

    schedule: str
    topology: str
    collective: str
    steps: int
    vcs: int
    message_bytes: NDArray[np.uint64]
    runs: dict[str, list[RunResult]]
    strongest: list[StrongestBaseline]
    fit: TimingFit

    @property
    def time_ns(self) -> dict[str, NDArray[np.float64]]:
        """Times by traffic and size; nan where a run did not end."""
        return {traffic: np.array([run.time_ns if run.stall is None else np.nan for run in runs])
                for traffic, runs in self.runs.items()}

    @staticmethod
    def of(document: Mapping[str, Any]) -> "Comparison":
        runs: dict[str, list[RunResult]] = {"schedule": [ReplayResult.of(row) for row in document["replays"]]}
        routings: dict[str, set[str]] = {}
        for row in document["baselines"]:
            routings.setdefault(row["traffic"], set()).add(row["routing"])
        for row in document["baselines"]:
            traffic = row["traffic"]
            name = traffic if len(routings[traffic]) == 1 else f"{traffic}, {row['routing']}"
            runs.setdefault(name, []).append(RunResult.of(row))
        strongest = [fields_of(StrongestBaseline, row) for row in document["strongest"]]
        return fields_of(Comparison, document, runs=runs, strongest=strongest,
                         fit=fields_of(TimingFit, document["fit"]),
                         message_bytes=np.array(document["message_bytes"], np.uint64))


@dataclass(frozen=True, eq=False)
class TrafficPoint:
    """One load on one network. Latencies are None where no packet was measured, or without a steady state."""

    load: float
    measured_cycles: int
    offered_flit_rate: float
    accepted_flit_rate: float
    accepted_flit_rate_error: Optional[float]
    blocked_cycles: int
    credit_wait_cycles: int
    saturated: bool
    saturation_reason: str
    average_packet_latency_cycles: Optional[float]
    average_packet_latency_error_cycles: Optional[float]
    average_queueing_latency_cycles: Optional[float]
    average_network_latency_cycles: Optional[float]
    median_packet_latency_cycles: Optional[int]
    p95_packet_latency_cycles: Optional[int]
    p99_packet_latency_cycles: Optional[int]
    maximum_packet_latency_cycles: Optional[int]
    measured_packets: int
    packets: int
    cycles: int
    flit_hops: int
    stall: Optional[Stall]
    channels: Optional[ChannelUse] = None

    @staticmethod
    def of(document: Mapping[str, Any]) -> "TrafficPoint":
        rows = document.get("channels")
        return fields_of(TrafficPoint, document, stall=Stall.of(document["stall"]),
                         channels=ChannelUse.of(rows) if rows else None)


@dataclass(frozen=True, eq=False)
class TrafficCurve:
    """Points of one network under one kind of traffic, by ascending load. The loads between which it
    saturates are known only if they were searched for."""

    model: str
    topology: str
    routing: str
    pattern: str
    arrivals: str
    packet_flits: str
    vcs: int
    seed: int
    points: list[TrafficPoint]
    highest_steady_load: Optional[float]
    lowest_saturated_load: Optional[float]

    def array(self, field: str) -> NDArray[np.float64]:
        """A field of all points ('load', 'p99_packet_latency_cycles'); nan for None."""
        values = [getattr(point, field) for point in self.points]
        return np.array([np.nan if value is None else value for value in values], np.float64)

    @property
    def load(self) -> NDArray[np.float64]:
        """Flits per processor and cycle that were asked for."""
        return self.array("load")

    @property
    def average_packet_latency_cycles(self) -> NDArray[np.float64]:
        """nan for saturated points."""
        return self.array("average_packet_latency_cycles")

    @staticmethod
    def of(document: Mapping[str, Any]) -> "TrafficCurve":
        return fields_of(TrafficCurve, document,
                         points=[TrafficPoint.of(point) for point in document["points"]])
