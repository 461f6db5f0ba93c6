"""What searches and simulations return: the JSON of the command, its fields as attributes. docs/results.md,
and fields(), say what they are; every figure says its unit in its name or there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from ._command import command


class Result(Mapping[str, Any]):
    """One result. A field is an attribute, and a member as of a dict: lists of numbers are NumPy arrays,
    results inside it are results, and lists of them are Rows. What is null in JSON is None."""

    def __init__(self, document: Mapping[str, Any], **others: Any) -> None:
        self._values = {**{name: _value_of(value) for name, value in document.items()}, **others}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"no field '{name}': there are {', '.join(self.__dict__['_values'])}"
                                 if "_values" in self.__dict__ else name) from None

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __repr__(self) -> str:
        return f"Result({', '.join(f'{name}={value!r}' for name, value in self._values.items())})"


class Rows(Sequence[Result]):
    """Results of one kind. A field is the array of it over all of them, with nan for None among numbers."""

    def __init__(self, rows: Sequence[Result]) -> None:
        self._rows = list(rows)

    def __getitem__(self, index: Any) -> Any:
        return Rows(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        values = [getattr(row, name) for row in self._rows]
        has_numbers = any(isinstance(value, (int, float)) for value in values)
        return np.array([np.nan if value is None and has_numbers else value for value in values])

    def __repr__(self) -> str:
        return f"Rows({self._rows!r})"


class Comparison(Result):
    """What compare() returns: its `runs` also by traffic."""

    @property
    def by_traffic(self) -> dict[str, Rows]:
        """Runs by size for each traffic, `schedule` (barrier) first; a traffic that ran under several
        routings has their names behind its own (`shifted, adaptive`)."""
        routings: dict[str, set[str]] = {}
        for run in self.runs:
            routings.setdefault(run.traffic, set()).add(run.routing)
        sorted_runs: dict[str, list[Result]] = {}
        for run in self.runs:
            name = run.traffic if len(routings[run.traffic]) == 1 else f"{run.traffic}, {run.routing}"
            sorted_runs.setdefault(name, []).append(run)
        return {name: Rows(runs) for name, runs in sorted_runs.items()}

    @property
    def time_ns(self) -> dict[str, Any]:
        """Times by traffic and size; nan where a run did not end well."""
        return {name: np.array([run.time_ns if run.outcome == "ok" else np.nan for run in runs])
                for name, runs in self.by_traffic.items()}

    @property
    def strongest(self) -> Rows:
        """The fastest run without a schedule for each size for which one ended well."""
        return Rows([run for run in self.runs if run.strongest])


@dataclass(frozen=True)
class Field:
    """What is said of a field of a result. `parts`: the kind of the results that it holds, or None."""

    unit: str
    meaning: str
    parts: str | None


def fields(kind: str) -> dict[str, Field]:
    """The fields of a kind of result ('traffic', 'load point': see docs/results.md) by their names."""
    for result in command(["man", "results"])["results"]:
        if result["name"] == kind:
            return {field["name"]: Field(field["unit"], field["meaning"], field["parts"])
                    for field in result["fields"]}
    raise ValueError(f"no kind of result '{kind}'")


def _value_of(value: Any) -> Any:
    if isinstance(value, dict):
        return Result(value)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return Rows([Result(row) for row in value])
    if isinstance(value, list) and value and isinstance(value[0], (int, float)):
        return np.array(value)
    return value
