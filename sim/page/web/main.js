/** Builds the page from its data. */

function titleOf(data) {
  if (data.title) return data.title;
  const [first] = data.results;
  const about =
    first && first.fields && (first.fields.problem || first.fields.schedule || first.fields.topology);
  return (
    about ||
    (first
      ? `${inWords(first.kind || "table")}: ${first.file}`
      : data.networks.length
        ? data.networks[0].name
        : "Report")
  );
}

function resultSection(result, data, id) {
  const name = result.file.replace(/\.[a-z]+$/i, "") || "table";
  const heading = element(
    "h2",
    { id: `${id}-title` },
    result.kind ? `${inWords(result.kind)}: ${result.file}` : result.file,
  );
  const tables = result.table ? [{ title: result.file, table: result.table }] : tablesOf(result);
  const charts = tables
    .filter(({ field }) => field !== "channels" && field !== "occupancy" && field !== "step_times_ns")
    .map(({ title, table }, i) => chartElement(title, table, `${name}-${i + 1}-curves`))
    .filter(Boolean);
  const plain = result.fields ? figureList(plainFields(descriptions[result.kind]), result.fields) : null;
  const objects = result.fields
    ? descriptions[result.kind].fields.filter((field) => field.kind === "object" && result.fields[field.name])
    : [];
  return element(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    heading,
    charts,
    plain,
    objects.map((field) =>
      element(
        "section",
        {},
        element("h3", { title: field.meaning }, inWords(field.name)),
        figureList(plainFields(descriptions[field.parts]), result.fields[field.name]),
      ),
    ),
    tables.map(({ title, table, field }, i) => {
      const made = tableElement(title, table, `${name}-${i + 1}`, result.file);
      return /channels|occupancy|violations/.test(field || "") && tables.length > 1
        ? element("details", {}, element("summary", {}, `${title}: ${table.rows.length} rows`), made)
        : made;
    }),
    glossary(tables.map(({ table }) => table)),
    provenance(result.made_by),
  );
}

function licences(data) {
  return element(
    "details",
    {},
    element("summary", {}, "Licences of what is in this page"),
    element("p", {}, "Nocturne: MIT. D3 " + d3.version + ": BSD 3-Clause."),
    element("pre", {}, data.licences),
  );
}

async function main() {
  startTheme();
  mergeLayersOnPaper();
  const data = JSON.parse(document.getElementById("data").textContent);
  descriptions = data.descriptions;
  const title = titleOf(data);
  document.title = title;
  const links = [
    ["summary", "Summary"],
    ...(data.movies.length ? [["viewer", "Network"]] : []),
    ...data.results.map((result, i) => [`result-${i + 1}`, result.file]),
  ];
  const main = element(
    "main",
    {},
    element(
      "section",
      { id: "summary", "aria-labelledby": "summary-title" },
      element("h2", { id: "summary-title" }, "Summary"),
      element(
        "div",
        { class: "cards" },
        data.results.map((result, i) => summaryCard(result, data, `result-${i + 1}`)),
      ),
    ),
  );
  document.body.append(
    element(
      "header",
      {},
      element("h1", {}, title),
      element(
        "nav",
        { "aria-label": "Parts of the page" },
        element(
          "ul",
          {},
          links.map(([id, text]) => element("li", {}, element("a", { href: `#${id}` }, text))),
        ),
      ),
      themeButton(),
    ),
    main,
  );
  const handle = { data, viewer: null, isReady: false };
  globalThis.nocturne = handle; // for those who look at a page with a program
  if (data.movies.length) {
    const networks = await Promise.all(data.networks.map((network) => PageNetwork.of(network)));
    const movies = await Promise.all(data.movies.map((movie) => Movie.of(movie, networks)));
    handle.viewer = new Viewer(movies);
    main.append(handle.viewer.element);
  }
  main.append(...data.results.map((result, i) => resultSection(result, data, `result-${i + 1}`)));
  document.body.append(element("footer", {}, provenance(data.made_by, "This page"), licences(data)));
  requestAnimationFrame(() => {
    handle.isReady = true;
  });
}

main().catch((error) => {
  document.body.append(
    element("p", { class: "bad", role: "alert" }, `This page cannot be shown: ${error.message}`),
  );
  throw error;
});
