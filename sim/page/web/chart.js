/**
 * One picture of curves: points, lines, confidence intervals; values under the pointer; CSV and SVG to save.
 */

const chartMargins = { left: 64, right: 30, top: 14, bottom: 46 };

/** As wide as there is room, so that its letters have their size on any screen. */
function chartSizeOf(svg) {
  const room = svg.parentElement ? svg.parentElement.clientWidth : 0;
  const width = Math.max(260, Math.min(860, room || 760));
  return { width, height: Math.round(Math.min(400, 0.3 * width + 160)), ...chartMargins };
}

const marks = [
  d3.symbolCircle,
  d3.symbolSquare,
  d3.symbolTriangle,
  d3.symbolDiamond,
  d3.symbolCross,
  d3.symbolStar,
];

/** An axis of a kind: `linear`, or `log2` or `log10` where all values are above 0. */
function scaleOf(axis, values, range) {
  const [least, most] = d3.extent(values);
  if (isLog(axis)) return d3.scaleLog().domain([least / 1.1, most * 1.1]).range(range);
  const isPoint = least === most;
  const domain = [axis.from ?? (isPoint ? least - 1 : least), axis.to ?? (isPoint ? most + 1 : most)];
  const scale = d3.scaleLinear().domain(domain).range(range);
  return axis.to === null || axis.to === undefined ? scale.nice() : scale;
}

const isLog = (axis) => axis.scale !== "linear";

