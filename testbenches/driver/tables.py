"""Tables of the testbenches: rows of a CSV file, what is printed of them, and whether they came out as
expected.

A table is a list of rows, a row a dict from column to value; all rows of a table have the columns of the
first. An empty text or None is a cell without a value.
"""
import csv
import operator

COMPARISONS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
     ">": operator.gt}


def file_name(text):
    """The text as the name of a file."""
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in text)


def participants_of(cell):
    """Of a cell of the papers: `0`, `0-7 to 8-15`, `slack 2`; empty for all processors and any paths."""
    sides = f"{cell['senders']} to {cell['receivers']}" if cell["senders"] else cell["source"]
    return "; ".join(filter(None, [sides, f"slack {cell['slack']}" if cell["slack"] else ""]))


def read(path):
    """The rows of a CSV file, every value a text."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise ValueError(f"{path}:{number}: not as many fields as the header has")
    return rows


def text_of(value):
    """A value as a CSV file has it: whole numbers without a point, others with all digits."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def write(path, rows):
    """Writes a CSV file, whole or not at all."""
    temporary = path.with_name(path.name + ".part")
    with open(temporary, "w", encoding="utf-8", newline="") as file:
        if rows:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(rows[0])
            writer.writerows([text_of(value) for value in row.values()] for row in rows)
    temporary.replace(path)


def number(value):
    """The value as a number, or nothing."""
    try:
        return None if value is None or isinstance(value, bool) else float(value)
    except ValueError:
        return None


def value_of(text):
    """What a text of a CSV file stands for: a whole number, another one, nothing, or the text."""
    if text == "":
        return None
    try:
        return int(text)
    except ValueError:
        return text if number(text) is None else number(text)


def short(value):
    """A value as a person reads it: six digits of it."""
    is_long = isinstance(value, str) and len(value) > 7 and "." in value and number(value) is not None
    return f"{number(value):.6g}" if is_long or isinstance(value, float) else text_of(value)


def show(title, rows, hidden=()):
    """Prints a table, numbers to the right; columns that are empty in all rows, or hidden, are left out."""
    if not rows:
        return
    columns = [name for name in rows[0] if name not in hidden
               and any(text_of(row[name]) != "" for row in rows)]
    cells = [[short(row[name]) for name in columns] for row in rows]
    heads = [name.replace("_", " ") for name in columns]
    widths = [max(len(line[i]) for line in [heads, *cells]) for i in range(len(columns))]
    right = [all(number(row[name]) is not None for row in rows if text_of(row[name])) for name in columns]
    print(f"\n{title}")
    for line in [heads, *cells]:
        print("  ".join(cell.rjust(width) if is_right else cell.ljust(width)
                        for cell, width, is_right in zip(line, widths, right)).rstrip())


def chosen(row, where):
    """Does the row fulfil all conditions, each [column, comparison, value]?"""
    for column, comparison, value in where:
        cell = number(row[column]) if isinstance(value, (int, float)) else text_of(row[column])
        if cell is None or not COMPARISONS[comparison](cell, value):
            return False
    return True


def is_alike(found, expected, above):
    """Are the cells the same text or number, or is the one that was found up to `above` greater, or less?"""
    found, expected = text_of(found), text_of(expected)
    if found == expected:
        return True
    if number(found) is None or number(expected) is None:
        return False
    if above is not None:
        return number(found) <= number(expected) + above
    return number(found) == number(expected)


def differences(rows, expected, spec, complete):
    """A line for each row that did not come out as in the table of expected results.

    `spec` says how rows are compared: `key`, the columns by which a row is found (left out: by its place);
    `compared`, columns (left out: all but the key and those that are `unchecked`); `above`, by column how
    much greater a value may be; `known_only`, rows that the table of expected results does not have are taken
    as they are. With `complete` every expected row must have come out: with --only, or `complete = false`,
    some are left out.
    """
    key = spec.get("key")
    if not rows:
        return ["nothing came out"] if expected and complete else []
    if expected and list(rows[0]) != list(expected[0]) and "compared" not in spec:
        return [f"the columns are {', '.join(rows[0])}, and not {', '.join(expected[0])}"]
    left = {}
    for at, row in enumerate(expected):
        left.setdefault(tuple(text_of(row[name]) for name in key) if key else at, []).append(row)
    lines = []
    for at, row in enumerate(rows):
        name = tuple(text_of(row[column]) for column in key) if key else at
        what = ", ".join(filter(None, name)) if key else f"row {at + 1}"
        if not left.get(name):
            if not spec.get("known_only"):
                lines.append(f"{what}: not expected")
            continue
        other = left[name].pop(0)
        compared = spec.get("compared") or [column for column in row if column not in (key or ())
                                            and column not in spec.get("unchecked", ())]
        lines += [f"{what}: {column} {text_of(row[column]) or 'nothing'}, "
                  f"expected {other[column] or 'nothing'}"
                  for column in compared
                  if not is_alike(row[column], other[column], spec.get("above", {}).get(column))]
    if complete and not spec.get("known_only"):
        lines += [f"{', '.join(filter(None, name)) if key else f'row {name + 1}'}: did not come out"
                  for name, rest in left.items() for _ in rest]
    return lines


def beyond_limits(rows, limit):
    """A line for each row in `where` whose `column` is not from `least` to `most`."""
    lines = []
    for row in rows:
        value = number(row[limit["column"]])
        if not chosen(row, limit.get("where", [])) or value is None:
            continue
        if not limit.get("least", -float("inf")) <= value <= limit.get("most", float("inf")):
            what = ", ".join(text_of(row[name]) for name in limit.get("name", list(row)[:2]))
            lines.append(f"{what}: {limit['column'].replace('_', ' ')} {value:.6g}, allowed is "
                         + " to ".join(f"{limit[end]:g}" for end in ("least", "most") if end in limit))
    return lines
