/** Builds the page from its data. */

/** What is said first of all: the title that was given, or what the first result is about. */
function titleOf(data) {
  const [first] = data.results;
  const more = data.results.length > 1 ? ` and ${data.results.length - 1} more` : "";
  return data.title || (first ? ((first.summary && first.summary.subject) || first.file) + more : "Report");
}

/** Built when it is first opened: of a long table that takes as long as all the rest of the page. */
function resultSection(result, id) {
  const section = element(
    "details",
    { id },
    element("summary", {}, `All numbers in ${result.file}, and how to repeat it`),
  );
  const build = () => filled(section, {}, resultParts(result));
  section.addEventListener("toggle", build, { once: true });
  return section;
}

function resultParts(result) {
  const name = result.file.replace(/\.[a-z]+$/i, "") || "table";
  const tables = result.table ? [{ title: result.file, table: result.table }] : tablesOf(result);
  const charts = tables
    .filter(({ field }) => field !== "channels" && field !== "occupancy" && field !== "step_times_ns")
    .map(({ title, table }, i) => chartElement(title, table, `${name}-${i + 1}-curves`))
    .filter(Boolean);
  const plain = result.fields ? figureList(plainFields(descriptions[result.kind]), result.fields) : null;
  const objects = result.fields
    ? descriptions[result.kind].fields.filter((field) => field.kind === "object" && result.fields[field.name])
    : [];
  return [
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
  ];
}

/** The channels of the cycle because of which a routing can deadlock; null if it has none. */
function cycleOf({ fields }) {
  const text = fields && fields.cycle;
  return typeof text === "string" ? text.split(" -> ").map((hop) => hop.replace(/ \(vc \d+\)$/, "")) : null;
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
  const isAlone = data.results.length === 1 && !data.title;
  const isMarked = ({ file }) => data.movies.some((movie) => movie.file === file && movie.violations);
  const findings = data.results.map((result, i) =>
    findingElement(withSummary(result), i, isAlone, isMarked(result)),
  );
  const main = element(
    "main",
    {},
    data.headline ? element("p", { class: "overall" }, withUnits(data.headline)) : null,
    element("div", { class: findings.length > 1 ? "findings" : null }, findings),
  );
  document.body.append(element("header", {}, element("h1", {}, title), themeButton()), main);
  const handle = { data, viewer: null, isReady: false };
  globalThis.nocturne = handle; // for those who look at a page with a program
  if (data.movies.length) {
    const networks = await Promise.all(data.networks.map((network) => PageNetwork.of(network)));
    const movies = await Promise.all(data.movies.map((movie) => Movie.of(movie, networks)));
    for (const movie of movies)
      movie.cycle = cycleOf(data.results.find(({ file }) => file === movie.file) || {});
    handle.viewer = new Viewer(movies);
    // Where a movie is the picture of the page, it needs no heading.
    const hasPicture = data.results.some((result) => result.summary && result.summary.picture);
    handle.viewer.element.classList.toggle("alone", !hasPicture && data.movies.length === 1);
    main.append(handle.viewer.element);
  }
  main.append(...data.results.map((result, i) => resultSection(result, `result-${i + 1}`)));
  document.body.append(element("footer", {}, provenance(data.made_by, "This page"), licences(data)));
  // Pictures are drawn in the frame after the one in which they are there.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      handle.isReady = true;
    }),
  );
}

main().catch((error) => {
  document.body.append(
    element("p", { class: "bad", role: "alert" }, `This page cannot be shown: ${error.message}`),
  );
  throw error;
});
