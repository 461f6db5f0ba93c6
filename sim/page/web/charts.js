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
    mark: marks[i % marks.length],
    dash: dashOf(i),
  }));
}

const dashOf = (i) => (i < 16 ? null : i < 32 ? "6 3" : "2 3");

/**
 * A picture with a legend whose entries switch its series, values under the pointer, and files to save.
 * `get()`: {series, x, y} with the axes; `controls` stand before the files.
 */
function chartFrame(title, fileName, get, controls = []) {
  const off = new Set();
  const svg = svgElement("svg", { role: "img", "aria-label": title });
  const legend = element("div", { class: "bar series", role: "group", "aria-label": `Series of ${title}` });
  let shownChart = get();
  const draw = () => {
    shownChart = get();
    const { series, x, y } = shownChart;
    series.forEach((each, i) => {
      each.colour = each.isModel ? styleColour("text") : colourOf(i, Math.min(series.length, 16));
    });
    drawChart(
      svg,
      series.filter((each) => !off.has(each.name)),
      { x, y },
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
    legend.hidden = series.length < 2;
  };
  svg.addEventListener("pointermove", (event) => {
    const found = svg.nearest && svg.nearest(event);
    showTip(
      found
        ? `${found.series.name}\n${shownChart.x.label}: ${shown(found.point.x)}\n` +
            `${shownChart.y.label}: ${shown(found.point.y)}` +
            (isThere(found.point.low) ? ` (${shown(found.point.low)} to ${shown(found.point.high)})` : "")
        : null,
      event,
    );
  });
  svg.addEventListener("pointerleave", (event) => showTip(null, event));
  const frame = element(
    "section",
    { class: "chart" },
    svg,
    legend,
    element(
      "div",
      { class: "bar" },
      controls.map((control) => control(draw)),
      saveButton("Save SVG", `${fileName}.svg`, "image/svg+xml", () => svgText(svg)),
      saveButton("Save CSV", `${fileName}.csv`, "text/csv", () =>
        csvText(
          ["series", shownChart.x.name || "x", shownChart.y.name || "y", "low", "high"],
          shownChart.series
            .filter((each) => !off.has(each.name))
            .flatMap((each) => each.points.map((p) => [each.name, p.x, p.y, p.low, p.high])),
        ),
      ),
    ),
  );
  onTheme(draw);
  onWidth(svg, draw);
  return frame;
}

/** Calls when the element that holds this one has another width, also when it is first shown. */
function onWidth(svg, draw) {
  let width = 0;
  requestAnimationFrame(() =>
    new ResizeObserver(() => {
      const now = svg.parentElement.clientWidth;
      if (now && now !== width) draw();
      width = now;
    }).observe(svg.parentElement),
  );
}

/** The curves of a summary. */
function linesElement(picture, fileName) {
  const series = picture.curves.map(({ label, points, is_model, ends_at }, i) => ({
    name: label,
    points: points.map(([x, y]) => ({ x, y, low: null, high: null })),
    isModel: is_model,
    endsAt: ends_at,
    mark: marks[i % marks.length],
    dash: dashOf(i),
  }));
  const frame = chartFrame(picture.title || picture.y.label, fileName, () => ({
    series,
    x: picture.x,
    y: picture.y,
  }));
  if (picture.end_meaning && series.some((each) => isThere(each.endsAt)))
    frame.insertBefore(
      element("p", { class: "caption" }, `Dotted: ${picture.end_meaning.replace(" from the mark on", "")}.`),
      frame.lastChild,
    );
  return frame;
}

/** Small multiples: pictures with the same axes beside each other, and one legend. */
function multiplesElement({ plots }, fileName) {
  const names = [...new Set(plots.flatMap(({ curves }) => curves.map(({ label }) => label)))];
  const seriesOf = ({ curves }) =>
    curves.map(({ label, points, is_model, ends_at }) => ({
      name: label,
      points: points.map(([x, y]) => ({ x, y, low: null, high: null })),
      isModel: is_model,
      endsAt: ends_at,
      mark: marks[names.indexOf(label) % marks.length],
      dash: dashOf(names.indexOf(label)),
    }));
  const all = plots.map(seriesOf);
  const pictures = plots.map((plot) =>
    svgElement("svg", { role: "img", "aria-label": `${plot.title}: ${plot.y.label} over ${plot.x.label}` }),
  );
  const legend = element("p", { class: "legend" });
  const draw = () => {
    for (const each of all.flat())
      each.colour = colourOf(names.indexOf(each.name), Math.min(names.length, 16));
    plots.forEach(({ x, y }, i) => drawChart(pictures[i], all[i], { x, y }, all.flat()));
    legend.replaceChildren(
      ...names.map((name) => {
        const series = all.flat().find((each) => each.name === name);
        return element("span", {}, svgSwatch(series, false), ` ${name}`);
      }),
    );
  };
  onTheme(draw);
  onWidth(pictures[0], draw);
  const hasEnds = plots[0].end_meaning && all.flat().some((each) => isThere(each.endsAt));
  return element(
    "section",
    { class: "chart" },
    element(
      "div",
      { class: "multiples" },
      plots.map(({ title }, i) => element("figure", {}, element("figcaption", {}, title), pictures[i])),
    ),
    names.length > 1 ? legend : null,
    hasEnds ? element("p", { class: "caption" }, "Dotted: saturated.") : null,
    element(
      "div",
      { class: "bar" },
      saveButton("Save CSV", `${fileName}.csv`, "text/csv", () =>
        csvText(
          ["plot", "series", "x", "y"],
          plots.flatMap(({ title }, i) =>
            all[i].flatMap((each) => each.points.map((p) => [title, each.name, p.x, p.y])),
          ),
        ),
      ),
    ),
  );
}

/** Boxes over time. */
function boxesElement(picture, fileName) {
  const svg = svgElement("svg", { role: "img", "aria-label": picture.title });
  const { groups } = picture;
  const legend = element("p", { class: "legend" });
  const draw = () => {
    drawBoxes(svg, picture);
    legend.replaceChildren(
      ...groups.map((group, i) =>
        element(
          "span",
          {},
          element("span", { class: "swatch", style: `background:${colourOf(i, groups.length)}` }),
          group,
        ),
      ),
    );
  };
  onTheme(draw);
  onWidth(svg, draw);
  return element(
    "section",
    { class: "chart" },
    svg,
    groups.length > 1 ? legend : null,
    element(
      "div",
      { class: "bar" },
      saveButton("Save SVG", `${fileName}.svg`, "image/svg+xml", () => svgText(svg)),
    ),
  );
}

/** The chart of a table with its controls; null where there is nothing to draw. */
function chartElement(title, table, fileName) {
  const choice = usualChart(table);
  if (!choice) return null;
  const scales = { x: choice.isLog ? "log2" : "linear", y: choice.isLog ? "log10" : "linear" };
  const label = (name) => {
    const { unit } = table.columns.find((each) => each.name === name);
    return inWords(name, unit) + (unit ? ` (${unit})` : "");
  };
  const select = (axis, name) => (draw) =>
    element(
      "label",
      {},
      name,
      element(
        "select",
        {
          change: (event) => {
            choice[axis] = event.target.value;
            draw();
          },
        },
        choice.numbers.map((each) =>
          element("option", { value: each, selected: each === choice[axis] }, label(each)),
        ),
      ),
    );
  const logBox = (axis, log) => (draw) =>
    element(
      "label",
      {},
      element("input", {
        type: "checkbox",
        checked: scales[axis] !== "linear",
        change: (event) => {
          scales[axis] = event.target.checked ? log : "linear";
          draw();
        },
      }),
      "logarithmic",
    );
  const frame = chartFrame(
    title,
    fileName,
    () => ({
      series: chartSeries(table, choice),
      x: { name: choice.x, label: label(choice.x), scale: scales.x },
      y: { name: choice.y, label: label(choice.y), scale: scales.y },
    }),
    [
      select("x", "horizontal axis"),
      logBox("x", "log2"),
      select("y", "vertical axis"),
      logBox("y", "log10"),
    ],
  );
  frame.prepend(element("h3", {}, title));
  return frame;
}

function svgSwatch(series, isOff) {
  const mark = series.isModel
    ? svgElement("path", { d: "M0,7H6M8.5,7H14", stroke: series.colour, "stroke-width": 2 })
    : svgElement("path", {
        d: d3.symbol().type(series.mark).size(60)(),
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