/** Where ticks of an axis stand, and what they say: sizes in powers of two as 64, 1 Ki, 2 Ki. */
function ticksOf(axis, scale, most) {
  if (axis.scale === "log2") {
    const [first, last] = scale.domain().map(Math.log2);
    const powers = d3.range(Math.ceil(first), Math.floor(last) + 1);
    const every = Math.ceil(powers.length / most);
    return [powers.filter((power) => power % every === 0).map((power) => 2 ** power), binaryNumber];
  }
  if (axis.scale === "log10") {
    const [first, last] = scale.domain();
    const powers = d3.range(Math.floor(Math.log10(first)), Math.ceil(Math.log10(last)) + 1);
    // Powers of ten, or more numbers if fewer than three of them are on the axis.
    const values = [[1], [1, 3], [1, 2, 5]]
      .map((digits) => powers.flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`))))
      .map((all) => all.filter((value) => first <= value && value <= last))
      .find((inside) => inside.length > 2);
    return [farApart(values || d3.ticks(first, last, most), scale, most), shownNumber];
  }
  const values = scale.ticks(most);
  return [values, scale.tickFormat(most)];
}

/** Those that leave room for what they say: linear steps crowd at the end of a logarithmic axis. */
function farApart(values, scale, most) {
  const [begin, end] = scale.range();
  const least = Math.abs(end - begin) / (2 * most);
  let last = -Infinity;
  return values.filter((value) => {
    if (Math.abs(scale(value) - last) < least) return false;
    last = scale(value);
    return true;
  });
}

const letterWidth = 6.7; // of 12 pixels and this style

/** At most so many ticks of a horizontal axis that what they say has room beside each other. */
function fittingCount(axis, scale, most) {
  const [begin, end] = scale.range();
  for (; most > 2; --most) {
    const [values, format] = ticksOf(axis, scale, most);
    const longest = d3.max(values, (value) => format(value).length) || 0;
    if (values.length < 2 || values.length * (longest * letterWidth + 16) <= end - begin) break;
  }
  return most;
}

/** A label that is read upwards beside `middle`: within the picture, and squeezed if it is too long. */
function drawUpwards(root, label, middle, height) {
  const length = label.length * letterWidth,
    half = Math.min(length, height - 4) / 2;
  root
    .append("text")
    .attr("transform", `translate(14,${Math.max(half + 2, Math.min(height - half - 2, middle))}) rotate(-90)`)
    .attr("text-anchor", "middle")
    .attr("textLength", length > height - 4 ? height - 4 : null)
    .attr("lengthAdjust", "spacingAndGlyphs")
    .text(label);
}

function binaryNumber(value) {
  const units = ["", " Ki", " Mi", " Gi"];
  const unit = value < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(value) / 10));
  return shownNumber(value / 1024 ** unit) + units[unit];
}

/** Its frame: axes with their names, and a grid. */
function drawAxes(root, size, axes, x, y) {
  const { width, height, left, right, top, bottom } = size;
  const axis = (made, kind, scale, most) => {
    const [values, format] = ticksOf(kind, scale, most);
    return made.tickValues(values).tickFormat(format);
  };
  if (y) {
    root
      .append("g")
      .attr("class", "grid")
      .attr("transform", `translate(${left},0)`)
      .call(
        axis(d3.axisLeft(y), axes.y, y, 6)
          .tickSize(-(width - left - right))
          .tickFormat(""),
      );
    root
      .append("g")
      .attr("transform", `translate(${left},0)`)
      .call(axis(d3.axisLeft(y), axes.y, y, 6));
    drawUpwards(root, axes.y.label, (top + height - bottom) / 2, height);
  }
  root
    .append("g")
    .attr("transform", `translate(0,${height - bottom})`)
    .call(axis(d3.axisBottom(x), axes.x, x, fittingCount(axes.x, x, Math.round(width / 85))));
  root
    .append("text")
    .attr("x", (left + width - right) / 2)
    .attr("y", height - 8)
    .attr("text-anchor", "middle")
    .text(axes.x.label);
}

/** How many later series hide a series: then it is drawn wider. */
function hidersOf(series, i) {
  const places = (each) => new Set(each.points.map((point) => `${point.x} ${point.y.toPrecision(3)}`));
  const own = places(series[i]);
  return series.slice(i + 1).filter((other) => {
    const common = [...places(other)].filter((place) => own.has(place)).length;
    return !other.isModel && common > 0 && 2 * common >= own.size;
  }).length;
}

/**
 * Draws `series` ({name, colour, mark, dash, isModel, endsAt, points: [{x, y, low, high}]}) into an svg
 * element. A model has a dashed line without marks; from its last point on to `endsAt` a series is dotted.
 * `axes`: {x: {label, scale, from, to}, y: {…}}; scale is `linear`, `log2` or `log10`. `fitting`: the series
 * that the axes have room for, if these are not all.
 */
function drawChart(svg, series, axes, fitting = series) {
  const size = chartSizeOf(svg),
    { width, height, left, right, top, bottom } = size;
  const root = d3.select(svg);
  root.selectAll("*").remove();
  root.attr("viewBox", `0 0 ${width} ${height}`);
  const isDrawn = (point) => (!isLog(axes.x) || point.x > 0) && (!isLog(axes.y) || point.y > 0);
  const drawn = fitting.flatMap((each) => each.points).filter(isDrawn);
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
    .filter((value) => value !== null && value !== undefined && (!isLog(axes.y) || value > 0));
  const ends = fitting.map((each) => each.endsAt).filter((at) => at > 0);
  const across = [...drawn.map((point) => point.x), ...ends];
  const x = scaleOf(axes.x, across, [left, width - right]);
  const y = scaleOf(axes.y, bounds, [height - bottom, top]);
  drawAxes(root, size, axes, x, y);
  const clip = newId("clip");
  root
    .append("clipPath")
    .attr("id", clip)
    .append("rect")
    .attr("x", left - 6)
    .attr("y", top - 6)
    .attr("width", width - left)
    .attr("height", height - bottom - top + 12);
  const shapes = root.append("g").attr("clip-path", `url(#${clip})`);
  for (const each of series) {
    const own = each.points.filter(isDrawn);
    const wider = each.isModel ? 0 : Math.min(3, hidersOf(series, series.indexOf(each)));
    const band = own.filter((point) => point.low !== null && point.low !== undefined);
    const lowest = y.domain()[0];
    shapes
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
    shapes
      .append("path")
      .attr("class", "curve")
      .attr("fill", "none")
      .attr("stroke", each.colour)
      .attr("stroke-width", 2 + 3 * wider)
      .attr("stroke-opacity", wider ? 0.45 : 1)
      .attr("stroke-dasharray", each.isModel ? "8 5" : each.dash)
      .attr(
        "d",
        d3
          .line()
          .x((point) => x(point.x))
          .y((point) => y(point.y))(own),
      );
    const last = own[own.length - 1];
    if (last && isThere(each.endsAt) && y(last.y) >= top) {
      shapes
        .append("line")
        .attr("class", "end")
        .attr("stroke", each.colour)
        .attr("stroke-width", 2)
        .attr("stroke-dasharray", "2 4")
        .attr("x1", x(last.x))
        .attr("y1", y(last.y))
        .attr("x2", x(each.endsAt))
        .attr("y2", top);
    }
    if (each.isModel) continue;
    shapes
      .append("g")
      .selectAll("path")
      .data(own)
      .join("path")
      .attr("fill", each.colour)
      .attr("transform", (point) => `translate(${x(point.x)},${y(point.y)})`)
      .attr("d", d3.symbol().type(each.mark).size(own.length > 60 ? 16 : 46))
      .attr("class", "point");
  }
  svg.nearest = (event) => nearestPoint(event, svg, series, isDrawn, x, y, width);
}

/** The point next to the pointer, within 40 units of the picture. */
function nearestPoint(event, svg, series, isDrawn, x, y, width) {
  const box = svg.getBoundingClientRect(),
    unit = width / box.width;
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

/** Rows of boxes over time: `{rows, groups, boxes: [{row, begin, end, group}], x}`. */
function drawBoxes(svg, plot) {
  const rowHeight = 24,
    room = chartSizeOf(svg);
  const longest = d3.max(plot.rows, (row) => row.length);
  const size = { ...room, left: Math.min(0.5 * room.width, 8 + 7 * longest), top: 6 };
  size.height = size.top + rowHeight * plot.rows.length + size.bottom;
  const root = d3.select(svg);
  root.selectAll("*").remove();
  root.attr("viewBox", `0 0 ${size.width} ${size.height}`);
  const ends = [0, ...plot.boxes.map((box) => box.end)];
  const x = scaleOf({ ...plot.x, from: 0 }, ends, [size.left, size.width - size.right]);
  drawAxes(root, size, plot, x, null);
  const middle = (row) => size.top + rowHeight * (row + 0.5);
  plot.rows.forEach((row, i) =>
    root
      .append("text")
      .attr("x", size.left - 8)
      .attr("y", middle(i) + 4)
      .attr("text-anchor", "end")
      .text(row),
  );
  root
    .append("g")
    .selectAll("rect")
    .data(plot.boxes)
    .join("rect")
    .attr("class", "box")
    .attr("fill", (box) => colourOf(box.group, plot.groups.length))
    .attr("x", (box) => x(box.begin))
    .attr("width", (box) => Math.max(1.5, x(box.end) - x(box.begin)))
    .attr("y", (box) => middle(box.row) - 8)
    .attr("height", 16);
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
