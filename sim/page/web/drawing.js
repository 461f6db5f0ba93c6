/** Where a network is on the screen: its links as curves, beside each other where they lead both ways. */

const routerRim = 0.22; // in units of a pitch

class Geometry {
  constructor(movie) {
    const { network } = movie,
      { curves } = network.places;
    this.movie = movie;
    this.world = new Float32Array(8 * movie.linkCount);
    this.world.set(curves.subarray(0, 8 * network.channelCount));
    for (let link = network.channelCount; link < movie.linkCount; ++link) {
      const [x0, y0] = network.placeOf(movie.linkSource[link]),
        [x1, y1] = network.placeOf(movie.linkTarget[link], true);
      // From rim to rim, as the channels are.
      const part = Math.min(0.45, routerRim / Math.max(1e-6, Math.hypot(x1 - x0, y1 - y0)));
      const [from, to] = [
        network.isProcessor(movie.linkSource[link]) ? 0 : part,
        network.isProcessor(movie.linkTarget[link]) ? 1 : 1 - part,
      ];
      for (let k = 0; k < 4; ++k) {
        const at = from + ((to - from) * k) / 3;
        this.world[8 * link + 2 * k] = x0 + (x1 - x0) * at;
        this.world[8 * link + 2 * k + 1] = y0 + (y1 - y0) * at;
      }
    }
    this.screen = new Float32Array(8 * movie.linkCount);
    this.isBent = new Uint8Array(movie.linkCount);
    for (let link = 0; link < movie.linkCount; ++link)
      this.isBent[link] = Number(isCurved(this.world, 8 * link));
    const { routers, sources, sinks } = network.places;
    const all = [...routers, ...sources, ...sinks],
      xs = all.filter((_, i) => i % 2 === 0),
      ys = all.filter((_, i) => i % 2);
    this.box = [d3.min(xs) - 0.6, d3.min(ys) - 0.6, d3.max(xs) + 0.6, d3.max(ys) + 0.6];
  }

  /** For a stage of this size, and a zoom. */
  place(width, height, zoom) {
    const [left, top, right, bottom] = this.box;
    const scale = Math.min(width / (right - left), height / (bottom - top), 110);
    this.scale = scale * zoom.k;
    this.x0 = zoom.x + zoom.k * ((width - scale * (right - left)) / 2 - scale * left);
    this.y0 = zoom.y + zoom.k * ((height - scale * (bottom - top)) / 2 - scale * top);
    const aside = Math.max(0.7, Math.min(5, this.scale * 0.05)),
      { world, screen } = this;
    this.aside = aside;
    for (let i = 0; i < screen.length; i += 8) {
      const dx = world[i + 6] - world[i],
        dy = world[i + 7] - world[i + 1],
        size = Math.hypot(dx, dy) || 1;
      for (let k = 0; k < 8; k += 2) {
        screen[i + k] = this.x0 + this.scale * world[i + k] - (aside * dy) / size;
        screen[i + k + 1] = this.y0 + this.scale * world[i + k + 1] + (aside * dx) / size;
      }
    }
  }

  at(x, y) {
    return [this.x0 + this.scale * x, this.y0 + this.scale * y];
  }

  /** Adds a link to a path that is drawn. */
  trace(path, link) {
    const s = this.screen,
      i = 8 * link;
    path.moveTo(s[i], s[i + 1]);
    if (this.isBent[link]) path.bezierCurveTo(s[i + 2], s[i + 3], s[i + 4], s[i + 5], s[i + 6], s[i + 7]);
    else path.lineTo(s[i + 6], s[i + 7]);
  }

  /** A place on a link, `along` from 0 to 1. */
  along(link, along) {
    const s = this.screen,
      i = 8 * link,
      u = 1 - along;
    const [a, b, c, d] = [u * u * u, 3 * u * u * along, 3 * u * along * along, along * along * along];
    return [
      a * s[i] + b * s[i + 2] + c * s[i + 4] + d * s[i + 6],
      a * s[i + 1] + b * s[i + 3] + c * s[i + 5] + d * s[i + 7],
    ];
  }

  get routerRadius() {
    return Math.max(1.2, 0.2 * this.scale);
  }

  get processorSide() {
    return Math.max(1.2, 0.2 * this.scale);
  }

  /** What is there: {kind: "node" or "link", id}, or null. */
  hit(x, y) {
    const { movie } = this,
      { network } = movie;
    let best = null,
      least = Infinity;
    const consider = (kind, id, px, py, reach) => {
      const distance = Math.hypot(px - x, py - y);
      if (distance < reach && distance < least) [best, least] = [{ kind, id }, distance];
    };
    for (let node = 0; node < network.nodeCount; ++node) {
      const reach = network.isProcessor(node) ? this.processorSide * 0.7 : this.routerRadius;
      consider("node", node, ...this.at(...network.placeOf(node)), reach);
      if (network.isProcessor(node))
        consider("node", node, ...this.at(...network.placeOf(node, true)), reach);
    }
    if (best) return best;
    for (let link = 0; link < movie.linkCount; ++link)
      for (let k = 1; k < 16; ++k) consider("link", link, ...this.along(link, k / 16), 9);
    return best;
  }
}

function isCurved(points, i) {
  const dx = points[i + 6] - points[i],
    dy = points[i + 7] - points[i + 1],
    size = Math.hypot(dx, dy) || 1;
  return Math.abs((points[i + 2] - points[i]) * dy - (points[i + 3] - points[i + 1]) * dx) / size > 1e-3;
}
