// Small pictures of what changes over the run. A click goes to that moment.

import { el, put, svg } from "./dom.js";
import { count, length, share } from "./format.js";

const WIDE = 240, TALL = 64;

function line(title, now, figures, values, at, options, go) {
  const limit = options.limit, known = values.filter((y) => y !== null && y !== undefined);
  if (!known.length) return null;
  const most = Math.max(...known, limit ?? 0) || 1, last = Math.max(1, figures.length - 1);
  const x = (n) => 2 + (n / last) * (WIDE - 4), y = (value) => TALL - 3 - (value / most) * (TALL - 8);
  const parts = [];
  let open = false;
  values.forEach((value, n) => {
    if (value === null || value === undefined) { open = false; return; }
    parts.push(`${open ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`);
    open = true;
  });
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, role: "img", "aria-label": `${title}: ${now}`, preserveAspectRatio: "none", height: TALL },
    svg("line", { class: "grid", x1: 0, x2: WIDE, y1: TALL - 3, y2: TALL - 3 }), svg("path", { class: "s-line", d: parts.join("") }),
    limit === undefined || limit === null ? null : svg("line", { class: "s-limit", x1: 0, x2: WIDE, y1: y(limit), y2: y(limit) }),
    svg("line", { class: "s-now", x1: x(at), x2: x(at), y1: 0, y2: TALL }));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last));
  });
  return el("div", {}, el("h3", {}, title, el("span", {}, now)), picture);
}

export function series(node, figures, at, isTime, go) {
  const now = figures[at] || {}, of = (name) => figures.map((one) => one[name] ?? null);
  const promise = now.target === null || now.target === undefined ? "" : ` of ${share(now.target)}`;
  put(node,
    line("late tuples, share", `${share(now.ratio)}${promise}`, figures, of("ratio"), at, { limit: now.target }, go),
    line("delay of results", length(now.delay, isTime), figures, of("delay"), at, {}, go),
    line("rows/s", count(now.rate), figures, of("rate"), at, {}, go),
    line("batch time", length(now.ms), figures, of("ms"), at, {}, go),
    line("state, rows", count(now.held), figures, of("held"), at, {}, go),
    line("open windows", count(now.open), figures, of("open"), at, {}, go),
    line("waiting tuples", count(now.waiting), figures, of("waiting"), at, { limit: now.buffer }, go));
}
