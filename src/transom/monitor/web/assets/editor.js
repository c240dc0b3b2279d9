// The query editor: it checks while one types, completes names, and runs on Ctrl-Enter.

import { by, el, put, svg, table } from "./dom.js";
import { count, length, place } from "./format.js";

const PAUSE = 350;
let checking = 0, asked = 0, running = null;

const send = async (path, given) => {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(given) });
  if (!answer.ok && answer.status >= 500) throw new Error(`the console failed (${answer.status})`);
  return answer.json();
};

export function edit(node) {
  node.hidden = false;
  const typed = by("typed");
  typed.addEventListener("input", () => { later(); suggest(); });
  typed.addEventListener("scroll", () => { by("marks").scrollTop = typed.scrollTop; });
  typed.addEventListener("blur", () => setTimeout(close, 150));
  typed.addEventListener("keydown", keys);
  by("run").addEventListener("click", run);
  by("cancel").addEventListener("click", cancel);
  known();
}

// A query of the run, as one may try it: what it reads is known here, and where it writes to is left out.
export function tryThis(texts) {
  const asked = texts.map((text) => text.trim()).filter((text) => !/^CREATE\s/i.test(text));
  const typed = by("typed");
  typed.value = asked.map((text) => text.replace(/^INSERT\s+INTO\s[\s\S]*?(?=\b(SELECT|WITH)\b)/i, "")).join(";\n\n");
  typed.rows = Math.min(16, Math.max(7, typed.value.split("\n").length));
  by("editor").scrollIntoView();
  typed.focus();
  check();
}

// What may be read: a click puts its name, or a first query, into the text.
async function known() {
  const answer = await fetch("/api/names"), each = answer.ok ? await answer.json() : [];
  const node = by("known"), typed = by("typed");
  node.hidden = !each.length;
  typed.placeholder = each.length ? `SELECT … FROM ${each[0].name} [TUMBLE 1 MINUTE]` : "CREATE STREAM readings (device STRING, pressure DOUBLE, at TIMESTAMP)\n  ORDER BY at SOURCE FILE 'readings' FORMAT csv;\nSELECT device, max(pressure) AS highest FROM readings [TUMBLE 1 MINUTE] GROUP BY device;";
  const insert = (one) => {
    typed.setRangeText(typed.value.trim() ? one.name : `SELECT count(*) AS n, window_start, window_end FROM ${one.name} ${one.order ? "[TUMBLE 1 MINUTE]" : "[RANGE 100 ROWS SLIDE 100 ROWS]"}`, typed.selectionStart, typed.selectionEnd, "end");
    typed.focus();
    later();
  };
  put(node, el("span", { class: "note" }, "Streams and tables:"), each.map((one) =>
    el("button", { type: "button", title: `${one.columns.join("\n")}${one.order ? `\nordered by ${one.order}` : ""}`, onclick: () => insert(one) }, one.name)));
}

function later() {
  clearTimeout(checking);
  put(by("marks"));
  checking = setTimeout(check, PAUSE);
}

async function check() {
  const sql = by("typed").value, number = ++asked;
  if (!sql.trim()) { say(""); problem(null, sql); return; }
  const found = await send("/api/check", { sql }).catch((error) => ({ error: `not checked: ${error.message}` }));
  if (number !== asked) return;
  problem(found.problem, sql);
  say(found.error || (found.problem ? found.problem.name : "all well"), found.error || found.problem ? "ill" : "well");
}

function say(text, kind = "") {
  by("verdict").textContent = text;
  by("verdict").className = `note ${kind}`;
}

function problem(found, sql) {
  const node = by("problem");
  node.hidden = !found;
  node.textContent = found ? found.text : "";
  const span = found && found.end > found.start ? [found.start, found.end] : null;
  put(by("marks"), span ? [document.createTextNode(sql.slice(0, span[0])), el("mark", {}, sql.slice(...span)), document.createTextNode(sql.slice(span[1]))] : []);
}

function keys(event) {
  const names = by("names");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); close(); run(); return; }
  if (event.key === " " && event.ctrlKey) { event.preventDefault(); suggest(); return; }
  if (names.hidden) return;
  const each = [...names.children], at = each.findIndex((one) => one.getAttribute("aria-selected") === "true");
  if (event.key === "Escape") { close(); event.preventDefault(); }
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = (at + (event.key === "ArrowDown" ? 1 : each.length - 1)) % each.length;
    each.forEach((one, n) => one.setAttribute("aria-selected", String(n === next)));
    each[next].scrollIntoView({ block: "nearest" });
  } else if (event.key === "Tab" || (event.key === "Enter" && at >= 0)) { event.preventDefault(); each[Math.max(at, 0)].dispatchEvent(new Event("pick")); }
}

