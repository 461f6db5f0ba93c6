/** What is said of what is picked, and of what moves now: numbers of the data, in words. */

const mostTransfersListed = 100;

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}

/** `step 2 to 3`, `cycle 10 to 32`. */
function timesOf(movie, t) {
  return movie.unit === "step"
    ? `step ${movie.step[t] + 1}`
    : `cycles ${shown(movie.begin[t])} to ${shown(movie.end[t])}`;
}

function describeTransfer(movie, t) {
  const lines = [`${movie.nameOfTransfer(t)}, ${timesOf(movie, t)}`];
  if (!movie.holdBegin)
    lines.push(`chunk ${movie.chunk[t]}${movie.adds && movie.adds[t] ? ", added at its destination" : ""}`);
  else if (movie.steps > 1) lines.push(`for step ${movie.step[t] + 1}`);
  lines.push(`${movie.first[t + 1] - movie.first[t]} links`);
  return lines.join("\n");
}

function transferTable(movie, viewer, transfers, caption) {
  const { network } = movie,
    columns = ["from", "to", movie.holdBegin ? "for step" : "chunk", "when", "path"];
  const path = (t) => {
    const links = movie.link.subarray(movie.first[t], movie.first[t + 1]);
    return links.length
      ? [movie.linkSource[links[0]], ...[...links].map((link) => movie.linkTarget[link])]
          .map((node) => network.nameOf(node))
          .join(" → ")
      : "within the processor";
  };
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption, style: "max-height:16rem" },
    element(
      "table",
      {},
      element("caption", { class: "hidden-text" }, caption),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          columns.map((name) => element("th", { scope: "col" }, name)),
        ),
      ),
      element(
        "tbody",
        {},
        transfers.slice(0, mostTransfersListed).map((t) =>
          element(
            "tr",
            {},
            element(
              "td",
              {},
              element(
                "button",
                {
                  type: "button",
                  "aria-label": `Pick ${movie.nameOfTransfer(t)}, ${timesOf(movie, t)}`,
                  click: () => viewer.pick({ kind: "transfer", id: t, movie }),
                },
                network.nameOf(movie.source[t]),
              ),
            ),
            element("td", {}, network.nameOf(movie.destination[t])),
            element("td", { class: "number" }, movie.holdBegin ? movie.step[t] + 1 : movie.chunk[t]),
            element("td", {}, timesOf(movie, t)),
            element("td", { class: "text" }, path(t)),
          ),
        ),
      ),
    ),
  );
}

function factList(facts) {
  return element(
    "dl",
    {},
    facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [element("dt", {}, name), element("dd", { "data-fact": name }, value)]),
  );
}

/** Of a link: what passes there, how long it is held, who has it now. */
function linkDetails(movie, viewer, link) {
  const over = movie.transfersOver(link).filter((t) => viewer.shows(movie, t)),
    time = viewer.timeOf(movie);
  const now = movie.holdersOf(link, time).filter((t) => viewer.shows(movie, t));
  let held = 0;
  for (const t of over)
    for (let hop = movie.first[t]; hop < movie.first[t + 1]; ++hop)
      if (movie.link[hop] === link) held += movie.endOf(t, hop) - movie.beginOf(t, hop);
  return [
    element("h3", {}, `Channel ${movie.nameOfLink(link)}`),
    factList([
      ["transfers", shown(over.length)],
      ["held", `${shown(held)} ${movie.unit}s of ${shown(movie.length)}`],
      ["use", `${((100 * held) / movie.length).toFixed(1)} %`],
      ["now", now.length ? now.map((t) => movie.nameOfTransfer(t)).join("; ") : "free"],
    ]),
    transferTable(movie, viewer, over, `Transfers over ${movie.nameOfLink(link)}`),
  ];
}

function nodeDetails(movie, viewer, node) {
  const there = movie.transfersAt(node).filter((t) => viewer.shows(movie, t));
  const sent = there.filter((t) => movie.source[t] === node).length,
    received = there.filter((t) => movie.destination[t] === node).length;
  const isRouter = !movie.network.isProcessor(node);
  return [
    element("h3", {}, sentence(movie.network.titleOf(node)).slice(0, -1)),
    factList([
      ["sent", isRouter ? null : shown(sent)],
      ["received", isRouter ? null : shown(received)],
      ["passing", isRouter ? shown(there.length) : null],
    ]),
    transferTable(movie, viewer, there, `Transfers at ${movie.network.titleOf(node)}`),
  ];
}

function transferDetails(movie, viewer, t) {
  const time = viewer.timeOf(movie),
    wanted = movie.waitsFor(t, time);
  const isNow = movie.begin[t] <= time && time < movie.end[t];
  const holders =
    wanted < 0 || !isNow ? [] : movie.holdersOf(movie.link[wanted], time).filter((other) => other !== t);
  return [
    element("h3", {}, movie.nameOfTransfer(t)),
    element("p", {}, describeTransfer(movie, t).split("\n").slice(1).join(", ")),
    isNow && wanted >= 0
      ? element(
          "p",
          { class: "bad" },
          `Waits for channel ${movie.nameOfLink(movie.link[wanted])}` +
            (holders.length
              ? `, which ${holders.map((other) => movie.nameOfTransfer(other)).join("; ")} holds`
              : "") +
            ".",
        )
      : null,
    transferTable(movie, viewer, [t], "The transfer"),
  ];
}

/** The panel of what is picked. */
function pickedDetails(viewer) {
  const { picked } = viewer;
  if (!picked)
    return [
      element(
        "p",
        { class: "soft" },
        "Pick a channel, a router, a processor or a bar: with the pointer, or by name.",
      ),
    ];
  const details = { link: linkDetails, node: nodeDetails, transfer: transferDetails }[picked.kind](
    picked.movie,
    viewer,
    picked.id,
  );
  return [
    ...details,
    element(
      "div",
      { class: "bar" },
      element("button", { type: "button", click: () => viewer.pick(null) }, "Nothing picked"),
    ),
  ];
}

/** The circular wait of a run that made no progress, and the bound. */
function stallDetails(movie) {
  const { stall } = movie;
  return [
    element("h3", {}, `${movie.name}: no progress after ${shown(stall.time_ns)} ns`),
    element("p", {}, stall.reason),
    stall.cycle.length
      ? element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              ["message", "holds", "waits for"].map((name) => element("th", { scope: "col" }, name)),
            ),
          ),
          element(
            "tbody",
            {},
            stall.cycle.map((edge) =>
              element(
                "tr",
                {},
                [edge.message, edge.channel, edge.waits_for].map((text) =>
                  element("td", { class: "text" }, withArrows(text)),
                ),
              ),
            ),
          ),
        )
      : null,
  ];
}

/** Which channels the bound counts; `name`: of the movie, where there are several. */
function boundDetails(name, bottleneck, isShown) {
  const count = bottleneck.links.length;
  if (!count) return null;
  const why = [bottleneck.kind, bottleneck.reason].filter(Boolean).join(": ");
  return element(
    "p",
    {},
    `${name ? `${name}: the` : "The"} lower bound (${why}) counts ${shown(count)} channels` +
      (isShown
        ? ", which have a broad band; broader, the more they count."
        : "; Bottleneck of the bound, under Colours, zoom, filters, marks them."),
  );
}
