"""Networks, problems and schedules as what the command reads: files in a folder that lasts for one call."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Mapping, Union

from ._command import arguments_of, command
from ._core import Problem, Schedule, Topology, load_result

_NETWORK = "network.json"
_SCHEDULE = "schedule.json"


def to_topology(network: Union[Topology, str]) -> Topology:
    """A specification or a file as the network that it stands for."""
    return network if isinstance(network, Topology) else Topology(network)


def problem_arguments(problem: Problem) -> list[str]:
    """The options that pose the problem on a network."""
    collective = problem.collective
    by_index = {name: [f"#{processor}" for processor in getattr(collective, name)]
                for name in ("senders", "receivers", "image")}
    return arguments_of({"collective": collective.kind,
                         "source": None if collective.source is None else f"#{collective.source}",
                         **{name: indices or None for name, indices in by_index.items()},
                         "ports": problem.ports, "slack": problem.slack, "switching": problem.switching})


def run(subcommand: str, subject: Union[Topology, Schedule], options: Mapping[str, Any],
        arguments: tuple[str, ...] = (), result: str = "") -> tuple[dict[str, Any], Any]:
    """What `nocturne SUBCOMMAND SUBJECT ARGUMENTS OPTIONS --json` prints, and what it writes to the file
    `result` as load_result() reads it, or None. Errors name the network, not the file that it came from."""
    # Files that the caller names are seen from the caller's folder.
    absolute = {name: value.resolve() if isinstance(value, Path) else value
                for name, value in options.items()}
    with tempfile.TemporaryDirectory(prefix="nocturne-") as name:
        folder = Path(name)
        file = _NETWORK if isinstance(subject, Topology) else _SCHEDULE
        subject.save(folder / file)
        try:
            printed = command([subcommand, file, *arguments, *arguments_of(absolute),
                               *(["-o", result] if result else [])], folder)
        except ValueError as error:
            called = subject.name if isinstance(subject, Topology) else subject.name or "schedule"
            raise ValueError(str(error).replace(file, called)) from None
        return printed, load_result(folder / result) if result else None
