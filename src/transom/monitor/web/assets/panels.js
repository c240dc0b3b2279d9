// What else is shown of a moment: findings, substreams, the price of a smaller ratio, results and late tuples.

import { el, svg, table } from "./dom.js";
import { word } from "./words.js";
import { count, length, lengths, places, share } from "./format.js";

const line = (kind, ...parts) => el("p", { class: kind }, el("span", {}, parts));
const strong = (text) => el("strong", {}, text);
const measured = (text) => el("strong", { class: "len" }, text); // a length stays in one line
const batches = (n) => `${n} micro-batch${n > 1 ? "es" : ""}`;

// The findings, each in a sentence: a person who knows nothing of the query should find the trouble here.
export function says(frame, summary) {
  const isTime = frame.is_time !== false, found = [];
  if (summary.error) found.push(line("bad", "The query failed: ", summary.error));
  const wrong = frame.substreams.filter((each) => each.clock_ahead);
  for (const one of wrong) {
    found.push(line("warn", "The clock of ", strong(one.name), " is ", measured(`${length(one.off, isTime)} ahead`), " of the other substreams: its windows lie in the future. ", word("AHEAD"), " would set its tuples aside."));
  }
  const slow = frame.substreams.find((one) => one.holds_back);
  if (slow) {
    found.push(line(slow.silent_for > 0 ? "warn" : "", "Results wait for ", strong(slow.name), waits(slow, isTime)));
  }
  found.push(...promise(frame, isTime, wrong.length > 0));
  return found;
}

// Why a substream holds results back: it is silent, it has not come as far as the others, or its tuples are in less order.
function waits(slow, isTime) {
  const back = slow.off < 0 ? `its newest event is ${length(-slow.off, isTime)} behind the others` : "";
  if (slow.silent_for > 0) {
    return [", which ", strong("is silent"), `: it has sent nothing for ${batches(slow.silent_for)}`, back ? `, and ${back}` : "", ". ", word("IDLE AFTER"), " would pass over it."];
  }
  return -slow.off > slow.held_by / 2 ? `: ${back}.` : `: its tuples are less in order, so its frontier is ${length(slow.held_by, isTime)} behind those of the others.`;
}

function promise(frame, isTime, wrong) {
  const allowed = frame.target !== null && frame.target !== undefined;
  if (allowed && frame.learns) return [line("", `DRATIO is still learning how late tuples are: no result leaves before that (${count(frame.seen)} tuples seen).`)];
  const apart = wrong && frame.behind_right_clocks !== null && frame.behind_right_clocks !== undefined;
  const behind = frame.delay === null || frame.delay === undefined ? null
    : ["Results are ", measured(length(apart ? frame.behind_right_clocks : frame.delay, isTime)), apart ? " behind the newest event of the substreams whose clocks are right." : " behind the newest event."];
  if (allowed) {
    return [line(frame.holds ? "good" : "bad", frame.holds ? "The promise is kept: " : "The promise is broken: ", measured(`${share(frame.ratio)} came late`), ", ", el("span", { class: "len" }, share(frame.target)), " is allowed. ", behind)];
  }
  if (!frame.seen) return [];
  const late = frame.late ? `${count(frame.late)} of ${count(frame.seen)} tuples came late (${share(frame.ratio)}), ${count(frame.dropped)} of them are in no window. ` : "No tuple came late. ";
  return [line(frame.late ? "warn" : "good", late, behind)];
}

export function substreams(frame) {
  const isTime = frame.is_time !== false, each = frame.substreams;
  const known = each.filter((one) => !one.clock_ahead).flatMap((one) => [one.newest, one.frontier]).filter((x) => x !== null);
  const low = Math.min(...known), high = Math.max(...known), x = (at) => 8 + Math.min(1, (at - low) / (high - low || 1)) * 104;
  const bar = (one) => {
    const kind = one.clock_ahead ? " clock" : one.holds_back ? " holds" : "";
    return svg("svg", { viewBox: "0 0 120 18", class: "bar", width: 96, height: 18, role: "img", "aria-label": "how far it has come" },
      svg("line", { class: "track", x1: 8, x2: 112, y1: 9, y2: 9 }),
      one.newest === null ? null : svg("line", { class: `s-span${kind}`, x1: 8, x2: x(one.newest) + 0.1, y1: 9, y2: 9 }),
      one.clock_ahead ? svg("path", { class: "s-beyond", d: "M110 3L119 9L110 15Z" }) : null);
  };
  const name = (one) => el("div", {}, one.name || "(no name)", el("div", { class: "badges" },
    one.clock_ahead ? el("span", { class: "badge clock" }, `clock ${length(one.off, isTime)} ahead`) : null,
    one.holds_back ? el("span", { class: "badge holds" }, "holds results back") : null,
    one.silent_for > 0 ? el("span", { class: "badge silent" }, one.idle ? "idle, passed over" : `silent for ${batches(one.silent_for)}`) : null));
  const at = places(each.map((one) => one.newest), isTime), end = (text) => (isTime ? text.slice(0, 5) : text);
  const rows = each.map((one) => ({ class: one.holds_back ? "now" : null, cells: [name(one), at(one.newest), bar(one), one.seen ?? "–", one.seen ? share((one.late || 0) / one.seen) : "–"] }));
  const more = frame.substreams_in_all > each.length ? el("p", { class: "note" }, `${each.length} of ${count(frame.substreams_in_all)}: those farthest behind, and farthest ahead`) : null;
  const span = known.length ? `${end(at(low))} to ${end(at(high))}` : "progress";
  return [table(["substream", "newest event", span, "tuples", "late"], rows), more];
}

