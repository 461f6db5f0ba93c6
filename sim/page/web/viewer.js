/** The viewer: one or two movies with one time, one pick and one filter. */

const secondsOfCycles = 20,
  secondsOfStep = 1.2;

class Viewer {
  constructor(movies) {
    Object.assign(this, {
      movies,
      time: 0,
      isPlaying: false,
      speed: 1,
      picked: null,
      timeZoom: d3.zoomIdentity,
      panes: [],
      frames: [],
      filter: { source: "", destination: "", chunk: "", step: "" },
      colourBy: "source",
      showsUse: false,
      showsBound: true,
      showsStall: true,
    });
    this.masks = new Map();
    this.element = element(
      "section",
      { id: "viewer", "aria-labelledby": "viewer-title" },
      element("h2", { id: "viewer-title" }, "The network"),
    );
    buildControls(this);
    this.choose(this.pairAtFirst());
    this.setTime(this.timeAtFirst());
    onTheme(() => {
      this.refilter();
      this.redraw();
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Two runs out of one file are side by side, or else the first two movies. */
  pairAtFirst() {
    const { movies } = this;
    for (let i = 0; i + 1 < movies.length; ++i) if (movies[i].file === movies[i + 1].file) return [i, i + 1];
    return [0, movies.length > 1 ? 1 : -1];
  }

  /** When something moves: a run begins with a start-up, in which nothing is seen. */
  timeAtFirst() {
    const [movie] = this.shownMovies;
    if (movie.isEmpty || movie.unit === "step" || !this.hasOneUnit) return 0;
    return (movie.begin[0] + movie.end[0]) / 2;
  }

  /** Of the movie, or of another one of its network. */
  bottleneckOf(movie) {
    const found = movie.bottleneck
      ? movie
      : this.movies.find((other) => other.network === movie.network && other.bottleneck);
    return found ? found.bottleneck : null;
  }

  /** Shows the movies of these numbers; -1 is none. */
  choose(numbers) {
    this.play(false);
    this.leftSelect.lastChild.value = numbers[0];
    this.rightSelect.lastChild.value = numbers[1];
    const chosen = numbers
      .filter((number, i) => number >= 0 && numbers.indexOf(number) === i)
      .map((number) => this.movies[number]);
    this.panes = [];
    this.picked = null;
    this.panesElement.classList.toggle("one", chosen.length === 1);
    this.panes = chosen.map((movie) => new Pane(this, movie));
    this.panesElement.replaceChildren(...this.panes.map((pane) => pane.element));
    const isEmpty = chosen.every((movie) => movie.isEmpty);
    for (const each of [this.controls, this.filterBar, this.moving, this.keys]) each.hidden = isEmpty;
    this.notes.replaceChildren(
      ...chosen
        .flatMap((movie) => [
          movie.transfers_left_out
            ? element(
                "p",
                { class: "bad" },
                `${movie.name}: the last ${shown(movie.transfers_left_out)} transfers are left out of this ` +
                  "page, " +
                  `which would be too large; ${shown(movie.count)} are in it.`,
              )
            : null,
          this.bottleneckOf(movie) && !movie.violations
            ? boundDetails(chosen.length > 1 ? movie.name : "", this.bottleneckOf(movie), this.showsBound)
            : null,
          ...(movie.stall ? stallDetails(movie) : []),
          movie.cycle
            ? element("p", { class: "caption" }, "Marked: channels that can wait for each other in a cycle.")
            : null,
        ])
        .filter(Boolean),
    );
    const { network } = chosen[0];
    this.names.replaceChildren(
      ...[
        ...d3.range(network.nodeCount).map((node) => network.titleOf(node)),
        ...d3.range(chosen[0].linkCount).map((link) => `channel ${chosen[0].nameOfLink(link)}`),
      ]
        .slice(0, 6000)
        .map((value) => element("option", { value })),
    );
    this.setTime(0);
    this.pick(null);
  }

  get shownMovies() {
    return this.panes.map((pane) => pane.movie);
  }

  /**
   * Have all that are shown the same unit of time? Then they have one scale; otherwise shares of the whole.
   */
  get hasOneUnit() {
    return new Set(this.shownMovies.map((movie) => movie.unit)).size === 1;
  }

  get length() {
    return this.hasOneUnit ? d3.max(this.shownMovies, (movie) => movie.length) : 1;
  }

  lengthFor(movie) {
    return this.hasOneUnit && this.panes.length ? this.length : movie.length;
  }

  timeOf(movie) {
    const time = this.hasOneUnit ? this.time : this.time * movie.length;
    return Math.min(time, movie.length * (1 - 1e-7));
  }

  setTime(time) {
    this.time = Math.max(0, Math.min(this.length, time));
    this.slider.value = (1000 * this.time) / this.length;
    this.panes.forEach((pane) => pane.showTime());
    this.slider.setAttribute("aria-valuetext", this.panes.map((pane) => pane.now.textContent).join("; "));
    if (this.isPlaying) return;
    this.live.textContent = this.panes.map((pane) => pane.now.textContent).join("; ");
    this.showDetails();
    this.listMoving();
  }

  seek(movie, time) {
    this.setTime(this.hasOneUnit ? time : time / movie.length);
  }

  /** To the next step or cycle, or the one before. */
  step(direction) {
    this.play(false);
    const unit = this.hasOneUnit
      ? 1
      : this.length / Math.max(...this.shownMovies.map((movie) => movie.steps || 100));
    const last = this.hasOneUnit && this.shownMovies[0].unit === "step" ? this.length - unit : this.length;
    this.setTime(Math.max(0, Math.min(last, (Math.floor(this.time / unit + 1e-6) + direction) * unit)));
  }

  play(isPlaying) {
    if (isPlaying === this.isPlaying) return;
    this.isPlaying = isPlaying;
    this.playButton.textContent = isPlaying ? "⏸ Pause" : "▶ Play";
    if (!isPlaying) return this.setTime(this.time);
    showTip(null);
    if (this.time >= this.length * 0.9999) this.time = 0;
    let before = null;
    this.frames = [];
    const frame = (now) => {
      if (!this.isPlaying) return;
      this.frames.push(now);
      if (this.frames.length > 600) this.frames.shift();
      const seconds = before === null ? 0 : Math.min(0.25, (now - before) / 1000);
      before = now;
      this.setTime(this.time + seconds * this.speed * this.unitsPerSecond());
      if (this.time >= this.length) return this.play(false);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  unitsPerSecond() {
    const isSteps = this.hasOneUnit && this.shownMovies[0].unit === "step";
    return isSteps ? Math.max(1 / secondsOfStep, this.length / 120) : this.length / secondsOfCycles;
  }

  key(event) {
    if (
      /^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName) &&
      !(event.target === this.slider && event.key === " ")
    )
      return;
    const actions = {
      " ": () => this.play(!this.isPlaying),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.setTime(0),
      End: () => this.setTime(this.length),
      "+": () => this.panes.forEach((pane) => pane.view.zoomBy(1.4)),
      "-": () => this.panes.forEach((pane) => pane.view.zoomBy(1 / 1.4)),
      Escape: () => this.pick(null),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  setFilter(filter) {
    this.filter = filter;
    this.refilter();
    this.redraw();
  }

  refilter() {
    this.masks.clear();
    this.panes.forEach((pane) => pane.refilter());
  }

  maskOf(movie) {
    if (!this.masks.has(movie)) this.masks.set(movie, maskOfFilter(movie, this.filter));
    return this.masks.get(movie);
  }

  shows(movie, t) {
    const mask = this.maskOf(movie);
    return !mask || mask[t] === 1;
  }

  colourOf(movie, t) {
    const { routerCount } = movie.network,
      count = movie.network.processors.length;
    const node = (id) => [id >= routerCount ? id - routerCount : id, count];
    return colourOf(
      ...{
        source: () => node(movie.source[t]),
        destination: () => node(movie.destination[t]),
        chunk: () => [movie.chunk[t], d3.max([movie.steps, count])],
        step: () => [movie.step[t], movie.steps || 1],
      }[this.colourBy](),
    );
  }

  useOf(movie) {
    return this.panes.find((pane) => pane.movie === movie).heat.use;
  }

  pick(picked) {
    this.picked = picked;
    this.redraw();
  }

  pickByName(text) {
    const [movie] = this.shownMovies,
      { network } = movie;
    const node = d3.range(network.nodeCount).find((each) => network.titleOf(each) === text);
    const link = d3.range(movie.linkCount).find((each) => `channel ${movie.nameOfLink(each)}` === text);
    if (node !== undefined) this.pick({ kind: "node", id: node, movie });
    else if (link !== undefined) this.pick({ kind: "link", id: link, movie });
  }

  /** What is picked is picked in every movie of the same network, but for transfers. */
  pickedIn(movie) {
    const { picked } = this;
    if (!picked || picked.movie === movie) return picked;
    const isSame =
      picked.movie.network === movie.network &&
      (picked.kind === "node" || (picked.kind === "link" && picked.id < movie.linkCount));
    return isSame ? picked : null;
  }

  transfersOfPicked(movie) {
    const picked = this.pickedIn(movie);
    if (!picked) return [];
    return {
      transfer: () => [picked.id],
      link: () => movie.transfersOver(picked.id),
      node: () => movie.transfersAt(picked.id),
    }[picked.kind]();
  }

  linksOfPicked(movie) {
    const picked = this.pickedIn(movie);
    if (picked.kind === "link") return [picked.id];
    if (picked.kind === "transfer")
      return [...movie.link.subarray(movie.first[picked.id], movie.first[picked.id + 1])];
    return d3
      .range(movie.linkCount)
      .filter((link) => movie.linkSource[link] === picked.id || movie.linkTarget[link] === picked.id);
  }

  /** From one of the views over time; all of them follow. */
  setTimeZoom(view, transform) {
    this.timeZoom = transform;
    for (const pane of this.panes)
      for (const other of [pane.lines, pane.heat])
        if (other) {
          if (other !== view) other.parent.__zoom = transform;
          other.draw();
        }
  }

  zoomTime(factor) {
    const view = this.panes.map((pane) => pane.lines).find(Boolean);
    if (view) d3.select(view.parent).call(view.zoomer.scaleBy, factor);
  }

  showDetails() {
    this.details.replaceChildren(...pickedDetails(this).filter(Boolean));
  }

  listMoving() {
    if (!this.moving.open || this.isPlaying) return;
    while (this.moving.children.length > 1) this.moving.lastChild.remove();
    for (const { movie } of this.panes) {
      const active = movie.isEmpty
        ? []
        : movie.activeAt(this.timeOf(movie)).filter((t) => this.shows(movie, t));
      this.moving.append(
        element("p", {}, `${movie.name}: ${shown(active.length)} transfers`),
        transferTable(movie, this, active, `${movie.name}, now`),
      );
    }
  }

  showLegend() {
    const [movie] = this.shownMovies,
      count = {
        source: movie.network.processors.length,
        destination: movie.network.processors.length,
        chunk: d3.max([movie.steps, movie.network.processors.length]),
        step: movie.steps,
      }[this.colourBy];
    const entry = (colour, text) =>
      element("span", {}, element("span", { class: "swatch", style: `background:${colour}` }), text);
    const names = (i) =>
      this.colourBy === "step"
        ? `step ${i + 1}`
        : this.colourBy === "chunk"
          ? `chunk ${i}`
          : movie.network.processors[i];
    this.legend.replaceChildren(
      ...(movie.isEmpty ? [] : d3.range(Math.min(count, 16)).map((i) => entry(colourOf(i, count), names(i)))),
      count > 16 && !movie.isEmpty ? `and ${count - 16} more` : "",
      ...(this.showsUse
        ? [entry(heatColour(0.1), "channels of little use"), entry(heatColour(1), "of most use")]
        : []),
    );
  }

  redraw() {
    if (!this.panes.length) return;
    this.panes.forEach((pane) => pane.redraw());
    this.showLegend();
    this.showDetails();
    this.listMoving();
  }
}
