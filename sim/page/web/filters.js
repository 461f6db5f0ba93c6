/** Which transfers are shown: by source, destination, chunk and step. */

/** 1 for each transfer that passes; null if all do. */
function maskOfFilter(movie, filter) {
  const { network } = movie,
    tests = [];
  const byName = (list, text) => (t) => network.nameOf(list[t]) === text;
  if (filter.source) tests.push(byName(movie.source, filter.source));
  if (filter.destination) tests.push(byName(movie.destination, filter.destination));
  if (filter.chunk !== "") tests.push((t) => movie.chunk[t] === Number(filter.chunk));
  if (filter.step !== "") tests.push((t) => movie.step[t] === Number(filter.step) - 1);
  if (!tests.length) return null;
  return Uint8Array.from({ length: movie.count }, (_, t) => Number(tests.every((test) => test(t))));
}

/** The row of controls; `change` gets the filter. */
function filterBar(movies, change) {
  const list = element(
    "datalist",
    { id: newId("nodes") },
    [...new Set(movies.flatMap((movie) => movie.network.processors))]
      .slice(0, 5000)
      .map((name) => element("option", { value: name })),
  );
  const inputs = {};
  const read = () =>
    change(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value.trim()])));
  const field = (name, label, attributes) =>
    element(
      "label",
      {},
      label,
      (inputs[name] = element("input", { name, size: 7, input: read, autocomplete: "off", ...attributes })),
    );
  const bar = element(
    "div",
    { class: "bar", role: "group", "aria-label": "Which transfers are shown" },
    field("source", "from", { list: list.id }),
    field("destination", "to", { list: list.id }),
    field("chunk", "chunk", { type: "number", min: 0 }),
    field("step", "step", { type: "number", min: 1 }),
    element(
      "button",
      {
        type: "button",
        click: () => {
          for (const input of Object.values(inputs)) input.value = "";
          read();
        },
      },
      "All",
    ),
    list,
  );
  return { bar, inputs };
}
