/**
 * One picture of curves: points, lines, confidence intervals; values under the pointer; CSV and SVG to save.
 */

const chartSize = { width: 760, height: 400, left: 74, right: 16, top: 14, bottom: 48 };
const marks = [
  d3.symbolCircle,
  d3.symbolSquare,
  d3.symbolTriangle,
  d3.symbolDiamond,
  d3.symbolCross,
  d3.symbolStar,
];

/** An axis of a kind: `linear`, or `log` where all values are above 0. */
function scaleOf(kind, values, range) {
  const extent = d3.extent(values);
  if (kind === "log") return d3.scaleLog().domain(extent).range(range).nice();
  return d3
    .scaleLinear()
    .domain(extent[0] === extent[1] ? [extent[0] - 1, extent[1] + 1] : extent)
    .range(range)
    .nice();
}

/**
 * Draws `series` ({name, colour, mark, points: [{x, y, low, high}]}) into an svg element.
 * `axes`: {x: {label, scale}, y: {label, scale}}.
 */
function drawChart(svg, series, axes) {
  const { width, height, left, right, top, bottom } = chartSize;
  const root = d3.select(svg);
  root.selectAll("*").remove();
  root.attr("viewBox", `0 0 ${width} ${height}`);
  const points = series.flatMap((each) => each.points);
  const isDrawn = (point) =>
    (axes.x.scale !== "log" || point.x > 0) && (axes.y.scale !== "log" || point.y > 0);
  const drawn = points.filter(isDrawn);
  if (!drawn.length) {
    root
      .append("text")
      .attr("x", width / 2)
      .attr("y", height / 2)
      .attr("text-anchor", "middle")
      .text("Nothing to draw on these axes");
    return;
  }
  const bounds = drawn
    .flatMap((point) => [point.y, point.low, point.high])
    .filter((value) => value !== null && value !== undefined && (axes.y.scale !== "log" || value > 0));
  const x = scaleOf(
    axes.x.scale,
    drawn.map((point) => point.x),
    [left, width - right],
  );
  const y = scaleOf(axes.y.scale, bounds, [height - bottom, top]);
  const grid = (axis, place) =>
    root.append("g").attr("class", "grid").attr("transform", place).call(axis.tickFormat(""));
  const tick = (scale) => (scale === "log" ? [6, "~s"] : [8, null]);
  grid(
    d3
      .axisLeft(y)
      .ticks(6)
      .tickSize(-(width - left - right)),
    `translate(${left},0)`,
  );
  root
    .append("g")
    .attr("transform", `translate(0,${height - bottom})`)
    .call(d3.axisBottom(x).ticks(...tick(axes.x.scale)));
  root
    .append("g")
    .attr("transform", `translate(${left},0)`)
    .call(d3.axisLeft(y).ticks(...tick(axes.y.scale)));
  root
    .append("text")
    .attr("x", (left + width - right) / 2)
    .attr("y", height - 10)
    .attr("text-anchor", "middle")
    .text(axes.x.label);
  root
    .append("text")
    .attr("transform", `translate(16,${(top + height - bottom) / 2}) rotate(-90)`)
    .attr("text-anchor", "middle")
    .text(axes.y.label);
  for (const each of series) {
    const own = each.points.filter(isDrawn);
    const band = own.filter((point) => point.low !== null && point.low !== undefined);
    const lowest = y.domain()[0];
    root
      .append("g")
      .selectAll("line")
      .data(band)
      .join("line")
      .attr("stroke", each.colour)
      .attr("stroke-width", 1.5)
      .attr("x1", (point) => x(point.x))
      .attr("x2", (point) => x(point.x))
      .attr("y1", (point) => y(Math.max(lowest, point.low)))
      .attr("y2", (point) => y(point.high))
      .attr("class", "interval");
    root
      .append("path")
      .attr("class", "curve")
      .attr("fill", "none")
      .attr("stroke", each.colour)
      .attr("stroke-width", 2)
      .attr("stroke-dasharray", each.dash)
      .attr(
        "d",
        d3
          .line()
          .x((point) => x(point.x))
          .y((point) => y(point.y))(own),
      );
    root
      .append("g")
      .selectAll("path")
      .data(own)
      .join("path")
      .attr("fill", each.colour)
      .attr("transform", (point) => `translate(${x(point.x)},${y(point.y)})`)
      .attr("d", d3.symbol(each.mark, own.length > 60 ? 16 : 46))
      .attr("class", "point");
  }
  svg.nearest = (event) => nearestPoint(event, svg, series, isDrawn, x, y);
}

/** The point next to the pointer, within 40 units of the picture. */
function nearestPoint(event, svg, series, isDrawn, x, y) {
  const box = svg.getBoundingClientRect(),
    unit = chartSize.width / box.width;
  const at = [(event.clientX - box.left) * unit, (event.clientY - box.top) * unit];
  let best = null,
    least = 40;
  for (const each of series)
    for (const point of each.points.filter(isDrawn)) {
      const distance = Math.hypot(x(point.x) - at[0], y(point.y) - at[1]);
      if (distance < least) [best, least] = [{ series: each, point }, distance];
    }
  return best;
}

/** The picture as a file of its own, with the colours that it has here. */
function svgText(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.insertBefore(
    svgElement(
      "style",
      {},
      `text { fill: ${styleColour("text")}; font: 12px sans-serif; }
    .domain, .tick line { stroke: ${styleColour("soft")}; } .grid line { stroke: ${styleColour("line")}; }
    .grid .domain { display: none; }`,
    ),
    copy.firstChild,
  );
  copy.insertBefore(
    svgElement("rect", { width: "100%", height: "100%", fill: styleColour("ground") }),
    copy.firstChild,
  );
  return new XMLSerializer().serializeToString(copy);
}
