// The plan from the sources below to the result above, with rows and delay at the edges.

import { el, put, svg } from "./dom.js";
import { count, length } from "./format.js";

const LETTER = 7.3, ROW = 16, GAP = 46, MOST_LINES = 4;

export function plan(graph, frame, node) {
  if (!graph || !graph.length) { put(node, el("p", { class: "note" }, "The plan of this query is not known here.")); return; }
  const isTime = frame ? frame.is_time !== false : true;
  const depth = graph.map(() => 0), sized = graph.map(() => 1);
  graph.forEach((one, n) => one.reads.forEach((below) => { depth[below] = Math.max(depth[below], depth[n] + 1); }));
  for (let n = graph.length - 1; n >= 0; n--) sized[n] = Math.max(1, graph[n].reads.reduce((sum, below) => sum + sized[below], 0));
  const wide = Math.max(260, node.clientWidth), unit = wide / sized[0], left = graph.map(() => 0);
  graph.forEach((one, n) => { let at = left[n]; one.reads.forEach((below) => { left[below] = at; at += sized[below] * unit; }); });
  const room = (n) => Math.max(10, Math.floor((sized[n] * unit - 32) / LETTER));
  const kinds = graph.map((one, n) => wrapped(kindOf(one, frame), room(n))), texts = graph.map((one, n) => wrapped(one.label, room(n)));
  const tall = texts.map((lines, n) => 10 + (kinds[n].length + lines.length) * ROW), tops = [4];
  const deepest = Math.max(...depth);
  for (let d = 1; d <= deepest + 1; d++) tops.push(tops[d - 1] + Math.max(...tall.filter((_, n) => depth[n] === d - 1)) + GAP);
  const stem = (n) => left[n] + Math.min((sized[n] * unit) / 2, 40), top = (n) => tops[depth[n]];
  const edges = graph.flatMap((one, n) => one.reads.map((below, place) => {
    const to = top(n) + tall[n];
    return [svg("path", { class: "edge", d: `M${stem(below)} ${top(below)}V${to + 12}H${stem(n)}V${to + 5}` }), head(stem(n), to),
      label(passed(frame, n, place, isTime), stem(below), top(below) - 14, sized[below] * unit - 50)];
  }));
  const boxes = graph.map((one, n) => svg("g", {}, svg("rect", { class: `n-box n-${one.kind}`, x: left[n] + 4, y: top(n), width: sized[n] * unit - 8, height: tall[n], rx: 6 }),
    kinds[n].map((text, k) => svg("text", { class: "n-kind", x: left[n] + 14, y: top(n) + 17 + k * ROW }, text)),
    texts[n].map((text, k) => svg("text", { class: "n-text", x: left[n] + 14, y: top(n) + 17 + (kinds[n].length + k) * ROW }, text)), svg("title", {}, one.label)));
  put(node, svg("svg", { viewBox: `0 0 ${wide} ${tops[deepest + 1] - GAP + 6}`, role: "img", "aria-label": "plan" },
    edges, boxes));
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

// The rows that have passed an edge: those that an operator gave, or those that the next one took.
function passed(frame, n, place, isTime) {
  const found = frame && frame.edges && frame.edges[n] ? frame.edges[n][place] : null;
  if (!found) return "";
  if (found.rows === undefined) return "rows are not counted here";
  const rows = `${count(found.rows)} row${found.rows === 1 ? "" : "s"}, ${count(found.so_far)} so far`;
  return found.delay === null || found.delay === undefined ? rows : `${rows}, delay ${length(found.delay, isTime)}`;
}

function kindOf(one, frame) {
  const own = one.operator && frame && frame.operators ? frame.operators[one.operator] : null;
  if (!own) return one.kind;
  const late = own.late ? `, ${count(own.late)} late` : "", dropped = own.dropped ? `, ${count(own.dropped)} dropped` : "";
  return `${one.kind} · ${count(own.held)} rows of state${late}${dropped}`;
}
