// Small pictures of what changes over the run. A click goes to that moment; the slider above does the same from the keyboard.

import { el, put, svg } from "./dom.js";
import { count, length, share } from "./format.js";
import { word } from "./words.js";

const WIDE = 240, TALL = 60;

function line(title, now, what, figures, values, at, { limit = null, text = count, meant = null } = {}, go = null) {
  const known = values.filter((y) => y !== null && y !== undefined);
  if (!known.length) return null;
  const highest = Math.max(...known), most = Math.max(highest, limit ?? 0) || 1, last = Math.max(1, figures.length - 1);
  const x = (n) => 2 + (n / last) * (WIDE - 4), y = (value) => TALL - 2 - (value / most) * (TALL - 6);
  const stretches = [];
  values.forEach((value, n) => {
    if (value === null || value === undefined) return;
    if (!stretches.length || stretches[stretches.length - 1].at(-1)[0] !== n - 1) stretches.push([]);
    stretches[stretches.length - 1].push([n, value]);
  });
  const path = (each) => each.map(([n, value], k) => `${k ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("") + (each.length === 1 ? "h.1" : "");
  const area = (each) => `${path(each)}V${TALL - 2}H${x(each[0][0]).toFixed(1)}Z`;
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, role: "img", "aria-label": `${title}: ${[now].flat().map((one) => (one instanceof Node ? one.textContent : one)).join("")}`, preserveAspectRatio: "none", height: TALL },
    svg("path", { class: "s-area", d: stretches.map(area).join("") }), svg("line", { class: "ground", x1: 0, x2: WIDE, y1: TALL - 2, y2: TALL - 2 }),
    svg("path", { class: "s-line", d: stretches.map(path).join("") }),
    limit === null ? null : svg("line", { class: "s-limit", x1: 0, x2: WIDE, y1: y(limit), y2: y(limit) }),
    svg("line", { class: "s-now", x1: x(at), x2: x(at), y1: 0, y2: TALL }));
  const plot = el("div", { class: "plot" }, picture);
  const top = el("span", {}, limit !== null && limit >= highest ? `limit ${text(limit)}` : `highest ${text(highest)}`);
  pointed(plot, picture, top, values, figures, last, text);
  plot.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * last));
  });
  return el("div", {}, el("h3", {}, meant ? word(meant, title) : title, top), el("div", { class: "value" }, now), plot, el("p", { class: "what" }, what));
}

// The value under the pointer, in the place of the highest.
function pointed(plot, picture, top, values, figures, last, text) {
  const usual = top.textContent;
  plot.addEventListener("pointermove", (event) => {
    const box = picture.getBoundingClientRect(), n = Math.min(last, Math.max(0, Math.round(((event.clientX - box.left) / box.width) * last)));
    top.textContent = `micro-batch ${figures[n]?.batch ?? n}: ${text(values[n])}`;
  });
  plot.addEventListener("pointerleave", () => { top.textContent = usual; });
}

export function series(node, figures, at, isTime, several, go) {
  const now = figures[at] || {}, of = (name) => figures.map((one) => one[name] ?? null);
  const lengths = { text: (x) => length(x, isTime) };
  const delay = (one) => one.behind_right_clocks ?? one.delay ?? null, apart = delay(now) !== (now.delay ?? null);
  const promise = now.target === null || now.target === undefined ? null : el("small", {}, ` late, ${share(now.target)} allowed`);
  put(node,
    line("Late tuples", [share(now.ratio), promise].filter(Boolean), "share of all tuples so far", figures, of("ratio"), at, { limit: now.target ?? null, text: share, meant: "late" }, go),
    line("Delay of results", length(delay(now), isTime), apart ? "frontier behind the newest event, wrong clocks left out" : "frontier behind the newest event", figures, figures.map(delay), at, { ...lengths, meant: "delay" }, go),
    line("Input", rate(now.rate), "rows a second, while a micro-batch ran", figures, of("rate"), at, {}, go),
    line("Micro-batch", length(now.ms), "how long it took", figures, of("ms"), at, { text: length, meant: "micro-batch" }, go),
    line("State", rows(now.held), "partials (one for each key, pane and micro-batch, until they are merged) or tuples", figures, of("held"), at, { meant: "state" }, go),
    line("Open windows", count(now.open), "their results have not left yet", figures, of("open"), at, { meant: "window" }, go),
    line("Waiting tuples", count(now.waiting), several ? "not yet below the frontier of their own substream" : "not yet below the frontier", figures, of("waiting"), at, { limit: now.buffer ?? null, meant: "frontier" }, go));
}

const rate = (x) => (x === null || x === undefined ? "–" : [count(x), el("small", {}, " rows/s")]);
const rows = (x) => (x === null || x === undefined ? "–" : [count(x), el("small", {}, " rows")]);
