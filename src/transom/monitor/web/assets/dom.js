// Elements. Text only ever becomes a text node: nothing that comes from data is read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

export const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
export const by = (id) => document.getElementById(id);
export const put = (node, ...children) => { node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined)); };

export function table(columns, rows, attributes) {
  const numeric = columns.map((_, n) => rows.length > 0 && rows.every((row) => typeof row.cells[n] === "number" || row.cells[n] === null));
  const cell = (value, n) => (value instanceof Node ? el("td", {}, value) : el("td", { class: numeric[n] ? "n" : null }, shown(value)));
  return el("div", { class: "scroll" }, el("table", attributes || {},
    el("thead", {}, el("tr", {}, columns.map((name, n) => el("th", { class: numeric[n] ? "n" : null }, name)))),
    el("tbody", {}, rows.map((row) => el("tr", { class: row.class }, row.cells.map(cell))))));
}

export function shown(value) {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "number") return Number.isInteger(value) ? value.toLocaleString("en-US") : String(Math.round(value * 1e6) / 1e6);
  return String(value).replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\+00:00$/, "$1");
}
