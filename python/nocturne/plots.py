"""Curves of results as SVG, without any other package."""

from __future__ import annotations

import math
import os
import re
import tempfile
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union

from ._command import command
from ._core import Topology
from .results import Result, Rows, fields

#: What is drawn of which kind of rows, unless said: x, y, and what tells one curve from another.
CURVES = {
    "load point": ("load", "average_packet_latency_cycles", ("topology", "routing", "pattern", "seed")),
    "closed loop": ("outstanding", "answered_rate", ("topology", "routing", "pattern", "message_classes")),
    "replay of a size": ("message_bytes", "time_ns", ("mode",)),
    "compared run": ("message_bytes", "time_ns", ("traffic", "routing")),
    "audited row": ("bytes", "bus_bandwidth_gb_per_s", ("run", "place")),
    "front point": ("steps", "rounds_per_chunk", ()),
    "generation": ("evaluations", "best_conflicts", ("seed", "island")),
}
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 70, 15, 15, 50  # pixels

Point = tuple[float, float]


@dataclass(frozen=True)
class Plot:
    """A picture, which a notebook shows."""

    svg: str

    def __repr__(self) -> str:
        title = re.search("<title>(.*?)</title>", self.svg, re.DOTALL)
        return f"<Plot {unescape(title[1]) if title else ''}: {len(self.svg)} letters of SVG>"

    def save(self, path: str) -> None:
        """Writes it as SVG."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg


def plot(result: Union[Result, Rows, Sequence[Union[Result, Rows]]], x: Optional[str] = None,
         y: Optional[str] = None, by: Optional[Sequence[str]] = None) -> Plot:
    """Curves of the rows in a result, or in several: latency over load, time over size, rounds over steps, or
    one field over another.

    `x`, `y`: fields of the rows; None: what is usual for their kind. `by`: fields, also of the whole that the
    rows are in, whose values tell one curve from another. An axis is logarithmic where its values are above 0
    and the largest is more than a hundred times the least. A row without a number is left out. ValueError
    where nothing is left.
    """
    rows = list(rows_in(result, {}, x))
    if not rows:
        raise ValueError("result: it has no rows to draw" + (f" with a field '{x}'" if x else ""))
    kind = rows[0][0]
    usual = CURVES.get(kind, ("", "", ()))
    x, y, by = x or usual[0], y or usual[1], usual[2] if by is None else by
    for argument, name in (("x", x), ("y", y)):
        if not any(name in row for _, row in rows):
            raise ValueError(f"{argument}: no field '{name}' among those of {kind or 'the rows'}")
    told = [name for name in by if len({str(row.get(name)) for _, row in rows}) > 1]
    curves: dict[str, list[Point]] = {}
    for _, row in rows:
        if _is_number(row.get(x)) and _is_number(row.get(y)):
            curves.setdefault(", ".join(str(row.get(name)) for name in told), []).append((row[x], row[y]))
    if not curves:
        raise ValueError(f"y: '{y}' is a number nowhere")
    return Plot(_svg_of(curves, _title_of(kind, x), _title_of(kind, y)))


def draw(network: Union[Topology, str]) -> Plot:
    """A drawing of a network. ValueError without Graphviz."""
    with tempfile.TemporaryDirectory(prefix="nocturne-") as folder:
        source, drawing = os.path.join(folder, "network.json"), os.path.join(folder, "network.svg")
        (network if isinstance(network, Topology) else Topology(network)).save(source)
        command(["topology", source, "--output", drawing])
        return Plot(Path(drawing).read_text(encoding="utf-8"))


def has_curve(result: Union[Result, Rows]) -> bool:
    """Is there something that plot() draws unless said otherwise, of two points at least?"""
    points = [row for kind, row in rows_in(result, {}, None)
              if all(_is_number(row.get(name)) for name in CURVES[kind][:2])]
    return len(points) > 1


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def rows_in(result: Any, whole: dict[str, Any] = {},
            x: Optional[str] = None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Kind and fields of each row that can be drawn, with the fields of the whole that it is in."""
    if not isinstance(result, Result):
        for each in result:
            yield from rows_in(each, whole, x)
        return
    plain = {name: value for name, value in result._document.items() if not isinstance(value, (dict, list))}
    if x in plain if x is not None else result._kind in CURVES:
        yield result._kind, {**whole, **plain}
        return
    for name, value in result._document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from rows_in(result[name], {**whole, **plain}, x)


def _title_of(kind: str, name: str) -> str:
    described = fields(kind).get(name) if kind else None
    words = name.replace("_", " ")
    return f"{words}, {described.unit}" if described and described.unit not in ("", *words.split()) else words


@dataclass(frozen=True)
class _Axis:
    """Values to pixels, from `begin` for the least to `end` for the greatest."""

    least: float
    greatest: float
    is_log: bool
    begin: float
    end: float

    def place(self, value: float) -> float:
        low, high, at = ((math.log10(each) for each in (self.least, self.greatest, value)) if self.is_log
                         else (self.least, self.greatest, value))
        return self.begin + (self.end - self.begin) * ((at - low) / (high - low) if high > low else 0.5)

    def ticks(self) -> list[float]:
        if self.is_log:
            powers = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.greatest)) + 1)
            return [10.0**power for power in powers if self.least <= 10.0**power <= self.greatest]
        span = (self.greatest - self.least) or abs(self.greatest) or 1
        step = 10.0**math.floor(math.log10(span / 4))
        step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 6)
        first = math.ceil(self.least / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.greatest / step + 1e-9) + 1)]


def _axis_of(values: Sequence[float], begin: float, end: float) -> _Axis:
    is_log = min(values) > 0 and max(values) > 100 * min(values)
    least = min(values) if is_log else min(0, *values)
    return _Axis(least, max(values), is_log, begin, end)


def _svg_of(curves: dict[str, list[Point]], x_title: str, y_title: str) -> str:
    points = [point for curve in curves.values() for point in curve]
    x = _axis_of([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = _axis_of([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}" font-family="sans-serif" font-size="12" role="img">'
             f'<title>{escape(y_title)} over {escape(x_title)}</title>'
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for tick in x.ticks():
        at = f"{x.place(tick):.1f}"
        parts.append(f'<path d="M{at} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                     f'<text x="{at}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tick:g}</text>')
    for tick in y.ticks():
        at = f"{y.place(tick):.1f}"
        parts.append(f'<path d="M{LEFT} {at}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{at}" dy="4" text-anchor="end">{tick:g}</text>')
    parts.append(f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#444"/>'
                 f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 12}" text-anchor="middle">'
                 f'{escape(x_title)}</text>'
                 f'<text transform="translate(14 {HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
                 f'{escape(y_title)}</text>')
    for i, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        places = [(x.place(a), y.place(b)) for a, b in sorted(curve)]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in places]
        if name:
            parts.append(f'<text x="{LEFT + 10}" y="{TOP + 16 + 15 * i}" fill="{colour}">'
                         f'{escape(name)}</text>')
    return "".join(parts) + "</svg>"
