// The page: it keeps which query and which moment is shown, and asks the server for what that takes.

import { by, el, put, table } from "./dom.js";
import { count, place } from "./format.js";
import { late, results, says, substreams, tradeoff } from "./panels.js";
import { plan } from "./plan.js";
import { series } from "./series.js";
import { Picture, listed } from "./windows.js";
import { edit, tryThis } from "./editor.js";
import { explained } from "./words.js";

const PACE = 700;
const picture = new Picture(by("picture"));
const page = { title: null, query: null, at: -1, live: true, frames: new Map(), frame: null, before: null, playing: null, asked: 0, lost: false, gone: false };

const ask = async (path) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()).slice(0, 200));
  return answer.json();
};

function state(text, kind) {
  by("state").textContent = text;
  by("state").className = `state ${kind || ""}`;
}

async function start() {
  const found = await ask("/api/state");
  document.title = "Transom console";
  page.editor = found.editor;
  if (found.editor) edit(by("editor"));
  queries(found.queries);
  shown(found.queries.length > 0);
  if (found.queries.length) await choose(found.queries[0].title);
  else state("waiting for a query");
  listen();
}

// Which parts of the page there are.
function shown(watched) {
  by("watch").hidden = !watched;
  by("nothing").hidden = watched;
  for (const link of document.querySelectorAll("nav a")) link.hidden = link.dataset.of === "editor" ? !page.editor : !watched;
}

function queries(each) {
  put(by("queries"), each.map((one) => el("option", { value: one.title }, one.title)));
  by("queries").parentElement.hidden = each.length < 2;
  if (page.title) by("queries").value = page.title;
}

async function choose(title) {
  page.title = title;
  page.query = await ask(`/api/query?title=${encodeURIComponent(title)}`);
  page.frames.clear();
  page.frame = null;
  page.live = true;
  picture.key = "";
  by("queries").value = title;
  const about = page.query.about;
  by("sql").textContent = about.sql && about.sql.length ? about.sql.join(";\n\n") : "The text of the query is not known.";
  by("explain").textContent = about.explain || "";
  put(by("about"), described(title, about));
  by("try").hidden = !page.editor || !(about.sql || []).length;
  document.title = `${title} – Transom`;
  by("explain").parentElement.hidden = !about.explain;
  plan(about.graph, null, by("plan"));
  await show(page.query.figures.length - 1);
}

function described(title, about) {
  const parts = [el("b", {}, title)];
  if (about.window) parts.push(" · windows ", el("code", {}, about.window), about.reads ? ` of ${about.reads}` : "");
  if (about.tolerance) parts.push(" · tolerance ", el("code", {}, about.tolerance));
  if (about.started) parts.push(` · started ${place(Date.parse(about.started))} UTC`);
  return parts;
}

async function frame(at) {
  const { n } = page.query.figures[at];
  if (!page.frames.has(n)) {
    if (page.frames.size > 60) page.frames.clear();
    page.frames.set(n, await ask(`/api/frame?title=${encodeURIComponent(page.title)}&n=${n}`));
  }
  return page.frames.get(n);
}

async function show(at) {
  const figures = page.query.figures;
  by("scrub").max = Math.max(0, figures.length - 1);
  by("watch").classList.toggle("is-empty", !figures.length);
  if (at < 0 || !figures.length) { put(by("says"), el("p", {}, el("span", {}, nothing(page.query)))); status(); return; }
  const shown = page.at, title = page.title, number = ++page.asked;
  page.at = Math.min(at, figures.length - 1);
  const found = await frame(page.at).catch(() => null);
  if (!found && number === page.asked) { page.at = shown; by("scrub").value = shown; stop(); } // nobody answers: what is shown stays
  if (!found) return;
  if (title !== page.title || number !== page.asked) return; // another moment has been asked for meanwhile
  page.before = page.frame && page.frame.title === title ? page.frame.found : null;
  page.frame = { title, found };
  draw();
}

function nothing(query) {
  if (query.error) return `The query failed before anything arrived: ${query.error}`;
  return query.ended ? "The query ended, and nothing had arrived." : "Nothing has arrived yet. Windows appear here with the first micro-batch that has rows.";
}

function draw() {
  const { found } = page.frame, about = page.query.about, isTime = found.is_time !== false;
  put(by("says"), says(found, page.query));
  keys(found);
  const drawn = picture.draw(found, page.before);
  put(by("windows"), drawn ? listed(found, drawn.windows, table) : []);
  by("picture-note").textContent = note(found, about, drawn);
  by("listed").hidden = !drawn;
  by("scrub").value = page.at;
  by("when").textContent = `micro-batch ${found.batch ?? "–"}, ${found.at ? place(Date.parse(found.at)) : ""}`;
  const several = found.substreams.length > 1;
  by("substreams-panel").hidden = !several;
  if (several) put(by("substreams"), substreams(found));
  by("tradeoff-panel").hidden = !found.tradeoff.length;
  if (found.tradeoff.length) put(by("tradeoff"), tradeoff(found));
  series(by("series"), page.query.figures, page.at, isTime, several, (at) => { page.live = false; show(at); });
  put(by("results"), results(found, about.keys || [], picture.key));
  put(by("late"), late(found, picture.key));
  plan(about.graph, found, by("plan"));
  status();
}

