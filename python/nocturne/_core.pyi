"""Networks, problems, schedules and bounds of Nocturne as Python values."""

from os import PathLike
from typing import Any, Final, Literal, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

Ports = Union[int, Literal["all"]]
Path = Union[str, PathLike[str]]

class Topology:
    def __init__(self, network: str) -> None: ...
    name: Final[str]
    router_count: Final[int]
    processor_count: Final[int]
    channel_count: Final[int]
    router_names: Final[list[str]]
    processor_names: Final[list[str]]
    channels: Final[NDArray[np.void]]
    injection_routers: Final[NDArray[np.uint32]]
    ejection_routers: Final[NDArray[np.uint32]]
    positions: Final[NDArray[np.float64]]
    grid: Final[Optional[list[int]]]
    routers_per_group: Final[int]
    router_parts: Final[dict[int, dict[str, str]]]
    default_ports: Final[Ports]
    def hop_distances(self) -> NDArray[np.int32]: ...
    def find_processor(self, name: str) -> int: ...
    def find_router(self, name: str) -> int: ...
    def with_faults(self, faults: Sequence[str]) -> Topology: ...
    def with_parts(self, rows: Sequence[str]) -> Topology: ...
    def save(self, path: Path) -> None: ...
    def to_json(self) -> str: ...
    @staticmethod
    def from_json(text: str, origin: str = "network") -> Topology: ...

class Message:
    origin: Final[int]
    receivers: Final[list[int]]

class Chunk:
    weight: Final[int]
    release_cycles: Final[int]
    contributors: Final[list[int]]

class Demand:
    chunk: Final[int]
    receiver: Final[int]
    contributors: Final[list[int]]

class Collective:
    def __init__(self, kind: str, processors: int, source: Optional[int] = None,
                 senders: Sequence[int] = [], receivers: Sequence[int] = [],
                 image: Sequence[int] = [], *, group: Sequence[int] = [], weights: Sequence[int] = [],
                 parts: int = 1) -> None: ...
    @staticmethod
    def custom(processors: int, contributors: Sequence[Sequence[int]],
               demands: Sequence[tuple[int, int, Sequence[int]]],
               weights: Sequence[int] = []) -> Collective: ...
    kind: Final[str]
    processors: Final[int]
    parts: Final[int]
    source: Final[Optional[int]]
    senders: Final[list[int]]
    receivers: Final[list[int]]
    image: Final[list[int]]
    group: Final[list[int]]
    weights: Final[list[int]]
    chunks: Final[list[Chunk]]
    demands: Final[list[Demand]]
    messages: Final[list[Message]]
    def reversed(self) -> Collective: ...

class Problem:
    def __init__(self, topology: Union[Topology, str], collective: Union[Collective, str], *,
                 ports: Union[int, str, None] = None, switching: str = "wormhole",
                 slack: Optional[int] = None, source: Optional[int] = None) -> None: ...
    topology: Final[Topology]
    collective: Final[Collective]
    ports: Final[Ports]
    switching: Final[str]
    slack: Final[Optional[int]]

class Transfer:
    def __init__(self, message: int, source: int, destination: int,
                 path: Optional[Sequence[int]] = None, add: bool = False) -> None: ...
    message: Final[int]
    source: Final[int]
    destination: Final[int]
    path: Final[Optional[list[int]]]
    add: Final[bool]

class Schedule:
    def __init__(self, problem: Problem, steps: Sequence[Sequence[Transfer]], name: str = "",
                 source: str = "") -> None: ...
    @staticmethod
    def load(path: Path) -> Schedule: ...
    @staticmethod
    def from_json(text: str, origin: Path = "schedule") -> Schedule: ...
    def save(self, path: Path) -> None: ...
    def to_json(self) -> str: ...
    name: Final[str]
    source: Final[str]
    topology: Final[Topology]
    problem: Final[Problem]
    steps: Final[list[list[Transfer]]]
    transfers: Final[NDArray[np.void]]
    def __len__(self) -> int: ...
    def violations(self, problem: Optional[Problem] = None) -> list[Violation]: ...
    def complete_paths(self, max_slack: int = 2) -> Schedule: ...

