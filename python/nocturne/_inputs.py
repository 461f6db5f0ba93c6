"""Networks, problems and schedules as what the command reads: files in a folder that lasts for one call."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from ._command import arguments_of, command
from ._core import ChunkedSchedule, Problem, Schedule, Topology


@dataclass(frozen=True)
class ChunksOnNetwork:
    """A schedule in chunks and the network that its file holds as well."""

    schedule: ChunkedSchedule
    topology: Topology
    link_bytes: int

    @property
    def name(self) -> str:
        return self.schedule.name

    def save(self, path: str) -> None:
        self.schedule.save(path, self.topology, self.link_bytes)


def to_topology(network: Union[Topology, str]) -> Topology:
    """A specification or a file as the network that it stands for."""
    return network if isinstance(network, Topology) else Topology(network)


def problem_arguments(problem: Problem) -> list[str]:
    """The options that pose the problem on a network."""
    collective = problem.collective
    by_index = {name: [f"#{processor}" for processor in getattr(collective, name)]
                for name in ("senders", "receivers", "image", "group")}
    return arguments_of({"collective": collective.kind,
                         "source": None if collective.source is None else f"#{collective.source}",
                         **{name: indices or None for name, indices in by_index.items()},
                         "weights": collective.weights or None,
                         "chunks": collective.parts if collective.parts > 1 else None,
                         "ports": problem.ports, "slack": problem.slack, "switching": problem.switching})


def run(subcommand: str, subject: Union[Topology, Schedule, ChunksOnNetwork], options: Mapping[str, Any],
        arguments: Sequence[str] = (),
        read: Optional[Callable[[str], Any]] = None) -> tuple[dict[str, Any], Any]:
    """What `nocturne SUBCOMMAND SUBJECT ARGUMENTS OPTIONS --json` prints, and what `read` makes of the file
    that it writes, or None. Errors name the network, not the file that it came from."""
    with tempfile.TemporaryDirectory(prefix="nocturne-") as folder:
        is_network = isinstance(subject, Topology)
        file = os.path.join(folder, "network.json" if is_network else "schedule.json")
        written = os.path.join(folder, "result.json")
        subject.save(file)
        try:
            printed = command([subcommand, file, *arguments, *arguments_of(options),
                               *(["-o", written] if read else [])])
        except ValueError as error:
            raise ValueError(str(error).replace(file, subject.name or "schedule")) from None
        return printed, read(written) if read else None
