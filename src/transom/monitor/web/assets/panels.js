// What else is shown of a moment: what to know at once, substreams, the price of a smaller ratio, results and late tuples, the plan.

import { el, put, svg, table } from "./dom.js";
import { count, length, place, places, share } from "./format.js";

const line = (kind, ...parts) => el("p", { class: kind }, parts);
const strong = (text) => el("strong", {}, text);

// The findings, each in a sentence: a person who knows nothing of the query should find the trouble here.
export function says(frame, summary) {
  const isTime = frame.is_time !== false, found = [];
  if (summary.error) found.push(line("bad", "The query failed: ", summary.error));
  for (const one of frame.substreams.filter((each) => each.clock_ahead)) {
    found.push(line("warn", "The clock of ", strong(one.name), " is ", strong(length(one.off, isTime)), " ahead of the other substreams: its windows lie in the future."));
  }
  const slow = frame.substreams.find((one) => one.holds_back);
  if (slow) {
    const silent = slow.silent_for > 0 ? `, which has sent nothing for ${slow.silent_for} micro-batch${slow.silent_for > 1 ? "es" : ""}` : "";
    found.push(line(silent ? "warn" : "", "Results wait for ", strong(slow.name), silent, slow.off < 0 ? [`: its newest event is ${length(-slow.off, isTime)} behind the others. `] : ". ",
      silent ? "IDLE AFTER would pass over it." : null));
  }
  if (frame.target !== null && frame.target !== undefined) {
    const promise = `${share(frame.ratio)} came late, ${share(frame.target)} is allowed`;
    if (frame.learns) found.push(line("", `DRATIO is still learning how late tuples are: no result leaves before that (${count(frame.seen)} tuples seen).`));
    else found.push(line(frame.holds ? "good" : "bad", frame.holds ? "The promise is kept: " : "The promise is broken: ", promise, frame.delay !== null ? `. Results are ${length(frame.delay, isTime)} behind the newest event.` : "."));
  } else if (frame.seen) {
    found.push(line(frame.late ? "warn" : "good", frame.late ? `${count(frame.late)} of ${count(frame.seen)} tuples came late (${share(frame.ratio)}), ${count(frame.dropped)} are in no window.` : "No tuple came late."));
  }
  return found;
}

export function substreams(frame) {
  const isTime = frame.is_time !== false, each = frame.substreams;
  const known = each.flatMap((one) => [one.newest, one.frontier]).filter((x) => x !== null);
  const low = Math.min(...known), high = Math.max(...known), x = (at) => 6 + ((at - low) / (high - low || 1)) * 128;
  const bar = (one) => {
    const kind = one.clock_ahead ? " clock" : one.holds_back ? " holds" : "";
    return svg("svg", { viewBox: "0 0 140 14", class: "bar", width: 140, height: 14, role: "img", "aria-label": "from its frontier to its newest event" },
      svg("line", { class: "track", x1: 2, x2: 138, y1: 7, y2: 7 }),
      one.newest === null ? null : svg("line", { class: `s-span${kind}`, x1: x(one.frontier === null ? one.newest : one.frontier), x2: x(one.newest) + 0.1, y1: 7, y2: 7 }));
  };
  const badges = (one) => el("span", {},
    one.clock_ahead ? el("span", { class: "badge clock" }, `clock ${length(one.off, isTime)} ahead`) : null,
    one.holds_back ? el("span", { class: "badge holds" }, "holds results back") : null,
    one.silent_for > 0 ? el("span", { class: "badge silent" }, one.idle ? "idle, passed over" : `silent for ${one.silent_for} micro-batch${one.silent_for > 1 ? "es" : ""}`) : null);
  const at = places(each.map((one) => one.newest), isTime);
  const rows = each.map((one) => ({ class: one.holds_back ? "now" : null, cells: [one.name || "(no name)", at(one.newest), bar(one), one.seen ?? "–", one.seen ? `${share((one.late || 0) / one.seen)}` : "–", badges(one)] }));
  const more = frame.substreams_in_all > each.length ? el("p", { class: "note" }, `${each.length} of ${count(frame.substreams_in_all)}: those farthest behind, and farthest ahead`) : null;
  return [table(["substream", "newest event", "progress", "tuples", "late", ""], rows), more];
}

