/** What happens over time: transfers by their sources, and the use of links. Both have one zoom. */

const timeMargin = { left: 64, right: 8, bottom: 22 };

class TimeView {
  constructor(parent, viewer, movie, rowTitle) {
    Object.assign(this, { parent, viewer, movie });
    this.canvas = sharpCanvas(parent, { "aria-hidden": "true" }, () => this.draw());
    this.over = sharpCanvas(parent, { "aria-hidden": "true" }, () => this.drawTime());
    this.rowTitle = rowTitle;
    this.zoomer = zoomOf(parent, [1, 2000], (transform) => viewer.setTimeZoom(this, transform));
    parent.addEventListener("click", (event) => this.click(event));
    parent.addEventListener("pointermove", (event) =>
      showTip(event.buttons ? null : this.tipAt(event), event),
    );
    parent.addEventListener("pointerleave", (event) => showTip(null, event));
  }

  get width() {
    return this.parent.clientWidth;
  }

  get height() {
    return this.parent.clientHeight;
  }

  /** Of time on the whole width, and zoomed. Panes side by side have one scale. */
  get x() {
    const whole = d3
      .scaleLinear()
      .domain([0, this.viewer.lengthFor(this.movie)])
      .range([timeMargin.left, this.width - timeMargin.right]);
    return this.viewer.timeZoom.rescaleX(whole);
  }

  at(event) {
    const box = this.parent.getBoundingClientRect();
    return [this.x.invert(event.clientX - box.left), event.clientY - box.top];
  }

  drawAxis(context) {
    const x = this.x,
      y = this.height - timeMargin.bottom;
    context.fillStyle = styleColour("ground");
    context.fillRect(0, y, this.width, timeMargin.bottom);
    context.fillRect(0, 0, timeMargin.left, this.height);
    context.strokeStyle = styleColour("soft");
    context.fillStyle = styleColour("soft");
    context.font = "11px system-ui, sans-serif";
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(timeMargin.left, y + 0.5);
    context.lineTo(this.width, y + 0.5);
    context.textAlign = "center";
    context.textBaseline = "top";
    const isSteps = this.movie.unit === "step";
    const ticks = x
      .ticks(Math.max(2, this.width / 90))
      .filter((tick) => !isSteps || (Number.isInteger(tick) && tick < this.movie.steps));
    for (const tick of ticks) {
      context.moveTo(x(tick), y);
      context.lineTo(x(tick), y + 4);
      // A step is named in its middle.
      context.fillText(isSteps ? tick + 1 : d3.format("~s")(tick), x(isSteps ? tick + 0.5 : tick), y + 6);
    }
    context.stroke();
    context.save();
    context.translate(10, y / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(this.rowTitle, 0, -5);
    context.restore();
  }

  /** The line of now. */
  drawTime() {
    const context = cleared(this.over),
      x = this.x(this.viewer.timeOf(this.movie));
    if (x < timeMargin.left) return;
    context.strokeStyle = styleColour("pick");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, this.height - timeMargin.bottom);
    context.stroke();
  }

  drawName(context, text, y, height) {
    if (height < 10) return;
    context.fillStyle = styleColour("soft");
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText(text.length > 7 ? `${text.slice(0, 6)}…` : text, timeMargin.left - 4, y);
  }
}

/** A row for each node that sends, with a bar for each transfer. */
class TransferLines extends TimeView {
  constructor(parent, viewer, movie) {
    super(parent, viewer, movie, "from");
    this.rows = [...new Set(movie.source)].sort((a, b) => a - b);
    this.rowOf = new Map(this.rows.map((node, row) => [node, row]));
    this.assignLanes();
  }

