/**
 * Colours that people tell apart who see colours differently: those of Okabe and Ito, and cividis for
 * amounts.
 */

const isDark = () => document.documentElement.dataset.theme === "dark";

const lightColours = [
  ...["#0072b2", "#d55e00", "#009e73", "#a0528a", "#b07d00", "#3a8fc4", "#5b4a00", "#555555"],
  ...["#c2185b", "#1a237e", "#6d8f00", "#00838f", "#7f0000", "#7e57c2", "#004d40", "#8d6e63"],
];
const darkColours = [
  ...["#56b4e9", "#ff9a4d", "#2fd3a2", "#e29bc6", "#f0e442", "#9ecbff", "#d9c27a", "#cccccc"],
  ...["#ff80ab", "#8c9eff", "#c6ff00", "#18ffff", "#ff5252", "#b388ff", "#69f0ae", "#bcaaa4"],
];

const knownColours = new Map();

/**
 * Of the things with these numbers: sixteen as they are, more along cividis, in steps that can be told apart.
 */
function colourOf(index, count) {
  const key = (2 * (index % 528) + Number(isDark())) * 64 + Math.min(count, 63);
  if (!knownColours.has(key)) knownColours.set(key, newColour(index, count));
  return knownColours.get(key);
}

function newColour(index, count) {
  const colours = isDark() ? darkColours : lightColours;
  if (count <= colours.length) return colours[index % colours.length];
  // Neighbours in number get colours that are far apart.
  const steps = Math.min(count, 24); // 528 is a multiple of 16, 24 and 11
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
