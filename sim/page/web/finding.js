/** The first screen: of each result what it says, the picture that shows it, and the table beside it. */

const mostReasons = 8;

/** Numbers and their units in one line. */
const withUnits = (text) => text.replace(/(\d) (?=(B|[KMG]iB|[nµm]?s|GB\/s|%)\b)/g, "$1\u00a0");

/** A single point shows nothing that the sentence does not say. */
const hasCurve = ({ kind, curves }) => kind !== "lines" || d3.sum(curves, ({ points }) => points.length) > 1;

function pictureElement(picture, fileName) {
  if (!picture || !hasCurve(picture)) return null;
  const make = { boxes: boxesElement, lines: linesElement, multiples: multiplesElement }[picture.kind];
  return make(picture, fileName);
}

/** Figures of one result beside each other. */
function stripElement(fields, values) {
  return element(
    "dl",
    { class: "strip" },
    fields
      .filter((field) => isThere(values[field.name]))
      .map((field) =>
        element(
          "div",
          {},
          element("dt", { title: field.meaning }, titleOfColumn(field)),
          figureParts(field, values[field.name]),
        ),
      ),
  );
}

/** The table of a summary: its own, or fields of the result. */
function summaryTable(result, name) {
  const { table } = result.summary;
  if (!table) return null;
  if (table.columns) {
    if (table.rows.length > 1)
      return tableElement(table.title, table, name, result.file, !result.summary.is_matrix);
    const values = Object.fromEntries(table.columns.map((column, i) => [column.name, table.rows[0][i]]));
    return stripElement(table.columns, values);
  }
  const { fields } = descriptions[result.kind];
  const named = (list) =>
    table.fields.map((name) => list.find((field) => field.name === name)).filter(Boolean);
  if (!table.rows) return stripElement(named(fields), result.fields);
  const rows = result.fields[table.rows] || [];
  const { parts } = fields.find((field) => field.name === table.rows);
  const shownFields = named(descriptions[parts].fields);
  if (rows.length === 1) return stripElement(shownFields, rows[0]);
  return rows.length ? tableElement("", tableOfRows({ fields: shownFields }, rows), name, result.file) : null;
}

/**
 * `isAlone`: the title says what it is about. `isMarked`: the picture of the network has the reasons'
 * numbers.
 */
function findingElement(result, i, isAlone, isMarked) {
  const { summary } = result,
    name = `${result.file.replace(/\.[a-z]+$/i, "") || "table"}-finding`,
    id = `finding-${i + 1}`;
  const picture = pictureElement(summary.picture, name);
  const table = summaryTable(result, name);
  const isStrip = table && table.tagName === "DL";
  const beside = isStrip ? null : table;
  return element(
    "article",
    { id, class: "finding", "aria-labelledby": `${id}-headline` },
    isAlone ? null : element("p", { class: "subject" }, summary.subject),
    element(
      "h2",
      { id: `${id}-headline`, class: summary.is_bad ? "headline bad" : "headline" },
      `${summary.is_bad ? "✗ " : ""}${withUnits(summary.headline)}`,
    ),
    summary.reasons.length
      ? element(
          isMarked ? "ol" : "ul",
          { class: "reasons" },
          summary.reasons.slice(0, mostReasons).map((reason) => element("li", {}, withArrows(reason))),
          summary.reasons.length > mostReasons
            ? element("li", {}, `and ${summary.reasons.length - mostReasons} more`)
            : null,
        )
      : null,
    isStrip ? table : null,
    picture || beside
      ? element("div", { class: picture && beside ? "proof" : "proof one" }, picture, beside)
      : null,
  );
}

/** Of a kind of result that has no summary: what it is. */
function withSummary(result) {
  if (result.summary) return result;
  const headline = result.kind ? descriptions[result.kind].meaning : "A table without rows.";
  return { ...result, summary: { subject: result.kind || result.file, headline, reasons: [] } };
}
