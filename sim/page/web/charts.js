/**
 * Curves of a table: which column is drawn over which, in how many series, is chosen, and at first guessed
 * by these rows.
 */

const usualCharts = [
  { x: "load", y: "average_packet_latency_cycles", error: "average_packet_latency_error_cycles" },
  { x: "message_bytes", y: "time_ns", log: true },
  { x: "generation", y: "best_cost" },
  { x: "evaluations", y: "success_rate" },
  { x: "bytes", y: "time_cycles", log: true },
  { x: "hops", y: "latency_cycles" },
];

/** What a table is drawn as at first; null if there is nothing to draw. */
function usualChart(table) {
  const numbers = table.columns
    .filter(
      (column, i) =>
        table.rows.filter((row) => typeof row[i] === "number").length > 1 &&
        new Set(table.rows.map((row) => row[i])).size > 1,
    )
    .map((column) => column.name);
  if (table.rows.length < 2 || numbers.length < 2) return null;
  const usual = usualCharts.find(({ x, y }) => numbers.includes(x) && numbers.includes(y));
  const x = usual ? usual.x : numbers[0];
  const y = usual ? usual.y : numbers.find((name) => name !== x);
  return { x, y, isLog: Boolean(usual && usual.log), series: seriesColumns(table, x), numbers };
}

/** Columns of text that differ, few values each: what tells series apart. */
function seriesColumns(table, x) {
  return table.columns
    .filter((column, i) => {
      if (column.name === x) return false;
      const values = new Set(table.rows.map((row) => row[i]));
      const isText = table.rows.some((row) => typeof row[i] === "string");
      return (
        isText &&
        values.size > 1 &&
        values.size <= 24 &&
        values.size < table.rows.length &&
        !/outcome|reason|error|command/.test(column.name)
      );
    })
    .map((column) => column.name);
}

/** The interval of a value: a column `…error…` of it is half its width. */
function intervalColumn(table, y) {
  const found = table.columns.find(
    (column) => column.name !== y && column.name.includes("error") && column.name.replace("_error", "") === y,
  );
  return found ? found.name : null;
}

function chartSeries(table, choice) {
  const at = new Map(table.columns.map((column, i) => [column.name, i]));
  const error = intervalColumn(table, choice.y),
    groups = new Map();
  for (const row of table.rows) {
    const x = row[at.get(choice.x)],
      y = row[at.get(choice.y)];
    if (typeof x !== "number" || typeof y !== "number") continue;
    const name = choice.series.map((column) => shown(row[at.get(column)])).join(", ") || choice.y;
    const half = error ? row[at.get(error)] : null;
    if (!groups.has(name)) groups.set(name, []);
    groups
      .get(name)
      .push({ x, y, low: half === null ? null : y - half, high: half === null ? null : y + half });
  }
  return [...groups].map(([name, points], i) => ({
    name,
    points: points.sort((a, b) => a.x - b.x),
    index: i,
    count: groups.size,
    mark: marks[i % marks.length],
    dash: i < 8 ? null : i < 16 ? "6 3" : "2 3",
  }));
}

/** The chart of a table with its controls; null where there is nothing to draw. */
function chartElement(title, table, fileName) {
  const choice = usualChart(table);
  if (!choice) return null;
  const scales = { x: choice.isLog ? "log" : "linear", y: choice.isLog ? "log" : "linear" };
  const off = new Set();
  const svg = svgElement("svg", { role: "img", "aria-label": title });
  const legend = element("div", { class: "bar series", role: "group", "aria-label": `Series of ${title}` });
  const column = (name) => table.columns.find((each) => each.name === name);
  const label = (name) => {
    const { unit } = column(name);
    return inWords(name, unit) + (unit ? ` (${unit})` : "");
  };
  let series = [];
  const draw = () => {
    series = chartSeries(table, choice);
    series.forEach((each) => {
      each.colour = colourOf(each.index, Math.min(each.count, 8));
    });
    drawChart(
      svg,
      series.filter((each) => !off.has(each.name)),
      { x: { label: label(choice.x), scale: scales.x }, y: { label: label(choice.y), scale: scales.y } },
    );
    legend.replaceChildren(
      ...series.map((each) =>
        element(
          "button",
          {
            type: "button",
            "aria-pressed": String(!off.has(each.name)),
            click: () => {
              if (!off.delete(each.name)) off.add(each.name);
              draw();
            },
          },
          svgSwatch(each, off.has(each.name)),
          ` ${each.name}`,
        ),
      ),
    );
  };
  const select = (name, of) =>
    element(
      "label",
      {},
      name,
      element(
        "select",
        {
          change: (event) => {
            of(event.target.value);
            draw();
          },
        },
        choice.numbers.map((each) =>
          element(
            "option",
            { value: each, selected: each === (name === "across" ? choice.x : choice.y) },
            label(each),
          ),
        ),
      ),
    );
  const logBox = (axis) =>
    element(
      "label",
      {},
      element("input", {
        type: "checkbox",
        checked: scales[axis] === "log",
        change: (event) => {
          scales[axis] = event.target.checked ? "log" : "linear";
          draw();
        },
      }),
      `log ${axis === "x" ? "across" : "up"}`,
    );
  svg.addEventListener("pointermove", (event) => {
    const found = svg.nearest && svg.nearest(event);
    showTip(
      found
        ? `${found.series.name}\n${label(choice.x)}: ${shown(found.point.x)}\n` +
            `${label(choice.y)}: ${shown(found.point.y)}` +
            (found.point.low === null ? "" : ` (${shown(found.point.low)} to ${shown(found.point.high)})`)
        : null,
      event,
    );
  });
  svg.addEventListener("pointerleave", (event) => showTip(null, event));
  draw();
  onTheme(draw);
  return element(
    "section",
    { class: "chart" },
    element("h3", {}, title),
    element(
      "div",
      { class: "bar" },
      select("across", (name) => {
        choice.x = name;
      }),
      logBox("x"),
      select("up", (name) => {
        choice.y = name;
      }),
      logBox("y"),
      saveButton("Save SVG", `${fileName}.svg`, "image/svg+xml", () => svgText(svg)),
      saveButton("Save CSV", `${fileName}.csv`, "text/csv", () =>
        csvText(
          ["series", choice.x, choice.y, "low", "high"],
          series
            .filter((each) => !off.has(each.name))
            .flatMap((each) => each.points.map((p) => [each.name, p.x, p.y, p.low, p.high])),
        ),
      ),
    ),
    svg,
    series.length > 1 ? legend : null,
  );
}

function svgSwatch(series, isOff) {
  const mark = svgElement("path", {
    d: d3.symbol(series.mark, 60)(),
    transform: "translate(7,7)",
    fill: isOff ? "none" : series.colour,
    stroke: series.colour,
  });
  return svgElement(
    "svg",
    { width: 14, height: 14, "aria-hidden": "true", style: "display:inline;width:14px;vertical-align:-2px" },
    mark,
  );
}
