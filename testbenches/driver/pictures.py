"""Pictures of tables, as SVG by gnuplot: curves, bars, and boxes over time.

A picture is described in testbench.toml: `file`, `kind` (lines, bars or boxes), `table`, `title`, and which
of its rows it has (`where`, see tables.chosen()); with `each`, a column, there is a picture for each value of
it, which `file` and `title` may name as {column}. Texts in braces are columns throughout.

lines: `x` and `y`, each with `column`, `label`, and if need be `scale` (log2 or log10), and `factor`;
    `curve`, the text by which rows belong together; `dashed`, the curves that are models or bounds.
bars: `category`, the text below a group of bars, and `bars`, a list of [column, label]; `y` as above.
boxes: `row`, the text beside a row, `begin` and `end`, columns, `group`, the column that colours stand for;
    `x`.
"""
import math
import subprocess

import tables

# Of Okabe and Ito, which people with any colour vision can tell apart (https://jfly.uni-koeln.de/color).
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777", "#000000"]
MARKS = [7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14]
WIDTH = 900


def quoted(text):
    """The text as a constant of gnuplot."""
    return "'" + str(text).replace("'", "’").replace("\n", " ") + "'"


def field(text):
    """The text as a field of data, in which nothing can be escaped."""
    return '"' + text.replace('"', " ").replace("\\", " ").replace("\n", " ") + '"'


def axis(which, description):
    """The commands for an axis."""
    lines = [f"set {which}label {quoted(description.get('label', ''))}"]
    scale = description.get("scale", "linear")
    if scale != "linear":
        lines.append(f"set logscale {which} {scale.removeprefix('log')}")
    if "from" in description:
        lines.append(f"set {which}range [{description['from']}:*]")
    return lines


def preamble(title, height, entries):
    """Terminal, title, and a legend with so many entries below the picture."""
    height += 12 * entries
    look = "dynamic noenhanced font 'Helvetica,13' background '#ffffff'"
    return [f"set terminal svg size {WIDTH},{height} {look}",
            "set encoding utf8", f"set title {quoted(title)} font ',16'",
            "set border 3 linecolor rgb '#666666'",
            "set tics nomirror out", "set grid linecolor rgb '#e3e3e3' linetype 1",
            "set key outside below center horizontal Left reverse"]


def grouped(rows, text):
    """The rows by this text, in the order in which it first appears."""
    groups = {}
    for row in rows:
        groups.setdefault(text.format_map(row), []).append(row)
    return groups


def value_of(row, description):
    """The value on an axis, or nothing if there is none that it can show."""
    value = tables.number(row[description["column"]])
    if value is None or not math.isfinite(value) or (description.get("scale") and value <= 0):
        return None
    return value * description.get("factor", 1)


def lines_script(picture, title, rows):
    curves = {}
    for label, of_curve in grouped(rows, picture["curve"]).items():
        points = [(value_of(row, picture["x"]), value_of(row, picture["y"])) for row in of_curve]
        points = [point for point in points if None not in point]
        if points:
            curves[label] = points
    if not curves:
        return None
    script = preamble(title, 520, len(curves)) + axis("x", picture["x"]) + axis("y", picture["y"])
    plots = []
    for at, (label, points) in enumerate(curves.items()):
        script += [f"$curve{at} << END", *(f"{x!r} {y!r}" for x, y in points), "END"]
        look = ("lines dashtype 2" if label in picture.get("dashed", ()) else
                f"linespoints pointtype {MARKS[at % len(MARKS)]} pointsize 0.6")
        plots.append(f"$curve{at} with {look} linewidth 1.6 linecolor rgb '{COLOURS[at % len(COLOURS)]}' "
                     f"title {quoted(label)}")
    return script + ["plot " + ", ".join(plots)]


def bars_script(picture, title, rows):
    # Rows that look alike, as single faults of one network, are one group of bars.
    alike = {(picture["category"].format_map(row), *(tables.text_of(row[column]) for column,
                                                     _ in picture["bars"]))
             for row in rows}
    if not alike:
        return None
    script = preamble(title, 560, len(picture["bars"])) + axis("y", picture["y"])
    script += ["set style data histograms", "set style histogram clustered", "set style fill solid",
               "set xtics rotate by -60", "$bars << END",
               *(" ".join([field(name), *(value or "NaN" for value in values)])
                 for name, *values in sorted(alike)),
               "END"]
    return script + ["plot " + ", ".join(
        f"$bars using {at + 2}:xtic(1) linecolor rgb '{COLOURS[at]}' title {quoted(label)}"
        for at, (_, label) in enumerate(picture["bars"]))]


def boxes_script(picture, title, rows):
    of_rows, groups = list(grouped(rows, picture["row"])), list(grouped(rows, "{" + picture["group"] + "}"))
    if not of_rows:
        return None
    script = preamble(title, 120 + 22 * len(of_rows), len(groups)) + axis("x", picture["x"])
    names = ", ".join(f"{quoted(name)} {at}" for at, name in enumerate(of_rows))
    script += [f"set yrange [{len(of_rows) - 0.4}:-0.6]", f"set ytics ({names})", "set style fill solid"]
    factor = picture["x"].get("factor", 1)
    plots = []
    for at, group in enumerate(groups):
        script += [f"$boxes{at} << END"]
        for row in rows:
            begin, end = (factor * tables.number(row[picture[edge]]) for edge in ("begin", "end"))
            if str(row[picture["group"]]) == group and end > begin:
                place = of_rows.index(picture["row"].format_map(row))
                script.append(f"{begin!r} {place} {begin!r} {end!r} {place - 0.4} {place + 0.4}")
        script.append("END")
        if script[-2] == f"$boxes{at} << END":
            continue
        plots.append(f"$boxes{at} using 1:2:3:4:5:6 with boxxyerror linecolor rgb "
                     f"'{COLOURS[at % len(COLOURS)]}' title {quoted(group)}")
    return script + ["plot " + ", ".join(plots)]


SCRIPTS = {"lines": lines_script, "bars": bars_script, "boxes": boxes_script}


def draw(script):
    """The SVG that gnuplot makes of a script."""
    try:
        done = subprocess.run(["gnuplot", "--default-settings"], input="\n".join(script), capture_output=True,
                              text=True, check=False)
    except FileNotFoundError:
        raise FileNotFoundError(
            "gnuplot is not installed; it draws the pictures (Debian: gnuplot-nox)") from None
    if done.returncode != 0:
        raise RuntimeError(f"gnuplot: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def draw_all(picture, rows):
    """The pictures of a description, by the names of their files; none of what has nothing to draw."""
    rows = [row for row in rows if tables.chosen(row, picture.get("where", []))]
    parts = grouped(rows, "{" + picture["each"] + "}").values() if "each" in picture else [rows]
    files = {}
    for part in parts:
        if not part:
            continue
        script = SCRIPTS[picture["kind"]](picture, picture["title"].format_map(part[0]), part)
        if script:
            files[tables.file_name(picture["file"].format_map(part[0]))] = draw(script)
    return files
