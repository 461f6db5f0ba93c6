/** The network with what moves over it, on two canvases: what stays behind what moves. */

class NetworkView {
  constructor(stage, viewer, movie) {
    Object.assign(this, { stage, viewer, movie, geometry: new Geometry(movie), zoom: d3.zoomIdentity });
    this.base = sharpCanvas(stage, { "aria-hidden": "true" }, () => this.redraw());
    this.front = sharpCanvas(stage, { "aria-hidden": "true" }, () => this.redraw());
    this.zoomer = zoomOf(stage, [0.5, 40], (transform) => {
      this.zoom = transform;
      this.redraw();
    });
    const hit = (event) => {
      const box = stage.getBoundingClientRect();
      return this.geometry.hit(event.clientX - box.left, event.clientY - box.top);
    };
    stage.addEventListener("click", (event) => viewer.pick(hit(event) && { ...hit(event), movie }));
    stage.addEventListener("pointermove", (event) => {
      if (viewer.isPlaying || event.buttons) return showTip(null);
      const found = hit(event);
      showTip(found ? this.tipOf(found) : null, event);
    });
    stage.addEventListener("pointerleave", (event) => showTip(null, event));
  }

  tipOf({ kind, id }) {
    const { movie, viewer } = this;
    if (kind === "node") return movie.network.titleOf(id);
    const time = viewer.timeOf(movie),
      holders = movie.isEmpty ? [] : movie.holdersOf(id, time).filter((t) => viewer.shows(movie, t));
    return [
      `channel ${movie.nameOfLink(id)}`,
      ...holders.slice(0, 6).map((t) => movie.nameOfTransfer(t)),
    ].join("\n");
  }

  zoomBy(factor) {
    d3.select(this.stage).call(this.zoomer.scaleBy, factor);
  }

  wholeNetwork() {
    d3.select(this.stage).call(this.zoomer.transform, d3.zoomIdentity);
  }

  redraw() {
    const { width, height } = this.stage.getBoundingClientRect();
    if (!width) return;
    this.geometry.place(width, height, this.zoom);
    this.drawBase();
    this.drawFront();
  }

  /** The network; its links by their use, if that is asked for; the bottleneck of the bound. */
  drawBase() {
    const { geometry, movie, viewer } = this,
      context = cleared(this.base);
    const width = Math.max(0.6, Math.min(3, geometry.scale * 0.03));
    context.lineCap = "round";
    const stroke = (links, colour, lineWidth, dash = []) => {
      const path = new Path2D();
      for (const link of links) geometry.trace(path, link);
      context.strokeStyle = colour;
      context.lineWidth = lineWidth;
      context.setLineDash(dash);
      context.stroke(path);
      context.setLineDash([]);
    };
    const all = d3.range(movie.linkCount);
    stroke(all, styleColour("wire"), width);
    this.drawProcessorLinks(context, width);
    if (viewer.showsUse && !movie.isEmpty) {
      const use = viewer.useOf(movie),
        most = d3.max(use) || 1,
        steps = 12;
      for (let step = 1; step <= steps; ++step) {
        const links = all.filter((link) => use[link] > 0 && Math.ceil((steps * use[link]) / most) === step);
        if (links.length) stroke(links, heatColour(step / steps), width * 2 + 1);
      }
    }
    const bottleneck = viewer.showsBound && viewer.bottleneckOf(movie);
    if (bottleneck) {
      const most = d3.max(bottleneck.links, ([, weight]) => weight) || 1;
      for (const [link, weight] of bottleneck.links)
        stroke([link], `${styleColour("bad")}88`, width * 2 + (7 * weight) / most + 2);
    }
    this.drawNodes(context, new Set(bottleneck ? bottleneck.nodes : []));
  }

  /** Which processor is at which router, where the movie has no links of processors. */
  drawProcessorLinks(context, width) {
    const { geometry, movie } = this,
      { network } = movie;
    if (movie.linkCount > network.channelCount) return;
    context.beginPath();
    network.processors.forEach((_, p) => {
      const node = network.routerCount + p;
      for (const [router, isSink] of [
        [network.injection[p], false],
        [network.ejection[p], true],
      ]) {
        context.moveTo(...geometry.at(...network.placeOf(router)));
        context.lineTo(...geometry.at(...network.placeOf(node, isSink)));
      }
    });
    context.strokeStyle = styleColour("line");
    context.lineWidth = width;
    context.stroke();
  }

