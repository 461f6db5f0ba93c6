/** All that a result says: numbers with their units and meanings, tables, and how to repeat it. */

const mostRowsShown = 200,
  mostListed = 12;

/** Fields that are verdicts, and whether a yes is good news. */
const verdicts = {
  valid: true,
  proven: true,
  optimal: true,
  memory_ok: true,
  deadlock_free: true,
  saturated: false,
  disconnected: false,
  interrupted: false,
};

function plainFields(description) {
  return description.fields.filter((field) => ["text", "flag", "number", "list"].includes(field.kind));
}

function isThere(value) {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function figureParts(field, value) {
  const mark = field.name in verdicts && typeof value === "boolean" ? verdicts[field.name] === value : null;
  const short = Array.isArray(value) && value.length > mostListed ? value.slice(0, mostListed) : value;
  const rest = short === value ? "" : ` and ${value.length - mostListed} more`;
  const text = shown(short) + rest + (field.unit && typeof value !== "boolean" ? ` ${field.unit}` : "");
  return element(
    "dd",
    { class: mark === null ? null : mark ? "good" : "bad" },
    mark === null ? text : `${mark ? "✓" : "✗"} ${text}`,
  );
}

function figureList(fields, values) {
  return element(
    "dl",
    {},
    fields
      .filter((field) => isThere(values[field.name]))
      .map((field) => [
        element("dt", { title: field.meaning }, inWords(field.name, field.unit)),
        figureParts(field, values[field.name]),
      ]),
  );
}

let descriptions = {};

/** Columns of a list of results: plain fields, objects as `part field`. */
function columnsOf(description, before = []) {
  return description.fields.flatMap((field) => {
    const path = [...before, field.name];
    if (field.kind === "rows") return [];
    if (field.kind === "object") return columnsOf(descriptions[field.parts], path);
    return [
      {
        path,
        name: path.join("_"),
        title: [...before.map((part) => inWords(part)), inWords(field.name, field.unit)].join(" "),
        unit: field.unit,
        meaning: field.meaning,
        isNumber: field.kind === "number",
      },
    ];
  });
}

function valueAt(row, path) {
  return path.reduce((value, part) => (value === null || value === undefined ? null : value[part]), row);
}

/** A table {columns, rows: [[…]]} of a field that is rows, or of one result. */
function tableOfRows(description, rows) {
  const all = columnsOf(description);
  const columns = all.filter((column) => rows.some((row) => isThere(valueAt(row, column.path))));
  return { columns, rows: rows.map((row) => columns.map((column) => valueAt(row, column.path))) };
}

/** The columns in which rows are shown to differ, and a sentence about the others, unless these are empty. */
function foldedTable(table) {
  const differs = table.columns.map((_, i) =>
    table.rows.some((row) => shown(row[i]) !== shown(table.rows[0][i])),
  );
  if (table.rows.length < 2 || !differs.includes(true)) return { ...table, same: "" };
  const same = table.columns
    .map((column, i) => [column, table.rows[0][i], differs[i]])
    .filter(([, value, isOther]) => !isOther && isThere(value))
    .map(([column, value]) => {
      const title = titleOfColumn(column) + (typeof value === "string" ? ":" : "");
      return [title, shown(value), column.unit].filter(Boolean).join(" ");
    });
  const kept = (list) => list.filter((_, i) => differs[i]);
  return {
    columns: kept(table.columns),
    rows: table.rows.map(kept),
    same: same.length ? `In all rows: ${same.join("; ")}.` : "",
  };
}

function titleOfColumn(column) {
  return column.title || inWords(column.name, column.unit);
}

/** The table of a file as an element that scrolls, with what it is about, and its CSV to save. */
function tableElement(title, whole, fileName, file, folds = true) {
  const table = folds ? foldedTable(whole) : whole;
  const hasType = (i, type) => table.rows.some((row) => typeof row[i] === type);
  const isNumber = table.columns.map((column, i) => hasType(i, "number") && !hasType(i, "string"));
  const body = element("tbody");
  const fill = (count) =>
    body.replaceChildren(
      ...table.rows.slice(0, count).map((row) =>
        element(
          "tr",
          {},
          row.map((value, i) =>
            isNumber[i]
              ? element("td", { class: "number" }, shown(value))
              : element("td", { class: "text", title: shown(value) }, shown(value)),
          ),
        ),
      ),
    );
  fill(mostRowsShown);
  const more =
    table.rows.length > mostRowsShown &&
    element(
      "button",
      {
        type: "button",
        click: (event) => {
          fill(table.rows.length);
          event.target.remove();
        },
      },
      `Show all ${table.rows.length} rows`,
    );
  const csv = saveButton("Save CSV", `${fileName}.csv`, "text/csv", () =>
    csvText(
      whole.columns.map((column) => column.name),
      whole.rows,
    ),
  );
  return element(
    "section",
    {},
    title ? element("h3", {}, title) : null,
    table.same ? element("p", { class: "caption" }, table.same) : null,
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `${title || "Table"}, of ${file}` },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            table.columns.map((column, i) =>
              element(
                "th",
                { scope: "col", title: column.meaning || null, class: isNumber[i] ? "number" : null },
                titleOfColumn(column),
                column.unit ? element("span", { class: "unit" }, ` (${column.unit})`) : null,
              ),
            ),
          ),
        ),
        body,
      ),
    ),
    element("div", { class: "bar" }, csv, more || null),
  );
}

