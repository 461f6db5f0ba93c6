"""Results as a notebook shows them: their curve, tables of their fields with unit and meaning, and the page
of `nocturne report`, whose viewer shows a schedule or a network."""

from __future__ import annotations

from html import escape
from typing import Any, Mapping, Union

from ._core import ChunkedSchedule, Schedule, Topology
from .commands import report
from .plots import CURVES, has_curve, plot, rows_in
from .results import SERIES, Field, Result, Rows, _kinds, objective_of

MOST_ROWS = 50  # of a table; the others are counted
MOST_BYTES = 3_000_000  # of a page in a cell; a larger one is named
# Of the line that stands for a result.
MOST_FIELDS = 8
MOST_LETTERS = 40

_OF_SEARCH = ("topology", "collective", "engine", "steps", "rounds_per_chunk", "time_ns", "lower_bound",
              "bound_kind", "optimal", "gap")
# The main figures of kinds whose first fields are not; those that are None are left out.
_HEADLINES: dict[str, tuple[str, ...]] = {
    "schedule": _OF_SEARCH, "reschedule": _OF_SEARCH, "bound": _OF_SEARCH,
    "evolve": (*_OF_SEARCH[:4], "optimal", "successes", "success_percent", "mean_seconds"),
    "certify": ("topology", "collective", "steps", "valid", "proven", "lower_bound", "bound_kind"),
    "validate": ("topology", "collective", "steps", "rounds_per_chunk", "time_ns", "valid",
                 "violation_count"),
    "recover": ("topology", "collective", "steps", "outcome", "time_ns", "repair_steps", "memory_ok"),
    "trace": ("topology", "routing", "state", "packets_delivered", "average_packet_latency_cycles",
              "p99_packet_latency_cycles"),
}
# What says nothing of the objective of a search in chunks.
_OF_OTHERS = {"time": ("lower_bound", "bound_kind"), "bandwidth": ("lower_bound", "bound_kind"), "steps": ()}


def html_of(result: Union[Result, Rows]) -> str:
    """A curve if there is one, the tables, and the page of what has a file. All text in it is escaped."""
    curve = plot(result).svg if has_curve(result) else ""
    return f"<div>{curve}{_table_of(result)}{_page_of(result)}</div>"


def line_of(result: Result) -> str:
    """`<traffic: 1 curve, topology='ring:4', load=0.1…0.9, …; 5 fields>`: what is a series says what its rows
    have in common, and the ranges of what is drawn of them."""
    kind = result._kind
    shown = _main_figures(result._fields(), kind)
    rows = [(of, row) for of, row in rows_in(result) if of != kind]
    if rows and kind not in _HEADLINES:
        several, of = [row for _, row in rows], rows[0][0]
        same = {name: value for name, value in several[0].items()
                if all(row.get(name, row) == value for row in several)}
        x, y, by = CURVES[of]
        ranges = {name: text for name in (x, y) if (text := _range_of(several, name))}
        names = dict.fromkeys(("topology", "collective", *by, "mode", "end"))
        common = _main_figures({name: same.get(name) for name in names if name not in ranges}, "")
        shown = {"rows": str(len(rows)), **common, **ranges}
    elif not shown:
        shown = {"rows": str(len(result.get(SERIES.get(kind, "")) or []))}
    if kind == "bound" and objective_of(result._fields()) == "bandwidth" and "bound" in result:
        shown["rounds"] = _text_of(result["bound"].rounds)
    figures = ", ".join(f"{name}={text}" for name, text in shown.items())
    return f"<{kind or 'result'}: {figures}; {len(result)} fields>"


def _main_figures(fields: Mapping[str, Any], kind: str) -> dict[str, str]:
    """Those of the kind, or else the first plain ones."""
    names = _HEADLINES.get(kind, tuple(fields))
    others = _OF_OTHERS.get(objective_of(fields), ())
    shown = {name: _text_of(fields.get(name)) for name in names
             if fields.get(name) not in (None, "") and not isinstance(fields.get(name), (dict, list))
             and len(str(fields[name])) <= MOST_LETTERS and name not in others}
    return dict(list(shown.items())[:MOST_FIELDS])