  /** Transfers of one source that overlap in time are beside each other. */
  assignLanes() {
    const { movie } = this;
    this.lane = new Uint16Array(movie.count);
    this.lanes = new Uint16Array(this.rows.length).fill(1);
    const busy = this.rows.map(() => []);
    for (let t = 0; t < movie.count; ++t) {
      const row = this.rowOf.get(movie.source[t]),
        ends = busy[row];
      let lane = ends.findIndex((end) => end <= movie.begin[t] + 1e-6);
      if (lane < 0) lane = ends.length;
      ends[lane] = movie.end[t];
      this.lane[t] = lane;
      this.lanes[row] = Math.max(this.lanes[row], lane + 1);
    }
  }

  /** Rows are zoomed as time is, once they are too thin to be seen. */
  rowPlace(row) {
    const all = this.height - timeMargin.bottom,
      zoom = this.viewer.timeZoom;
    const thin = all / this.rows.length < 6,
      k = thin ? Math.min(zoom.k, 16 / (all / this.rows.length)) : 1;
    const height = (all * k) / this.rows.length;
    const shift = thin ? Math.min(0, Math.max(all - all * k, (zoom.y * k) / Math.max(1, zoom.k))) : 0;
    return { y: shift + row * height, height };
  }

  bar(t, x) {
    const row = this.rowOf.get(this.movie.source[t]),
      { y, height } = this.rowPlace(row),
      part = (height * 0.86) / this.lanes[row];
    const left = Math.max(timeMargin.left, x(this.movie.begin[t]));
    return [
      left,
      y + height * 0.07 + part * this.lane[t],
      Math.max(0.5, x(this.movie.end[t]) - left - (x(1) - x(0) > 6 ? 1 : 0)),
      Math.max(0.5, part - (part > 4 ? 1 : 0)),
    ];
  }

  draw() {
    if (!this.width) return;
    const { movie, viewer } = this,
      context = cleared(this.canvas),
      x = this.x,
      paths = new Map();
    const [from, to] = [x.invert(timeMargin.left), x.invert(this.width)];
    for (let t = 0; t < movie.count; ++t) {
      if (movie.end[t] < from || movie.begin[t] > to || !viewer.shows(movie, t)) continue;
      const bar = this.bar(t, x);
      if (bar[1] > this.height || bar[1] + bar[3] < 0) continue;
      const colour = viewer.colourOf(movie, t);
      if (!paths.has(colour)) paths.set(colour, new Path2D());
      paths.get(colour).rect(...bar);
    }
    for (const [colour, path] of paths) {
      context.fillStyle = colour;
      context.fill(path);
    }
    this.drawPicked(context, x);
    this.drawAxis(context);
    this.rows.forEach((node, row) => {
      const { y, height } = this.rowPlace(row);
      if (y > -height && y < this.height - timeMargin.bottom - 4)
        this.drawName(context, movie.network.nameOf(node), y + height / 2, height);
    });
    this.drawTime();
  }

  /** A frame around what is picked: a transfer, or those over a link or at a node. */
  drawPicked(context, x) {
    const { movie, viewer } = this,
      picked = viewer.pickedIn(movie);
    if (!picked) return;
    const path = new Path2D();
    for (const t of viewer.transfersOfPicked(movie)) if (viewer.shows(movie, t)) path.rect(...this.bar(t, x));
    context.strokeStyle = styleColour("pick");
    context.lineWidth = picked.kind === "transfer" ? 2.5 : 1.5;
    context.stroke(path);
  }

  transferAt(event) {
    const [time, y] = this.at(event),
      x = this.x,
      { movie, viewer } = this;
    return movie.activeAt(time).find((t) => {
      const [, top, , height] = this.bar(t, x);
      return viewer.shows(movie, t) && y >= top && y < top + Math.max(height, 1);
    });
  }

  click(event) {
    const t = this.transferAt(event);
    this.viewer.seek(this.movie, this.at(event)[0]);
    this.viewer.pick(t === undefined ? null : { kind: "transfer", id: t, movie: this.movie });
  }

  tipAt(event) {
    const t = this.transferAt(event);
    return t === undefined ? null : describeTransfer(this.movie, t);
  }
}

