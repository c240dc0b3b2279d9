// The plan from the sources below to the result above, with rows and delay at the edges.

import { el, put, svg } from "./dom.js";
import { count, length, place } from "./format.js";

const LETTER = 7.3, ROW = 16, GAP = 46, MOST_LINES = 4;

export function plan(graph, frame, node) {
  if (!graph || !graph.length) { put(node, el("p", { class: "note" }, "The plan of this query is not known here.")); return; }
  const isTime = frame ? frame.is_time !== false : true;
  graph.forEach((one) => { one.first = one.reads.some((below) => graph[below].kind === "source"); });
  const depth = graph.map(() => 0), sized = graph.map(() => 1);
  graph.forEach((one, n) => one.reads.forEach((below) => { depth[below] = Math.max(depth[below], depth[n] + 1); }));
  for (let n = graph.length - 1; n >= 0; n--) sized[n] = Math.max(1, graph[n].reads.reduce((sum, below) => sum + sized[below], 0));
  const wide = Math.max(260, node.clientWidth), unit = wide / sized[0], left = graph.map(() => 0);
  graph.forEach((one, n) => { let at = left[n]; one.reads.forEach((below) => { left[below] = at; at += sized[below] * unit; }); });
  const texts = graph.map((one, n) => wrapped(one.label, Math.max(10, Math.floor((sized[n] * unit - 32) / LETTER))));
  const tall = texts.map((lines) => 26 + lines.length * ROW), tops = [30];
  const deepest = Math.max(...depth);
  for (let d = 1; d <= deepest + 1; d++) tops.push(tops[d - 1] + Math.max(...tall.filter((_, n) => depth[n] === d - 1)) + GAP);
  const stem = (n) => left[n] + Math.min((sized[n] * unit) / 2, 40), top = (n) => tops[depth[n]];
  const edges = graph.flatMap((one, n) => one.reads.map((below) => {
    const to = top(n) + tall[n];
    return [svg("path", { class: "edge", d: `M${stem(below)} ${top(below)}C${stem(below)} ${top(below) - 16} ${stem(n)} ${to + 20} ${stem(n)} ${to + 5}` }), head(stem(n), to),
      label(edge(one, graph[below], frame, isTime), stem(below), top(below) - 14, sized[below] * unit - 50)];
  }));
  const boxes = graph.map((one, n) => svg("g", {}, svg("rect", { class: `n-box n-${one.kind}`, x: left[n] + 4, y: top(n), width: sized[n] * unit - 8, height: tall[n], rx: 6 }),
    svg("text", { class: "n-kind", x: left[n] + 14, y: top(n) + 17 }, one.kind),
    texts[n].map((text, k) => svg("text", { class: "n-text", x: left[n] + 14, y: top(n) + 33 + k * ROW }, text)), svg("title", {}, one.label)));
  const out = frame && frame.results_in_all ? `${count(frame.results_in_all)} results so far` : "results";
  put(node, svg("svg", { viewBox: `0 0 ${wide} ${tops[deepest + 1] - GAP + 6}`, role: "img", "aria-label": "plan" },
    svg("path", { class: "edge", d: `M${stem(0)} ${top(0)}V8` }), head(stem(0), 3), svg("text", { x: stem(0) + 10, y: 18 }, out), edges, boxes));
}

const head = (x, y) => svg("path", { class: "edge-head", d: `M${x - 4} ${y + 7}L${x} ${y}L${x + 4} ${y + 7}Z` });

// What an edge carries, beside it, in as many lines as it takes.
function label(text, x, y, room) {
  const lines = text ? wrapped(text, Math.max(16, Math.floor(room / 6))) : [];
  return lines.map((one, k) => svg("text", { x: x + 10, y: y - (lines.length - 1 - k) * 13 }, one));
}

// A label in lines, as many as fit; the whole of it is the box's title.
function wrapped(text, letters) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + 1 > letters) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  const shown = lines.slice(0, MOST_LINES).map((one) => (one.length > letters ? `${one.slice(0, letters - 1)}…` : one));
  if (lines.length > MOST_LINES) shown[MOST_LINES - 1] += " …";
  return shown;
}

function edge(above, below, frame, isTime) {
  if (!frame) return "";
  const of = (one) => (one.operator && frame.operators ? frame.operators[one.operator] : null);
  const reads = of(above), gives = of(below);
  if (below.kind === "source") {
    const last = frame.newest_right ?? frame.newest ?? null, newest = last === null ? "" : `, newest ${place(last, isTime).slice(isTime ? 11 : 0)}`;
    return `${count(frame.rows)} rows in this micro-batch${frame.rate === null ? "" : `, ${count(frame.rate)} rows/s`}${newest}`;
  }
  if (gives) return [frame.watched ? `${count(gives.results)} rows` : null, gives.delay === null ? null : `delay ${length(below.first ? frame.behind_right_clocks ?? gives.delay : gives.delay, isTime)}`, `state ${count(gives.held)} rows`].filter(Boolean).join(", ");
  return reads ? `${count(reads.used)} used, ${count(reads.late)} late, ${count(reads.dropped)} dropped so far` : "";
}