export function tradeoff(frame) {
  const isTime = frame.is_time !== false;
  const now = frame.tradeoff.find(([ratio]) => ratio === frame.target);
  const rows = frame.tradeoff.map(([ratio, delay]) => {
    const more = now ? delay - now[1] : null;
    const compared = more === null ? "" : ratio === frame.target ? "what the query asks for" : `${more >= 0 ? "+" : "−"}${length(Math.abs(more), isTime)}`;
    return { class: ratio === frame.target ? "now" : null, cells: [share(ratio), length(delay, isTime), compared] };
  });
  const tenth = now && frame.tradeoff.find(([ratio]) => Math.abs(ratio - frame.target / 10) < 1e-12);
  const sentence = tenth ? el("p", {}, `${share(tenth[0])} instead of ${share(now[0])} late would cost a delay of `, strong(length(tenth[1], isTime)), ` instead of ${length(now[1], isTime)}.`) : null;
  return [sentence, table(["late at most", "delay", "compared with now"], rows),
    el("p", { class: "note" }, "Estimated from all tuples so far. The longest of all substreams; one that is silent delays results beyond that.")];
}

export function results(rows, total) {
  if (!rows.length) return [el("p", { class: "note" }, total ? `${count(total)} results so far; samples are taken while somebody watches.` : "No result has left yet.")];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [table(names, rows.map((row) => ({ cells: names.map((name) => (name in row ? row[name] : "")) }))), el("p", { class: "note" }, `a sample of ${count(total)} results, newest first`)];
}

export function late(tuples, total, byPane, isTime) {
  if (!tuples.length) return [el("p", { class: "note" }, total ? `${count(total)} tuples came late; none missed a window while somebody watched.` : "None.")];
  const show = places(tuples.map(([at]) => at), isTime);
  const rows = tuples.map(([at, by, key]) => ({ cells: [show(at), `${byPane ? "≈ " : ""}${length(by - at, isTime)}`, key || "–"] }));
  return [table(["event time", "how late", "key"], rows), el("p", { class: "note" }, `a sample of ${count(total)}, newest first`)];
}

// The plan from the sources below to the result above, with rows and delay at the edges.
export function plan(graph, frame, node) {
  if (!graph || !graph.length) { put(node, el("p", { class: "note" }, "The record does not hold the plan.")); return; }
  const isTime = frame ? frame.is_time !== false : true;
  const depth = graph.map(() => 0), sized = graph.map(() => 1);
  graph.forEach((one, n) => one.reads.forEach((below) => { depth[below] = Math.max(depth[below], depth[n] + 1); }));
  for (let n = graph.length - 1; n >= 0; n--) sized[n] = Math.max(1, graph[n].reads.reduce((sum, below) => sum + sized[below], 0));
  const wide = Math.max(260, node.clientWidth), unit = wide / sized[0], left = graph.map(() => 0);
  graph.forEach((one, n) => { let at = left[n]; one.reads.forEach((below) => { left[below] = at; at += sized[below] * unit; }); });
  const step = 56, tall = 28, letters = (n) => Math.max(8, Math.floor((sized[n] * unit - 24) / 6.6));
  const cut = (text, n) => (text.length > letters(n) ? `${text.slice(0, letters(n) - 1)}…` : text);
  const center = (n) => left[n] + (sized[n] * unit) / 2, top = (n) => 6 + depth[n] * step;
  const edges = graph.flatMap((one, n) => one.reads.map((below) => {
    const text = edge(one, graph[below], frame, isTime);
    return [svg("path", { class: "edge", d: `M${center(below)} ${top(below)}C${center(below)} ${top(below) - 14} ${center(n)} ${top(n) + tall + 14} ${center(n)} ${top(n) + tall}` }),
      text ? svg("text", { x: wide < 520 ? 10 : (center(below) + center(n)) / 2 + 8, y: top(n) + tall + 18 }, text) : null];
  }));
  const boxes = graph.map((one, n) => svg("g", {}, svg("rect", { class: `n-box n-${one.kind}`, x: left[n] + 4, y: top(n), width: sized[n] * unit - 8, height: tall, rx: 5 }),
    svg("text", { class: "n-text", x: center(n), y: top(n) + 18, "text-anchor": "middle" }, cut(one.label, n)), svg("title", {}, one.label)));
  put(node, svg("svg", { viewBox: `0 0 ${wide} ${6 + (Math.max(...depth) + 1) * step}`, role: "img", "aria-label": "plan" }, edges, boxes));
}

function edge(above, below, frame, isTime) {
  if (!frame) return "";
  const of = (one) => (one.operator && frame.operators ? frame.operators[one.operator] : null);
  const reads = of(above), gives = of(below);
  if (below.kind === "source") {
    const newest = frame.newest === null || frame.newest === undefined ? "" : `, newest ${place(frame.newest, isTime).slice(isTime ? 11 : 0)}`;
    return `${count(frame.rows)} rows, ${count(frame.rate)} rows/s${newest}`;
  }
  if (gives) return [frame.watched ? `${count(gives.results)} results` : null, gives.delay === null ? null : `delay ${length(gives.delay, isTime)}`, `state ${count(gives.held)} rows`].filter(Boolean).join(", ");
  return reads ? `${count(reads.used)} used, ${count(reads.late)} late, ${count(reads.dropped)} dropped` : "";
}
