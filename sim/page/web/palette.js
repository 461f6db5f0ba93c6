/**
 * Colours that people tell apart who see colours differently: those of Okabe and Ito, and cividis for
 * amounts.
 */

const isDark = () => document.documentElement.dataset.theme === "dark";

const lightColours = ["#0072b2", "#d55e00", "#009e73", "#a0528a", "#b07d00", "#3a8fc4", "#5b4a00", "#555555"];
const darkColours = ["#56b4e9", "#ff9a4d", "#2fd3a2", "#e29bc6", "#f0e442", "#9ecbff", "#d9c27a", "#cccccc"];

const knownColours = new Map();

/**
 * Of the things with these numbers: the eight as they are, more than eight along cividis, in steps that can
 * be told apart.
 */
function colourOf(index, count) {
  const key = (2 * (index % 264) + Number(isDark())) * 64 + Math.min(count, 63);
  if (!knownColours.has(key)) knownColours.set(key, newColour(index, count));
  return knownColours.get(key);
}

function newColour(index, count) {
  const colours = isDark() ? darkColours : lightColours;
  if (count <= colours.length) return colours[index % colours.length];
  // Neighbours in number get colours that are far apart.
  const steps = Math.min(count, 24); // 264 is a multiple of 8, 24 and 11
  const at = ((index * 11) % steps) / (steps - 1);
  return d3.interpolateCividis(isDark() ? 0.35 + 0.65 * at : 0.85 * at);
}

/** Of a share of 0 to 1; 0 is nearly the ground. */
function heatColour(share) {
  const at = Math.max(0, Math.min(1, share));
  return isDark() ? d3.interpolateCividis(0.05 + 0.95 * at) : d3.interpolateCividis(1 - 0.95 * at);
}

/** A colour of the style. */
function styleColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const themeListeners = [];
/** Calls when the colours have changed. */
function onTheme(listener) {
  themeListeners.push(listener);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  themeListeners.forEach((listener) => listener());
}

/** As the system has it, until the button says otherwise; paper is light. */
function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  setTheme(system.matches ? "dark" : "light");
  system.addEventListener("change", () => setTheme(system.matches ? "dark" : "light"));
  let before = null;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    setTheme("light");
  });
  addEventListener("afterprint", () => before && setTheme(before));
}

function themeButton() {
  return element(
    "button",
    { type: "button", click: () => setTheme(isDark() ? "light" : "dark") },
    "Dark or light",
  );
}
