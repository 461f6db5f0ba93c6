/** One movie on the page: network, transfers over time, use of links. */

class Pane {
  constructor(viewer, movie) {
    Object.assign(this, { viewer, movie });
    const { network } = movie;
    this.stage = element("div", {
      class: "stage",
      role: "img",
      "aria-label":
        `Network ${network.name}: ${network.routerCount} routers, ` +
        `${network.processors.length} processors, ${network.channelCount} channels. ${movie.name}.`,
    });
    this.now = element("p", { class: "caption" });
    this.element = element(
      "section",
      { class: "pane" },
      element(
        "h3",
        {},
        movie.name.includes(network.name)
          ? movie.name
          : `${movie.name || "network"}${movie.failed ? " fails" : ""} on ${network.name}`,
      ),
      element("div", {}, this.stage, this.now),
    );
    this.view = new NetworkView(this.stage, viewer, movie);
    this.element.classList.toggle("still", movie.isEmpty);
    if (movie.isEmpty) return;
    const lines = element("div", {
      class: "time lines",
      role: "img",
      "aria-label": "Transfers by source over time",
    });
    const heat = element("div", {
      class: "time heat",
      role: "img",
      "aria-label": "Use of the channels over time, the most used first",
    });
    this.element.append(
      element(
        "div",
        {},
        lines,
        element("p", { class: "caption" }, `Transfers by source over ${movie.unit}s`),
        heat,
        element("p", { class: "caption" }, "Channels, the most used first: how long they are held"),
      ),
    );
    this.heat = new HeatMap(heat, viewer, movie);
    this.lines = new TransferLines(lines, viewer, movie);
  }

  /** After a change of the time only. */
  showTime() {
    this.view.drawFront();
    if (this.movie.isEmpty) return;
    this.lines.drawTime();
    this.heat.drawTime();
    this.now.textContent = this.nowText();
  }

  nowText() {
    const { movie, viewer } = this,
      time = viewer.timeOf(movie);
    const where =
      movie.unit === "step"
        ? `step ${Math.min(movie.steps, Math.floor(time) + 1)} of ${movie.steps}`
        : `cycle ${shown(Math.floor(time))} of ${shown(movie.length)}`;
    const drawn = this.view.drawn || [],
      blocked = drawn.filter((t) => movie.waitsFor(t, time) >= 0).length;
    return (
      `${where}: ${shown(drawn.length)} transfers under way` +
      (movie.holdBegin ? `, ${shown(blocked)} of them blocked` : "")
    );
  }

  redraw() {
    this.view.redraw();
    if (this.movie.isEmpty) return;
    this.lines.draw();
    this.heat.draw();
    this.now.textContent = this.nowText();
  }

  refilter() {
    if (this.heat) this.heat.compute();
  }
}