/** `curves (dor, uniform)`: by the texts in which it differs from other rows; by its number if there is none. */
function nameOfRow(title, rows, i) {
  const differs = Object.keys(rows[i]).filter(
    (name) => typeof rows[i][name] === "string" && rows.some((row) => row[name] !== rows[i][name]),
  );
  return differs.length ? `${title} (${differs.map((name) => rows[i][name]).join(", ")})` : `${title} ${i + 1}`;
}

/** All tables inside a result: {title, table, field} by field, also of rows inside rows. */
function tablesOf(result) {
  const found = [];
  const visit = (description, values, before) => {
    for (const field of description.fields) {
      const value = values && values[field.name],
        title = before ? `${before}, ${inWords(field.name)}` : inWords(field.name);
      if (!isThere(value)) continue;
      const parts = field.parts && descriptions[field.parts];
      if (field.kind === "object") visit(parts, value, title);
      if (field.kind !== "rows") continue;
      found.push({
        title,
        field: field.name,
        parts: field.parts,
        values: value,
        table: tableOfRows(parts, value),
      });
      const inner = parts.fields.some((each) => each.kind === "rows" || each.kind === "object");
      if (inner && value.length <= 12)
        value.forEach((row, i) => visit(parts, row, value.length > 1 ? nameOfRow(title, value, i) : title));
    }
  };
  visit(descriptions[result.kind], result.fields, "");
  return found;
}

/** What every field means, for those who cannot hover. */
function glossary(tables) {
  const seen = new Map();
  for (const { columns } of tables)
    for (const column of columns) if (column.meaning) seen.set(column.title || column.name, column);
  if (!seen.size) return null;
  return element(
    "details",
    {},
    element("summary", {}, "What the columns mean"),
    element(
      "dl",
      {},
      [...seen].map(([name, column]) => [
        element("dt", {}, name),
        element("dd", {}, column.unit ? `${column.meaning} In ${column.unit}.` : column.meaning),
      ]),
    ),
  );
}

/** Command, version, seed and all options, to repeat it. */
function provenance(madeBy, title = "To repeat it") {
  if (!madeBy) return element("p", { class: "soft" }, "The file does not say what made it.");
  const options = Object.entries(madeBy.options || {}).filter(([, value]) => isThere(value));
  return element(
    "section",
    {},
    element("h3", {}, title),
    madeBy.command ? element("pre", {}, madeBy.command) : null,
    element(
      "dl",
      {},
      [
        ["version", madeBy.version],
        ["seed", (madeBy.options || {}).seed],
      ]
        .filter(([, value]) => isThere(value))
        .map(([name, value]) => [element("dt", {}, name), element("dd", {}, shown(value))]),
    ),
    (madeBy.remarks || []).length
      ? element(
          "ul",
          {},
          madeBy.remarks.map((remark) => element("li", {}, remark)),
        )
      : null,
    options.length
      ? element(
          "details",
          {},
          element("summary", {}, "All options, hardware among them"),
          element(
            "dl",
            {},
            options.map(([name, value]) => [
              element("dt", {}, `--${name}`),
              element("dd", {}, String(value)),
            ]),
          ),
        )
      : null,
  );
}