def _text_of(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def _range_of(rows: list[dict[str, Any]], name: str) -> str:
    """`0.1…0.9` over the rows that have the number."""
    values = [value for row in rows if isinstance(value := row.get(name), (int, float))]
    ends = [_text_of(end) for end in (min(values), max(values))] if values else []
    return "…".join(dict.fromkeys(ends))


def html_of_value(value: Union[Topology, Schedule, ChunkedSchedule]) -> str:
    """A network or a schedule: what it is, and the page that shows it."""
    is_placed = not isinstance(value, ChunkedSchedule) or value.network is not None
    page = _page_of(report([value])) if is_placed else ""  # nothing to draw it on
    return f"<div><p>{escape(repr(value).strip('<>'))}</p>{page}</div>"


for _shown in (Topology, Schedule, ChunkedSchedule):
    setattr(_shown, "_repr_html_", html_of_value)


def _page_of(result: Union[Result, Rows]) -> str:
    """A frame with the page, which can do nothing outside it."""
    if not isinstance(result, Result) or result._file is None:
        return ""
    page = result if result._kind == "report" else report([result])
    content = page._file.content if page._file else b""
    if len(content) > MOST_BYTES:
        return f"<p>nocturne.report([…]).save(\"report.html\") has the viewer: {len(content)} bytes</p>"
    return (f'<iframe title="report" sandbox="allow-scripts allow-downloads" loading="lazy" '
            f'style="width:100%;height:44em;border:0" srcdoc="{escape(content.decode())}"></iframe>')


def _table_of(result: Union[Result, Rows]) -> str:
    return _table_of_rows(result) if isinstance(result, Rows) else _table_of_one(result)


def _table_of_one(result: Result) -> str:
    """A line for each field that says something; what is a result itself is folded up."""
    lines, parts = [], []
    for name, value in result._fields().items():
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            is_open = ' open="open"' if isinstance(value, list) else ""
            parts.append(f"<details{is_open}><summary>{_head(result, name)}</summary>"
                         f"{_table_of(result[name])}</details>")
        elif value not in (None, []):
            unit = escape(_field(result, name).unit)
            lines.append(f'<tr><th style="text-align:left">{_head(result, name)}</th>'
                         f"<td>{_cell(value)}</td><td>{unit}</td></tr>")
    return f"<table>{''.join(lines)}</table>{''.join(parts)}"


def _table_of_rows(rows: Rows) -> str:
    """A column for each plain field that some row has."""
    shown = list(rows)[:MOST_ROWS]
    names = dict.fromkeys(name for row in shown for name, value in row._fields().items()
                          if value is not None and not isinstance(value, (dict, list)))
    if not names:
        return ""
    heads = "".join(f"<th>{_head(shown[0], name)}<br/>{escape(_field(shown[0], name).unit)}</th>"
                    for name in names)
    cells = ("".join(f"<td>{_cell(row._document.get(name))}</td>" for name in names) for row in shown)
    body = "".join(f"<tr>{line}</tr>" for line in cells)
    more = f"<p>{len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
    return f'<div style="overflow-x:auto"><table><tr>{heads}</tr>{body}</table></div>{more}'


def _field(result: Result, name: str) -> Field:
    return _kinds().get(result._kind, {}).get(name, Field("", "", None))


def _head(result: Result, name: str) -> str:
    return f'<span title="{escape(_field(result, name).meaning)}">{escape(name.replace("_", " "))}</span>'


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        more = f", … {len(value)} in all" if len(value) > 20 else ""
        return ", ".join(_cell(each) for each in value[:20]) + more
    return escape(str(value))