async function suggest() {
  const typed = by("typed"), at = typed.selectionStart, sql = typed.value;
  if (!/[\w.]$/.test(sql.slice(0, at))) { close(); return; }
  const found = await send("/api/complete", { sql, at }).catch(() => ({}));
  if (typed.value !== sql) return; // an answer that came late does not close the list of a later one
  if (!found.names || !found.names.length) { close(); return; }
  const names = by("names");
  put(names, found.names.map((one, n) => el("li", { role: "option", "aria-selected": n === 0 && found.names.length === 1 ? "true" : "false", onpick: () => take(one.name, found.start, at), onmousedown: (event) => { event.preventDefault(); take(one.name, found.start, at); } }, one.name, el("small", {}, one.kind))));
  const lines = sql.slice(0, at).split("\n");
  names.style.top = `${Math.min(lines.length * 20 + 10, typed.clientHeight)}px`;
  names.style.left = `${Math.min(8 + lines[lines.length - 1].length * 7.8, typed.clientWidth - 160)}px`;
  names.hidden = false;
}

function take(name, start, at) {
  by("typed").setRangeText(name, start, at, "end");
  close();
  later();
}

function close() { by("names").hidden = true; }

async function run() {
  const sql = by("typed").value;
  if (!sql.trim()) { say("type a query first", "ill"); return; }
  clearTimeout(checking);
  asked += 1;
  running = { number: crypto.getRandomValues(new Uint32Array(2)).join("-"), since: Date.now(), stops: false };
  const own = running, clock = setInterval(() => elapsed(own), 100);
  elapsed(own);
  by("run").disabled = true;
  by("cancel").hidden = false;
  by("cancel").disabled = false;
  try {
    const found = await send("/api/run", { sql, number: own.number });
    problem(found.problem, sql);
    say(found.error || `${found.problem ? found.problem.name : found.says || "done"}, ${length(Date.now() - own.since)}`, found.error || found.problem ? "ill" : ""); // late tuples are no praise
    put(by("answer"), (found.tables || []).map(answer));
  } catch (error) {
    say(`no answer: ${error.message || error}`, "ill");
  } finally {
    clearInterval(clock);
    running = null;
    by("run").disabled = false;
    by("cancel").hidden = true;
  }
}

function elapsed(own) {
  const seconds = Math.floor((Date.now() - own.since) / 1000);
  say(`${own.stops ? "cancelling" : "running"} … ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`}`);
}

// What is asked to stop may begin a job at that moment: it is asked again until it has stopped.
async function cancel() {
  const own = running;
  if (!own) return;
  own.stops = true;
  by("cancel").disabled = true;
  while (running === own) {
    await send("/api/cancel", { sql: "", number: own.number }).catch(() => null);
    await new Promise((done) => setTimeout(done, 700));
  }
}

function answer(one) {
  if (one.text) return el("pre", {}, one.text);
  return [windows(one), table(one.names, one.rows.map((cells) => ({ cells }))), el("p", { class: "note" }, `${count(one.total)} rows${one.rows.length < one.total ? `, the first ${one.rows.length} shown` : ""}`)];
}

// The windows that the rows come from, where they say so.
function windows(one) {
  const from = one.names.indexOf("window_start"), to = one.names.indexOf("window_end");
  if (from < 0 || to < 0) return one.windowed ? el("p", { class: "note" }, "Select window_start and window_end too, and the windows that these rows come from are drawn here.") : null;
  const at = (text) => (typeof text === "number" ? text : Date.parse(`${String(text).replace(" ", "T")}Z`));
  const spans = [...new Map(one.rows.map((row) => [`${row[from]}|${row[to]}`, [at(row[from]), at(row[to]), 0]])).entries()];
  const known = new Map(spans);
  one.rows.forEach((row) => { known.get(`${row[from]}|${row[to]}`)[2] += 1; });
  const each = [...known.values()].filter(([low, high]) => Number.isFinite(low) && Number.isFinite(high));
  if (!each.length) return null;
  const low = Math.min(...each.map((w) => w[0])), high = Math.max(...each.map((w) => w[1])), most = Math.max(...each.map((w) => w[2]));
  const x = (place) => ((place - low) / (high - low || 1)) * 1000;
  const isTime = typeof one.rows[0][from] !== "number";
  const picture = svg("svg", { viewBox: "0 0 1000 40", height: 40, preserveAspectRatio: "none", role: "img", "aria-label": `${each.length} windows` },
    each.map(([a, b, n]) => svg("rect", { class: "w-closed", x: x(a) + 1, width: Math.max(1, x(b) - x(a) - 2), y: 38 - (n / most) * 36, height: (n / most) * 36 },
      svg("title", {}, `${place(a, isTime)} to ${place(b, isTime)}: ${n} rows`))));
  return el("div", {}, picture, el("div", { class: "answer-axis" }, el("span", {}, place(low, isTime)),
    el("span", {}, `${count(each.length)} windows that these rows come from; the higher, the more rows`), el("span", {}, place(high, isTime))));
}
