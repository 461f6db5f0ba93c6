/**
 * What moves over a network when. Transfers are in the order of their beginnings; `first[t]` to
 * `first[t + 1]` are the hops of transfer t in `link`, in a recorded run also in `holdBegin` and `holdEnd`.
 */
class Movie {
  static async of(json, networks) {
    const movie = Object.assign(new Movie(), json);
    movie.network = networks[json.network];
    const transfers = await unpackedMembers(json.transfers);
    const paths = await unpackedMembers(json.paths);
    const ends = await unpackedMembers({ source: json.link_source, target: json.link_target });
    Object.assign(movie, {
      count: transfers.count,
      source: transfers.source,
      destination: transfers.destination,
      chunk: transfers.chunk,
      step: transfers.step,
      adds: transfers.adds || null,
    });
    movie.linkSource = [...movie.network.from, ...ends.source];
    movie.linkTarget = [...movie.network.to, ...ends.target];
    movie.linkCount = movie.linkSource.length;
    movie.first = new Uint32Array(movie.count + 1);
    for (let t = 0; t < movie.count; ++t) movie.first[t + 1] = movie.first[t] + paths.hops[t];
    movie.link = paths.links || linksOfPorts(movie, paths.ports);
    movie.holdBegin = paths.begin || null;
    movie.holdEnd = paths.end || null;
    movie.begin = transfers.begin || Float32Array.from(transfers.step);
    movie.end = transfers.end || Float32Array.from(transfers.step, (step) => step + 1);
    movie.length = Math.max(json.length, 1e-9);
    movie.buckets = bucketsOf(movie);
    if (movie.holdBegin) movie.shortest = shortestCrossings(movie);
    return movie;
  }

  get isEmpty() {
    return this.count === 0;
  }

  /** `00->01`, with how many the same names have if there are several. */
  nameOfLink(link) {
    return `${this.network.nameOf(this.linkSource[link])}→${this.network.nameOf(this.linkTarget[link])}`;
  }

  nameOfTransfer(t) {
    return `${this.network.nameOf(this.source[t])} to ${this.network.nameOf(this.destination[t])}`;
  }

  /** Calls `visit` for all transfers under way at a time. */
  visitAt(time, visit) {
    const { bounds, list, width } = this.buckets;
    const bucket = Math.min(bounds.length - 2, Math.max(0, Math.floor(time / width)));
    for (let i = bounds[bucket]; i < bounds[bucket + 1]; ++i) {
      const t = list[i];
      if (this.begin[t] <= time && time < this.end[t]) visit(t);
    }
  }

  activeAt(time) {
    const active = [];
    this.visitAt(time, (t) => active.push(t));
    return active;
  }

  /** Is the link of this hop held at the time? */
  isHeld(t, hop, time) {
    return this.holdBegin
      ? this.holdBegin[hop] <= time && time < this.holdEnd[hop]
      : this.begin[t] <= time && time < this.end[t];
  }

  beginOf(t, hop) {
    return this.holdBegin ? this.holdBegin[hop] : this.begin[t];
  }

  endOf(t, hop) {
    return this.holdEnd ? this.holdEnd[hop] : this.end[t];
  }

  /** The last hop whose link the head has, and how far along it is, 0 to 1; null without a path. */
  headOf(t, time) {
    const begin = this.first[t],
      end = this.first[t + 1];
    if (begin === end) return null;
    if (!this.holdBegin) {
      const along =
        Math.min(0.9999, (time - this.begin[t]) / Math.max(1e-9, this.end[t] - this.begin[t])) *
        (end - begin);
      return { hop: begin + Math.floor(along), along: along - Math.floor(along) };
    }
    let hop = begin;
    while (hop + 1 < end && this.holdBegin[hop + 1] <= time) ++hop;
    const crossing = hop + 1 < end ? this.shortest[this.link[hop + 1]] : 1;
    return { hop, along: Math.min(1, (time - this.holdBegin[hop]) / Math.max(1, crossing)) };
  }

  /**
   * The hop that the head of a message of a run cannot get at a time: it has waited longer than the
   * shortest crossing onto that link that the run has. -1 if it does not wait.
   */
  waitsFor(t, time) {
    if (!this.holdBegin) return -1;
    const { hop } = this.headOf(t, time) || { hop: -1 };
    if (hop < 0 || hop + 1 >= this.first[t + 1]) return -1;
    return time - this.holdBegin[hop] > this.shortest[this.link[hop + 1]] + 0.5 ? hop + 1 : -1;
  }

