/** What a result says: the summary, the numbers with their units and meanings, and how to repeat it. */

const mostRowsShown = 200,
  mostListed = 12;

/** Fields that say what was asked, in this order; the others that are plain say what came out. */
const askedFields = [
  "problem",
  "topology",
  "collective",
  "schedule",
  "ports",
  "switching",
  "slack",
  "chunks",
  "bytes",
  "routing",
  "pattern",
  "arrivals",
  "trace",
  "network",
  "design",
  "model",
  "mode",
  "steps_searched",
  "message_bytes",
  "vcs",
  "faults",
];

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

/** What proves it, in one sentence; nothing if it says nothing of proofs. */
function proofOf(result) {
  const fields = result.fields;
  const bound =
    fields.bound_kind || fields.kind || (fields.bounds && fields.bounds[0] && fields.bounds[0].kind);
  const reason =
    fields.bound_reason || fields.reason || (fields.bounds && fields.bounds[0] && fields.bounds[0].reason);
  const kind = bound ? ` (${bound})` : "",
    because = reason ? ` ${sentence(reason)}` : "";
  if (fields.proven === true)
    return `Proven: the certificate${kind} was checked when this page was written.${because}`;
  if (fields.proven === false) return "Not proven: a certificate was refuted when this page was written.";
  if (fields.optimal === true) return `Proven optimal by a lower bound${kind}.${because}`;
  if (fields.optimal === false) return "Not proven optimal.";
  const runs = fields.replays || fields.runs || [fields];
  if (runs.length && runs.every((run) => run.memory_ok === true))
    return "Simulated: the bytes of all messages were moved; every memory was compared and is right.";
  if (fields.valid === true)
    return "Every rule was checked when this page was written; nothing is claimed of the fewest steps.";
  return "";
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}

/** The card of a result in the summary. */
function summaryCard(result, data, anchor) {
  const heading = element(
    "h3",
    {},
    element("a", { href: `#${anchor}` }, result.kind || "table"),
    ` in ${result.file}`,
  );
  if (result.table)
    return element(
      "div",
      { class: "card" },
      heading,
      element("p", {}, `${result.table.rows.length} rows of ${result.table.columns.length} columns.`),
      askedOf(result),
    );
  const description = data.descriptions[result.kind];
  const values = headlineValues(result, description);
  const fields = values.fields;
  const asked = fields.filter((field) => askedFields.includes(field.name));
  const found = fields.filter((field) => !askedFields.includes(field.name)).slice(0, 14);
  return element(
    "div",
    { class: "card" },
    heading,
    element("p", { class: "soft" }, description.meaning),
    askedOf(result),
    asked.length ? element("h4", {}, "Asked") : null,
    asked.length ? figureList(asked, values.values) : null,
    found.length ? element("h4", {}, "Found") : null,
    found.length ? figureList(found, values.values) : null,
    proofOf(result) ? element("p", {}, proofOf(result)) : null,
  );
}

/**
 * The plain fields of a result, and of its rows those that are a table: what all rows say, and otherwise
 * of numbers from what to what.
 */
function headlineValues(result, description) {
  const fields = plainFields(description).filter((field) => isThere(result.fields[field.name])),
    values = { ...result.fields };
  for (const { is_table, name, parts } of description.fields) {
    const rows = result.fields[name];
    if (!is_table || !rows || !rows.length) continue;
    for (const field of plainFields(descriptions[parts])) {
      const said = rows.map((row) => row[field.name]).filter(isThere);
      if (!said.length || isThere(values[field.name])) continue;
      const isSame = said.every((value) => JSON.stringify(value) === JSON.stringify(said[0]));
      if (!isSame && typeof said[0] !== "number") continue;
      fields.push(field);
      values[field.name] = isSame ? said[0] : `${shown(d3.min(said))} to ${shown(d3.max(said))}`;
    }
  }
  return { fields, values };
}

let descriptions = {};

function askedOf(result) {
  const command = result.made_by && result.made_by.command;
  return command ? element("p", {}, "Asked by ", element("code", {}, command)) : null;
}

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

/** The table of a file as an element that scrolls, with what it is about, and its CSV to save. */
function tableElement(title, table, fileName, file) {
  const isNumber = table.columns.map((column, i) => table.rows.some((row) => typeof row[i] === "number"));
  const body = element("tbody");
  const fill = (count) =>
    body.replaceChildren(
      ...table.rows.slice(0, count).map((row) =>
        element(
          "tr",
          {},
          row.map((value, i) => element("td", { class: isNumber[i] ? "number" : "text" }, shown(value))),
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
      table.columns.map((column) => column.name),
      table.rows,
    ),
  );
  return element(
    "section",
    {},
    element("h3", {}, title),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `${title}, the table of ${file}` },
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
                column.title || inWords(column.name, column.unit),
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
        value.forEach((row, i) => visit(parts, row, value.length > 1 ? `${title} ${i + 1}` : title));
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