  drawNodes(context, marked) {
    const {
      geometry,
      movie: { network },
    } = this;
    const radius = geometry.routerRadius,
      side = geometry.processorSide,
      hasNames = geometry.scale > 26;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const outline = (node) => {
      context.strokeStyle = marked.has(node) ? styleColour("bad") : styleColour("soft");
      context.lineWidth = marked.has(node) ? 3 : 0.8;
      if (geometry.scale > 9 || marked.has(node)) context.stroke();
    };
    const name = (node, x, y, size) => {
      const text = network.nameOf(node);
      if (!hasNames || text.length > 12) return;
      context.fillStyle = styleColour("text");
      const fitting = (1.7 * size) / Math.max(1.5, text.length * 0.6);
      context.font = `${Math.max(8, Math.min(size, fitting))}px system-ui, sans-serif`;
      context.fillText(text, x, y);
    };
    for (let router = 0; router < network.routerCount; ++router) {
      const [x, y] = geometry.at(...network.placeOf(router));
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = styleColour("router");
      context.fill();
      outline(router);
      name(router, x, y, radius * 1.1);
    }
    for (let node = network.routerCount; node < network.nodeCount; ++node) {
      const p = node - network.routerCount,
        own = network.processors[p] === network.routers[network.injection[p]];
      const size = own ? side * 0.7 : side * 1.25;
      for (const isSink of network.injection[p] === network.ejection[p] ? [false] : [false, true]) {
        const [x, y] = geometry.at(...network.placeOf(node, isSink));
        context.beginPath();
        context.rect(x - size / 2, y - size / 2, size, size);
        context.fillStyle = styleColour(isSink ? "sink" : "processor");
        context.fill();
        outline(node);
        if (!own) name(node, x, y, size * 0.55);
      }
    }
  }

  /** What moves now: paths in their colours, a dot at each head, blocked ones dashed with a cross. */
  drawFront() {
    const { geometry, movie, viewer } = this,
      context = cleared(this.front);
    context.lineCap = "round";
    if (!movie.isEmpty) this.drawTransfers(context, viewer.timeOf(movie));
    if (movie.failed && viewer.timeOf(movie) >= movie.failed_from) this.drawFailed(context);
    if (viewer.showsStall && movie.stall) this.drawStall(context);
    if (viewer.showsStall && movie.cycle) this.strokeNamed(context, movie.cycle, 7);
    if (movie.violations) this.drawViolations(context);
    this.drawPicked(context);
  }

