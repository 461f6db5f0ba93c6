/** Elements, made of text only: nothing of the data is ever read as HTML. */

/**
 * An element with attributes (functions are listeners, null is left out) and children, which are elements or
 * text.
 */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function svgElement(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== "") made.append(child);
  return made;
}

let lastId = 0;
/** An id that no other element of the page has. */
function newId(what) {
  return `${what}-${++lastId}`;
}

/** `hop overhead` of `hop_overhead_ns`. */
function inWords(name, unit = "") {
  const suffix = "_" + unit.replace("/", "_per_").replace("%", "percent").toLowerCase();
  const short =
    unit && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name.replace("mbytes_per_s", "rate");
  return short.replace(/_/g, " ");
}

/** A channel as the page writes it; lines do not break within such an arrow. */
const withArrows = (text) => text.replace(/->/g, "→");

/** A value as a person reads it. */
function shown(value) {
  if (value === null || value === undefined) return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "number") return shownNumber(value);
  if (Array.isArray(value)) return value.length ? value.map(shown).join(", ") : "none";
  return String(value);
}

function shownNumber(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return value.toExponential(3);
  return value.toLocaleString("en-US", { maximumFractionDigits: size >= 1000 ? 1 : 4 });
}

/** A file for the person to keep. */
function save(name, type, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A cell as RFC 4180 quotes it. */
function csvCell(value) {
  const text =
    value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ") : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function csvText(header, rows) {
  return [header, ...rows].map((row) => row.map(csvCell).join(",") + "\n").join("");
}

/** A button that saves what `text()` says when it is clicked. */
function saveButton(label, name, type, text) {
  return element("button", { type: "button", click: () => save(name, type, text()) }, label);
}

/** The words beside the pointer; null hides them. */
function showTip(text, event) {
  let tip = document.querySelector(".tip");
  if (!tip) document.body.append((tip = element("div", { class: "tip", role: "tooltip" })));
  tip.hidden = text === null;
  if (text === null) return;
  tip.textContent = text;
  const left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8)}px`;
}

/** Lets an element zoom, by the wheel only beside Ctrl: without it the page scrolls. */
function zoomOf(parent, extent, zoomed) {
  const zoomer = d3
    .zoom()
    .scaleExtent(extent)
    .filter(() => !d3.event.button && (d3.event.type !== "wheel" || d3.event.ctrlKey || d3.event.metaKey))
    .on("zoom", () => zoomed(d3.event.transform));
  d3.select(parent).call(zoomer).on("dblclick.zoom", null);
  return zoomer;
}

/** A canvas as sharp as the screen; calls `draw` when its size has changed. */
function sharpCanvas(parent, attributes, draw) {
  const canvas = element("canvas", attributes);
  parent.append(canvas);
  new ResizeObserver(() => {
    const { width, height } = parent.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    canvas.ratio = ratio;
    draw();
  }).observe(parent);
  canvas.ratio = 1;
  return canvas;
}

/** On paper one layer: what is clear in a canvas above another one is printed as white. */
function mergeLayersOnPaper() {
  addEventListener("beforeprint", () => {
    for (const front of document.querySelectorAll("canvas:nth-of-type(2)")) {
      const context = front.parentElement.querySelector("canvas").getContext("2d");
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(front, 0, 0);
    }
  });
}

/** For drawing in units of CSS, after all that was there is gone. */
function cleared(canvas) {
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(canvas.ratio, 0, 0, canvas.ratio, 0, 0);
  return context;
}