  /** Who holds a link at a time: the transfers. */
  holdersOf(link, time) {
    return this.activeAt(time).filter((t) => {
      for (let hop = this.first[t]; hop < this.first[t + 1]; ++hop)
        if (this.link[hop] === link && this.isHeld(t, hop, time)) return true;
      return false;
    });
  }

  uses(t, link) {
    for (let hop = this.first[t]; hop < this.first[t + 1]; ++hop) if (this.link[hop] === link) return true;
    return false;
  }

  /** Transfers over a link, all of them. */
  transfersOver(link) {
    const found = [];
    for (let t = 0; t < this.count; ++t) if (this.uses(t, link)) found.push(t);
    return found;
  }

  /** Transfers that begin, end or pass at a node. */
  transfersAt(node) {
    const found = [];
    for (let t = 0; t < this.count; ++t) {
      let isThere = this.source[t] === node || this.destination[t] === node;
      for (let hop = this.first[t]; hop < this.first[t + 1] && !isThere; ++hop)
        isThere = this.linkSource[this.link[hop]] === node || this.linkTarget[this.link[hop]] === node;
      if (isThere) found.push(t);
    }
    return found;
  }

  /**
   * How long each link is held in each of `bins` parts of the time, as a share; one row of bins after
   * another.
   */
  heat(bins, mask) {
    const heat = new Float32Array(this.linkCount * bins),
      width = this.length / bins;
    for (let t = 0; t < this.count; ++t) {
      if (mask && !mask[t]) continue;
      for (let hop = this.first[t]; hop < this.first[t + 1]; ++hop) {
        const begin = this.beginOf(t, hop),
          end = this.endOf(t, hop),
          row = this.link[hop] * bins;
        const last = Math.min(bins - 1, Math.ceil(end / width) - 1);
        for (let bin = Math.floor(begin / width); bin <= last; ++bin)
          heat[row + bin] += (Math.min(end, (bin + 1) * width) - Math.max(begin, bin * width)) / width;
      }
    }
    return heat;
  }
}

/** Schedules of messages name of each hop the port of its router. */
function linksOfPorts(movie, ports) {
  const { network } = movie;
  const links = movie.linkCount <= 65536 ? new Uint16Array(ports.length) : new Uint32Array(ports.length);
  for (let t = 0; t < movie.count; ++t) {
    let router = network.injection[movie.source[t] - network.routerCount];
    for (let hop = movie.first[t]; hop < movie.first[t + 1]; ++hop) {
      links[hop] = network.outgoing[router][ports[hop]];
      router = network.to[links[hop]];
    }
  }
  return links;
}

/** Equal parts of the time with the transfers that are under way in each. */
function bucketsOf(movie) {
  const count = Math.max(1, Math.min(movie.holdBegin || movie.unit === "cycle" ? 1024 : movie.steps, 4096));
  const width = movie.length / count;
  const range = (t) => [
    Math.min(count - 1, Math.floor(movie.begin[t] / width)),
    Math.max(0, Math.min(count - 1, Math.ceil(movie.end[t] / width) - 1)),
  ];
  const bounds = new Uint32Array(count + 1);
  for (let t = 0; t < movie.count; ++t) {
    const [begin, end] = range(t);
    for (let b = begin; b <= end; ++b) ++bounds[b + 1];
  }
  for (let b = 0; b < count; ++b) bounds[b + 1] += bounds[b];
  const list = new Uint32Array(bounds[count]),
    next = bounds.slice();
  for (let t = 0; t < movie.count; ++t) {
    const [begin, end] = range(t);
    for (let b = begin; b <= end; ++b) list[next[b]++] = t;
  }
  return { bounds, list, width };
}

/** For each link the fewest cycles that a head took onto it from the link before. */
function shortestCrossings(movie) {
  const shortest = new Float32Array(movie.linkCount).fill(Infinity);
  let least = Infinity;
  for (let t = 0; t < movie.count; ++t)
    for (let hop = movie.first[t] + 1; hop < movie.first[t + 1]; ++hop) {
      const gap = movie.holdBegin[hop] - movie.holdBegin[hop - 1];
      shortest[movie.link[hop]] = Math.min(shortest[movie.link[hop]], gap);
      least = Math.min(least, gap);
    }
  return shortest.map((gap) => (gap === Infinity ? least : gap));
}
