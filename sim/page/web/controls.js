/** The controls of the viewer: time, what is shown side by side, how it looks, filters, picking by name. */

function buildControls(viewer) {
  const button = (text, label, click) =>
    element("button", { type: "button", "aria-label": label, title: label, click }, text);
  viewer.playButton = button("▶ Play", null, () => viewer.play(!viewer.isPlaying));
  viewer.playButton.removeAttribute("aria-label");
  viewer.slider = element("input", {
    class: "grow",
    type: "range",
    min: 0,
    max: 1000,
    step: "any",
    value: 0,
    "aria-label": "Time",
    input: () => viewer.setTime((viewer.slider.value / 1000) * viewer.length),
  });
  const speed = element(
    "label",
    {},
    "speed",
    element(
      "select",
      {
        change: (event) => {
          viewer.speed = Number(event.target.value);
        },
      },
      [0.1, 0.25, 0.5, 1, 2, 4, 10].map((value) =>
        element("option", { value, selected: value === 1 }, `${value}×`),
      ),
    ),
  );
  const colour = element(
    "label",
    {},
    "colour by",
    element(
      "select",
      {
        change: (event) => {
          viewer.colourBy = event.target.value;
          viewer.redraw();
        },
      },
      ["source", "destination", "chunk", "step"].map((name) => element("option", { value: name }, name)),
    ),
  );
  const toggle = (text, member) => {
    const made = element(
      "button",
      {
        type: "button",
        "aria-pressed": String(viewer[member]),
        click: () => {
          viewer[member] = !viewer[member];
          made.setAttribute("aria-pressed", String(viewer[member]));
          viewer.redraw();
        },
      },
      text,
    );
    return made;
  };
  viewer.leftSelect = movieSelect(viewer, "left");
  viewer.rightSelect = movieSelect(viewer, "right");
  viewer.showsBound = viewer.movies.some(
    (movie) => movie.bottleneck && movie.bottleneck.links.length < 0.6 * movie.linkCount,
  );
  const { bar, inputs } = filterBar(viewer.movies, (filter) => viewer.setFilter(filter));
  viewer.filterInputs = inputs;
  viewer.names = element("datalist", { id: newId("things") });
  viewer.pickInput = element("input", {
    list: viewer.names.id,
    size: 18,
    autocomplete: "off",
    change: () => viewer.pickByName(viewer.pickInput.value),
  });
  viewer.controls = element(
    "div",
    { class: "bar", role: "group", "aria-label": "Time" },
    viewer.playButton,
    button("|◀", "To the beginning", () => viewer.setTime(0)),
    button("◀ Step", "One step back", () => viewer.step(-1)),
    button("Step ▶", "One step forward", () => viewer.step(1)),
    viewer.slider,
    speed,
  );
  viewer.looks = element(
    "div",
    { class: "bar" },
    colour,
    toggle("Colour channels by use", "showsUse"),
    viewer.movies.some((movie) => movie.bottleneck) ? toggle("Bottleneck of the bound", "showsBound") : null,
    viewer.movies.some((movie) => movie.stall || movie.cycle) ? toggle("Circular wait", "showsStall") : null,
    button("+", "Larger", () => viewer.panes.forEach((pane) => pane.view.zoomBy(1.4))),
    button("−", "Smaller", () => viewer.panes.forEach((pane) => pane.view.zoomBy(1 / 1.4))),
    button("Whole network", null, () => viewer.panes.forEach((pane) => pane.view.wholeNetwork())),
    button("⟷ +", "Less time, larger", () => viewer.zoomTime(2)),
    button("⟷ −", "More time, smaller", () => viewer.zoomTime(0.5)),
  );
  viewer.filterBar = element(
    "div",
    { class: "bar" },
    bar,
    element("label", {}, "pick", viewer.pickInput),
    viewer.names,
  );
  viewer.panesElement = element("div", { class: "panes" });
  viewer.legend = element("p", { class: "legend" });
  viewer.details = element("div", {
    class: "card",
    id: newId("details"),
    "aria-label": "What is picked",
    role: "region",
  });
  viewer.live = element("p", { class: "hidden-text", "aria-live": "polite" });
  viewer.moving = element(
    "details",
    { toggle: () => viewer.listMoving() },
    element("summary", {}, "What moves now, as a table"),
  );
  viewer.notes = element("div");
  viewer.keys = element(
    "p",
    { class: "caption" },
    "Keys: space plays and pauses, ← and → step, Home and End, + and − zoom. Ctrl and the wheel zoom, " +
      "the pointer drags. A dot is the head of a transfer; a dashed path with a cross is blocked.",
  );
  viewer.element.append(
    viewer.movies.length > 1
      ? element("div", { class: "bar" }, viewer.leftSelect, viewer.rightSelect)
      : "",
    viewer.controls,
    viewer.panesElement,
    viewer.legend,
    viewer.notes,
    viewer.details,
    element(
      "details",
      {},
      element("summary", {}, "Colours, zoom, filters"),
      viewer.looks,
      viewer.filterBar,
    ),
    viewer.moving,
    viewer.live,
    viewer.keys,
  );
}

function movieSelect(viewer, side) {
  const select = element(
    "select",
    {
      change: () =>
        viewer.choose([
          Number(viewer.leftSelect.lastChild.value),
          Number(viewer.rightSelect.lastChild.value),
        ]),
    },
    side === "right" ? element("option", { value: -1 }, "nothing") : null,
    viewer.movies.map((movie, i) =>
      element("option", { value: i }, `${movie.name || "network"}: ${movie.file}`),
    ),
  );
  return element("label", {}, side, select);
}