/** A row for each link, the most used first, and the share of time in which it is held. */
class HeatMap extends TimeView {
  constructor(parent, viewer, movie) {
    super(parent, viewer, movie, "links");
    this.bins = Math.max(1, movie.unit === "step" ? Math.min(movie.steps, 1000) : 400);
    this.compute();
  }

  /** Again after a change of the filter. */
  compute() {
    const { movie, bins } = this;
    this.heat = movie.heat(bins, this.viewer.maskOf(movie));
    this.use = Float32Array.from({ length: movie.linkCount }, (_, link) => {
      let sum = 0;
      for (let bin = link * bins; bin < (link + 1) * bins; ++bin) sum += this.heat[bin];
      return sum / bins;
    });
    this.rows = d3.range(movie.linkCount).sort((a, b) => this.use[b] - this.use[a] || a - b);
    this.rowOf = new Int32Array(movie.linkCount);
    this.rows.forEach((link, row) => {
      this.rowOf[link] = row;
    });
    this.most = d3.max(this.heat) || 1;
    this.picture = this.pictureOf();
  }

  pictureOf() {
    const { bins, rows, heat, most } = this;
    const picture = element("canvas", { width: bins, height: Math.max(1, rows.length) });
    const image = new ImageData(bins, Math.max(1, rows.length));
    const colours = d3
      .range(65)
      .map((i) => (i === 0 ? d3.rgb(styleColour("raised")) : d3.rgb(heatColour(i / 64))));
    rows.forEach((link, row) => {
      for (let bin = 0; bin < bins; ++bin) {
        const colour = colours[Math.ceil((64 * heat[link * bins + bin]) / most)],
          at = 4 * (row * bins + bin);
        [image.data[at], image.data[at + 1], image.data[at + 2], image.data[at + 3]] = [
          colour.r,
          colour.g,
          colour.b,
          255,
        ];
      }
    });
    picture.getContext("2d").putImageData(image, 0, 0);
    return picture;
  }

  get rowHeight() {
    return (this.height - timeMargin.bottom) / Math.max(1, this.rows.length);
  }

  draw() {
    if (!this.width) return;
    const { movie, viewer } = this,
      context = cleared(this.canvas),
      x = this.x,
      left = x(0),
      right = x(movie.length);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.picture, left, 0, right - left, this.height - timeMargin.bottom);
    const picked = viewer.pickedIn(movie),
      links = picked ? viewer.linksOfPicked(movie) : [];
    context.strokeStyle = styleColour("pick");
    context.lineWidth = 1.5;
    for (const link of links)
      context.strokeRect(left, this.rowOf[link] * this.rowHeight, right - left, Math.max(2, this.rowHeight));
    this.drawAxis(context);
    this.rows.forEach((link, row) =>
      this.drawName(context, movie.nameOfLink(link), (row + 0.5) * this.rowHeight, this.rowHeight),
    );
    this.drawTime();
  }

  linkAt(event) {
    const row = Math.floor(this.at(event)[1] / this.rowHeight);
    return row >= 0 && row < this.rows.length ? this.rows[row] : undefined;
  }

  click(event) {
    const link = this.linkAt(event);
    this.viewer.seek(this.movie, this.at(event)[0]);
    if (link !== undefined) this.viewer.pick({ kind: "link", id: link, movie: this.movie });
  }

  tipAt(event) {
    const link = this.linkAt(event),
      [time] = this.at(event);
    if (link === undefined || time < 0 || time >= this.movie.length) return null;
    const share = this.heat[link * this.bins + Math.floor((time / this.movie.length) * this.bins)];
    const whole = (100 * this.use[link]).toFixed(1);
    const here = (100 * share).toFixed(0);
    return `channel ${this.movie.nameOfLink(link)}\nheld ${here} % here, ${whole} % of all time`;
  }
}