export function tradeoff(frame) {
  const isTime = frame.is_time !== false, several = frame.substreams.length > 1;
  const now = frame.tradeoff.find(([ratio]) => ratio === frame.target);
  const delays = frame.tradeoff.map(([, delay]) => delay), as = lengths(delays, isTime);
  const rows = frame.tradeoff.map(([ratio, delay]) => {
    const more = now ? delay - now[1] : null;
    const compared = more === null ? "" : ratio === frame.target ? "what the query asks for" : `${as(Math.abs(more))} ${more >= 0 ? "longer" : "shorter"}`;
    return { class: ratio === frame.target ? "now" : null, cells: [share(ratio), el("span", { class: "len" }, as(delay)), el("span", { class: "len" }, compared)] };
  });
  const tenth = now && frame.tradeoff.find(([ratio]) => Math.abs(ratio - frame.target / 10) < 1e-12);
  const sentence = tenth ? el("p", {}, `DRATIO ${share(tenth[0])} instead of ${share(now[0])} would cost a delay of `, measured(as(tenth[1])), ` instead of ${as(now[1])}: `, measured(`${as(tenth[1] - now[1])} more`), ".") : null;
  return [sentence, table(["late at most (DRATIO)", "delay", "compared with now"], rows),
    el("p", { class: "note" }, several
      ? "Computed from all tuples so far, each judged by its own substream alone, and without silence: the delay that the most disordered substream needs. What really comes late is judged by the smallest frontier of all substreams, which is farther back: fewer tuples come late than such a delay allows, and results may wait longer."
      : "Computed from all tuples so far.")];
}

const unknown = (frame) => frame.edges && frame.edges[0] && frame.edges[0][0] && frame.edges[0][0].rows === undefined;
const passed = (frame) => (frame.edges && frame.edges[0] && frame.edges[0][0] && frame.edges[0][0].so_far) || 0;

// Values as they stand in a key.
const named = new Map([[null, "None"], [true, "True"], [false, "False"]]);
const asKey = (values) => values.map((one) => named.get(one) ?? String(one)).join(", ");

// With a key, only its results; where the result does not have the columns of the key, all of them.
export function results(frame, keys, key) {
  const every = frame.recent_results, total = frame.results_in_all;
  const has = key && keys.length && every.length && keys.every((name) => name in every[0]);
  const rows = has ? every.filter((row) => asKey(keys.map((name) => row[name])) === key.replace(/(^|, )(-?\d+)\.0(?=,|$)/g, "$1$2")) : every;
  if (!rows.length && every.length) return [el("p", { class: "note" }, `None of ${key} among the latest ${count(every.length)} results.`)];
  const only = !key ? "" : has ? `, only those of ${key}` : "; they do not have the key, so all are listed";
  if (!rows.length) return [el("p", { class: "note" }, total ? `${count(total)} results so far; samples are taken while somebody watches.` : passed(frame) ? `${count(passed(frame))} results so far, none of them in a sample.` : unknown(frame) ? "No sample of a result is known." : "No result has left yet.")];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [table(names, rows.map((row) => ({ cells: names.map((name) => (name in row ? row[name] : "")) }))), el("p", { class: "note" }, `${count(rows.length)} of ${count(total)} results so far: those of the latest micro-batch first${only}`)];
}

export function late(frame, chosen) {
  const every = frame.recent_late_tuples, isTime = frame.is_time !== false;
  const tuples = every.filter(([, , key]) => !chosen || key === chosen);
  if (!tuples.length && every.length) return [el("p", { class: "note" }, `None of ${chosen} among the latest ${count(every.length)} late tuples.`)];
  if (!tuples.length) return [el("p", { class: "note" }, frame.late ? `${count(frame.late)} tuples came late; of none of them a sample is known.` : "None so far.")];
  const how = lengths(tuples.map(([at, by]) => by - at), isTime);
  const show = places(tuples.map(([at]) => at), isTime);
  const became = (fate) => (fate === "missed" ? el("span", { class: "missed" }, "missed a window") : "still counted");
  const rows = tuples.map(([at, by, key, fate]) => ({ cells: [show(at), `${frame.missed_by_pane ? "≈ " : ""}${how(by - at)}`, key || "–", became(fate)] }));
  return [table(["event time", "how late", "key", "what became of it"], rows),
    el("p", { class: "note" }, `${count(tuples.length)} of ${count(Math.max(frame.late || 0, frame.late_tuples_in_all, tuples.length))} so far: those of the latest micro-batch first${chosen ? `, only those of ${chosen}` : ""}. How late: behind the frontier when it came.`)];
}