class Violation:
    rule: Final[str]
    step: Final[Optional[int]]
    transfer: Final[Optional[int]]
    channel: Final[Optional[int]]
    processor: Final[Optional[int]]
    chunk: Final[Optional[int]]
    contributor: Final[Optional[int]]
    text: Final[str]
    count: Final[int]

class Bound:
    steps: Final[int]
    kind: Final[str]
    reason: Final[str]
    certificate: Final[Optional[dict[str, Any]]]
    def to_json(self, topology: Topology) -> str: ...
    @staticmethod
    def from_json(text: str, topology: Topology, origin: str = "bound") -> Bound: ...

class LinkNetwork:
    def __init__(self, name: str, processors: int, links: Sequence[tuple[int, int, int, int]],
                 switches: Sequence[tuple[str, bool]] = []) -> None: ...
    @staticmethod
    def of(topology: Union[Topology, str], bytes_per_cycle: int = 4,
           local_latency_cycles: int = 0) -> LinkNetwork: ...
    name: Final[str]
    processor_count: Final[int]
    node_names: Final[list[str]]
    links: Final[NDArray[np.void]]
    unit_bytes_per_cycle: Final[int]

Links = Union[LinkNetwork, Topology, str]

class ChunkTransfer:
    def __init__(self, source: int, destination: int, place: int, to: Optional[int] = None, *,
                 add: bool = False, path: Sequence[int] = [], step: int = 0,
                 after: Sequence[int] = []) -> None: ...
    source: Final[int]
    destination: Final[int]
    place: Final[int]
    to: Final[int]
    add: Final[bool]
    path: Final[list[int]]
    step: Final[int]
    after: Final[list[int]]

class ChunkedSchedule:
    def __init__(self, collective: Collective, transfers: Sequence[ChunkTransfer],
                 rounds: Optional[Sequence[int]] = None, name: str = "", topology: Union[Topology, str] = "",
                 bytes_per_cycle: Optional[int] = None,
                 local_latency_cycles: Optional[int] = None) -> None: ...
    name: Final[str]
    topology: Final[str]
    network: Final[Optional[LinkNetwork]]
    collective: Final[Collective]
    transfers: Final[list[ChunkTransfer]]
    rounds: Final[Optional[list[int]]]
    made_for: Final[dict[str, Optional[float]]]
    def reversed(self, network: Optional[Links] = None) -> ChunkedSchedule: ...
    def time(self, network: Optional[Links] = None, *, bytes_per_weight: float = 1, start_cycles: float = 0,
             latency_holds_link: bool = False) -> float: ...
    def end_times(self, network: Optional[Links] = None, *, bytes_per_weight: float = 1,
                  start_cycles: float = 0, latency_holds_link: bool = False) -> NDArray[np.float64]: ...
    def save(self, path: Path, topology: Union[Topology, str, None] = None,
             bytes_per_cycle: Optional[int] = None, local_latency_cycles: Optional[int] = None) -> None: ...
    def in_steps(self, topology: Union[Topology, str, None] = None, bytes_per_cycle: Optional[int] = None,
                 local_latency_cycles: Optional[int] = None) -> Schedule: ...
    def violations(self, network: Optional[Links] = None) -> list[Violation]: ...
    def __len__(self) -> int: ...

def topology_kinds() -> dict[str, str]: ...
def load_chunks(path: Path) -> tuple[ChunkedSchedule, LinkNetwork, Topology]: ...
def validation_rules() -> dict[str, str]: ...
def check_bound(problem: Problem, bound: Bound) -> Optional[str]: ...
def claimed_bound(schedule: Schedule) -> Optional[Bound]: ...
def load_result(path: Path) -> tuple[Problem, Optional[Schedule], Optional[Bound]]: ...

__version__: str
_attribute_names: dict[str, list[list[str]]]

def _graph_attributes(topology: Topology) -> dict[str, str]: ...
def _topology_of_graph(directed: bool, attributes: dict[str, str], nodes: list[tuple[str, dict[str, str]]],
                       edges: list[tuple[int, int, dict[str, str]]], origin: str) -> Topology: ...