function note(found, about, drawn) {
  const open = (drawn ? drawn.windows : []).filter((w) => !w[4]).length;
  if (!about.geometry && !found.windows.length) return about.window ? `No bars are drawn for windows of this kind (${about.window}): the page shows progress, results and late tuples.` : "";
  const bars = found.windows.some((w) => w[3] !== null) ? (drawn && drawn.thin ? "the darker a bar, the more tuples it holds" : "a bar is as full as its share of the tuples of the fullest window") : "tuples by window are counted from the moment somebody watches";
  const key = picture.key ? ` with tuples of ${picture.key}` : "";
  const missed = found.missed_count ? ` In this micro-batch ${count(found.missed_count)} tuple${found.missed_count > 1 ? "s" : ""} missed a window.` : "";
  return `${open === 1 ? `1 window${key} is` : `${count(open)} windows${key} are`} open; ${bars}.${missed}${found.is_time === false ? "" : " Times are UTC."}`;
}

function keys(found) {
  const names = Object.keys(found.keys || {}).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  by("pick-key").hidden = names.length < 2;
  const chosen = names.includes(picture.key) ? picture.key : "";
  picture.key = chosen;
  put(by("keys"), el("option", { value: "" }, "all"), names.map((name) => el("option", { value: name }, name)));
  by("keys").value = chosen;
}

function status() {
  const query = page.query;
  if (page.lost) state(page.gone ? "ended" : "no connection", page.gone ? "" : "bad");
  else if (query.error) state("failed", "bad");
  else if (query.ended) state("ended: play it back");
  else if (page.live) state("live", "live");
  else state("paused: new micro-batches wait");
}

function listen() {
  const events = new EventSource("/api/events");
  events.addEventListener("frame", async (event) => {
    const news = JSON.parse(event.data);
    if (page.query === null) { await renew(); return; }
    if (news.title !== page.title) return;
    const last = page.query.figures[page.query.figures.length - 1];
    if (last && last.n >= news.figures.n) return;
    page.query.figures.push(news.figures);
    page.frames.set(news.figures.n, JSON.parse(news.frame));
    by("scrub").max = page.query.figures.length - 1;
    if (page.live && !page.playing) await show(page.query.figures.length - 1);
  });
  events.addEventListener("query", renew);
  events.addEventListener("ended", (event) => {
    const { title, error } = JSON.parse(event.data);
    if (title === page.title) { page.query.ended = true; page.query.error = error; if (page.frame) draw(); else show(-1); }
  });
  events.addEventListener("closed", () => { page.gone = true; lost(true); });
  events.addEventListener("error", () => lost(true));
  events.addEventListener("open", () => { page.gone = false; lost(false); catchUp(); });
}

function lost(so) {
  page.lost = so;
  by("lost").hidden = !so || page.gone;
  by("gone").hidden = !so || !page.gone;
  document.body.classList.toggle("is-lost", so && !page.gone);
  if (so || page.query) status();
}

// What has come between the first answer and the news, or while they were broken off.
async function catchUp() {
  if (page.title === null) { await renew(); return; }
  page.query = await ask(`/api/query?title=${encodeURIComponent(page.title)}`);
  if (page.live && !page.playing) await show(page.query.figures.length - 1);
  status();
}

// Queries have begun: the first is shown, unless one is already.
async function renew() {
  const found = await ask("/api/state");
  queries(found.queries);
  shown(found.queries.length > 0);
  if (!found.queries.length) return;
  if (page.title === null || !page.query || !page.query.figures.length) await choose(page.title ?? found.queries[0].title);
}

function stop() {
  clearInterval(page.playing);
  page.playing = null;
  by("play").textContent = "▶";
  by("play").setAttribute("aria-label", "play");
}

function play() {
  if (page.playing) { stop(); return; }
  page.live = false;
  if (page.at >= page.query.figures.length - 1) page.at = -1;
  by("play").textContent = "❚❚";
  by("play").setAttribute("aria-label", "pause");
  page.playing = setInterval(async () => {
    if (page.at >= page.query.figures.length - 1) { stop(); page.live = true; status(); return; }
    await show(page.at + 1);
  }, PACE);
}

by("try").addEventListener("click", () => tryThis(page.query.about.sql));
by("queries").addEventListener("change", (event) => { stop(); choose(event.target.value); });
by("keys").addEventListener("change", (event) => { picture.key = event.target.value; draw(); });
by("scrub").addEventListener("input", (event) => { stop(); page.live = Number(event.target.value) === page.query.figures.length - 1; show(Number(event.target.value)); });
by("play").addEventListener("click", play);
by("live").addEventListener("click", () => { stop(); page.live = true; show(page.query.figures.length - 1); });
document.addEventListener("keydown", (event) => {
  if (/^(TEXTAREA|INPUT|SELECT|BUTTON|SUMMARY|A)$/.test(event.target.tagName) || !page.query) return;
  if (event.key === " ") { event.preventDefault(); play(); }
  if (event.key === "ArrowLeft") { stop(); page.live = false; show(Math.max(0, page.at - 1)); }
  if (event.key === "ArrowRight") { stop(); show(page.at + 1); }
});
explained(document.body, by("words"));
let resized = 0;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => { if (page.frame) draw(); }, 120); });

start().catch((error) => state(String(error.message || error), "bad"));