  drawTransfers(context, time) {
    const { geometry, movie, viewer } = this,
      batches = new Map();
    this.drawn = [];
    movie.visitAt(time, (t) => {
      if (!viewer.shows(movie, t)) return;
      const wanted = movie.waitsFor(t, time),
        colour = viewer.colourOf(movie, t),
        key = wanted < 0 ? colour : `${colour} blocked`;
      if (!batches.has(key))
        batches.set(key, { colour, isBlocked: wanted >= 0, path: new Path2D(), heads: [] });
      const batch = batches.get(key);
      for (let hop = movie.first[t]; hop < movie.first[t + 1]; ++hop)
        if (movie.isHeld(t, hop, time)) geometry.trace(batch.path, movie.link[hop]);
      const head = movie.headOf(t, time);
      if (head) batch.heads.push(geometry.along(movie.link[head.hop], wanted < 0 ? head.along : 1));
      this.drawn.push(t);
    });
    const width = Math.max(1.2, Math.min(5, geometry.scale * 0.06)),
      dot = Math.max(1.5, Math.min(6, geometry.scale * 0.075));
    for (const { colour, isBlocked, path, heads } of batches.values()) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(isBlocked ? [dot * 1.6, dot] : []);
      context.stroke(path);
      context.setLineDash([]);
      const dots = new Path2D();
      for (const [x, y] of heads) {
        if (!isBlocked) {
          dots.moveTo(x + dot, y);
          dots.arc(x, y, dot, 0, 2 * Math.PI);
        } else {
          dots.moveTo(x - dot, y - dot);
          dots.lineTo(x + dot, y + dot);
          dots.moveTo(x - dot, y + dot);
          dots.lineTo(x + dot, y - dot);
        }
      }
      context.fillStyle = colour;
      if (isBlocked) {
        context.strokeStyle = styleColour("bad");
        context.lineWidth = Math.max(2, dot * 0.6);
        context.stroke(dots);
      } else {
        context.fill(dots);
      }
    }
  }

  /** Crosses on the channels that have failed. */
  drawFailed(context) {
    const { geometry } = this,
      path = new Path2D(),
      size = Math.max(4, geometry.scale * 0.12);
    for (const link of this.movie.failed) {
      const [x, y] = geometry.along(link, 0.5);
      path.moveTo(x - size, y - size);
      path.lineTo(x + size, y + size);
      path.moveTo(x - size, y + size);
      path.lineTo(x + size, y - size);
    }
    context.strokeStyle = styleColour("bad");
    context.lineWidth = 3;
    context.stroke(path);
  }

  /** Who waits for whom: held channels solid, the channels that are waited for dashed. */
  drawStall(context) {
    const { cycle } = this.movie.stall;
    this.strokeNamed(
      context,
      cycle.map((edge) => edge.channel),
      7,
    );
    this.strokeNamed(
      context,
      cycle.map((edge) => edge.waits_for),
      3,
      [4, 6],
    );
  }

  /** Marks the channels with these names. */
  strokeNamed(context, names, width, dash = []) {
    const { geometry, movie } = this,
      path = new Path2D();
    for (const name of new Set(names))
      for (let link = 0; link < movie.linkCount; ++link)
        if (linkIsCalled(movie, link, name)) geometry.trace(path, link);
    context.strokeStyle = styleColour("bad");
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke(path);
    context.setLineDash([]);
  }

  /** Where rules are broken, with the numbers of the reasons. */
  drawViolations(context) {
    const { geometry, movie } = this,
      { network } = movie,
      labels = new Map();
    const number = (key, places, i) => {
      const isFree = ([x, y]) =>
        [...labels.values()].every((label) => Math.abs(label.x - x) > 26 || Math.abs(label.y - y) > 20);
      if (!labels.has(key)) {
        const [x, y] = places.find(isFree) || places[0];
        labels.set(key, { x, y, numbers: [] });
      }
      labels.get(key).numbers.push(i + 1);
    };
    const path = new Path2D();
    movie.violations.forEach(({ nodes, links }, i) => {
      for (const link of links) geometry.trace(path, link);
      for (const node of nodes) {
        const [x, y] = geometry.at(...network.placeOf(node));
        path.moveTo(x + geometry.routerRadius + 3, y);
        path.arc(x, y, geometry.routerRadius + 3, 0, 2 * Math.PI);
      }
      if (links.length)
        number(
          `link ${links[0]}`,
          [0.5, 0.3, 0.7, 0.15, 0.85].map((along) => geometry.along(links[0], along)),
          i,
        );
      else if (nodes.length) number(`node ${nodes[0]}`, [geometry.at(...network.placeOf(nodes[0]))], i);
    });
    context.strokeStyle = styleColour("bad");
    context.lineWidth = 3;
    context.stroke(path);
    context.font = "bold 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { x, y, numbers } of labels.values()) {
      const text = numbers.join(", "),
        half = Math.max(9, context.measureText(text).width / 2 + 5);
      context.fillStyle = styleColour("bad");
      context.beginPath();
      context.rect(x - half, y - 9, 2 * half, 18);
      context.fill();
      context.fillStyle = styleColour("ground");
      context.fillText(text, x, y);
    }
  }

  drawPicked(context) {
    const { geometry, movie, viewer } = this,
      picked = viewer.pickedIn(movie);
    if (!picked) return;
    context.strokeStyle = styleColour("pick");
    context.lineWidth = 3;
    const path = new Path2D();
    if (picked.kind === "link") geometry.trace(path, picked.id);
    if (picked.kind === "transfer")
      for (let hop = movie.first[picked.id]; hop < movie.first[picked.id + 1]; ++hop)
        geometry.trace(path, movie.link[hop]);
    if (picked.kind === "node") {
      const [x, y] = geometry.at(...movie.network.placeOf(picked.id));
      path.arc(x, y, geometry.routerRadius * 1.35 + 2, 0, 2 * Math.PI);
    }
    context.stroke(path);
  }
}

/** Simulations call channels `00->01`, and those of processors `P00->00`. */
function linkIsCalled(movie, link, name) {
  const { network } = movie,
    end = (node) => (network.isProcessor(node) ? "P" : "") + network.nameOf(node);
  return `${end(movie.linkSource[link])}->${end(movie.linkTarget[link])}` === name;
}
