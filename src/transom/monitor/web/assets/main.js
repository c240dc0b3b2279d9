// The page: it keeps which query and which moment is shown, and asks the server for what that takes.

import { by, el, put, table } from "./dom.js";
import { count, place } from "./format.js";
import { late, plan, results, says, substreams, tradeoff } from "./panels.js";
import { series } from "./series.js";
import { Picture, listed } from "./windows.js";
import { edit } from "./editor.js";

const PACE = 700;
const picture = new Picture(by("picture"));
const page = { title: null, query: null, at: -1, live: true, frames: new Map(), frame: null, before: null, playing: null, asked: 0 };

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
  if (found.editor) edit(by("editor"));
  queries(found.queries);
  by("watch").hidden = !found.queries.length;
  if (found.queries.length) await choose(found.queries[0].title);
  else state(found.editor ? "no query is running" : "waiting for a query");
  listen();
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
  page.live = true;
  picture.key = "";
  by("queries").value = title;
  const about = page.query.about;
  by("sql").textContent = about.sql && about.sql.length ? about.sql.join(";\n\n") : "The text of the query is not known.";
  by("explain").textContent = about.explain || "";
  document.title = `${title} – Transom`;
  await show(page.query.figures.length - 1);
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
  if (at < 0 || !figures.length) { put(by("says"), el("p", {}, "Nothing has arrived yet.")); status(); return; }
  page.at = Math.min(at, figures.length - 1);
  const title = page.title, number = ++page.asked, found = await frame(page.at);
  if (title !== page.title || number !== page.asked) return; // another moment has been asked for meanwhile
  page.before = page.frame && page.frame.title === title ? page.frame.found : null;
  page.frame = { title, found };
  draw();
}

function draw() {
  const { found } = page.frame, about = page.query.about, isTime = found.is_time !== false;
  put(by("says"), says(found, page.query));
  keys(found);
  const drawn = picture.draw(found, page.before);
  put(by("windows"), drawn ? listed(found, drawn.windows, table) : []);
  by("picture-note").textContent = note(found, about);
  by("scrub").value = page.at;
  by("when").textContent = `micro-batch ${found.batch ?? "–"}, ${found.at ? place(Date.parse(found.at)) : ""}`;
  const several = found.substreams.length > 1;
  by("substreams-panel").hidden = !several;
  if (several) put(by("substreams"), substreams(found));
  by("tradeoff-panel").hidden = !found.tradeoff.length;
  if (found.tradeoff.length) put(by("tradeoff"), tradeoff(found));
  series(by("series"), page.query.figures, page.at, isTime, (at) => { page.live = false; show(at); });
  sampled(found, isTime);
  plan(about.graph, found, by("plan"));
  status();
}

function note(found, about) {
  const open = found.windows.filter((w) => !w[4]).length;
  if (!about.geometry && !found.windows.length) return about.window ? `Windows of this kind (${about.window}) depend on the tuples: they are known when they close.` : "";
  const bars = found.windows.some((w) => w[3] !== null) ? "the filled part of a bar is its share of tuples of the fullest window" : "tuples by window are counted from the moment somebody watches";
  return `${about.window || "windows"}: ${count(open)} open; ${bars}. Times are UTC.`;
}

function keys(found) {
  const names = Object.keys(found.keys || {});
  by("pick-key").hidden = names.length < 2;
  const chosen = names.includes(picture.key) ? picture.key : "";
  picture.key = chosen;
  put(by("keys"), el("option", { value: "" }, "all"), names.map((name) => el("option", { value: name }, name)));
  by("keys").value = chosen;
}

// Results and late tuples up to this moment.
function sampled(found, isTime) {
  put(by("results"), results(found.recent_results, found.results_in_all));
  put(by("late"), late(found.recent_missed, found.missed_in_all || found.late || 0, found.missed_by_pane, isTime));
}

function status() {
  const query = page.query;
  if (query.error) state("failed", "bad");
  else if (query.ended) state("ended: play it back", "");
  else if (page.live) state("live", "live");
  else state("paused: new micro-batches wait", "");
}

function listen() {
  const events = new EventSource("/api/events");
  events.addEventListener("frame", async (event) => {
    const news = JSON.parse(event.data);
    if (page.title === null) { await renew(news.title); return; }
    if (news.title !== page.title) return;
    const last = page.query.figures[page.query.figures.length - 1];
    if (last && last.n >= news.figures.n) return;
    page.query.figures.push(news.figures);
    page.frames.set(news.figures.n, JSON.parse(news.frame));
    by("scrub").max = page.query.figures.length - 1;
    if (page.live && !page.playing) await show(page.query.figures.length - 1);
  });
  events.addEventListener("query", (event) => renew(page.title || JSON.parse(event.data).title));
  events.addEventListener("ended", (event) => {
    const { title, error } = JSON.parse(event.data);
    if (title === page.title) { page.query.ended = true; page.query.error = error; if (page.frame) draw(); }
  });
  events.addEventListener("error", () => state("the server does not answer", "bad"));
  events.addEventListener("open", catchUp);
}

// What has come between the first answer and the news, or while they were broken off.
async function catchUp() {
  if (page.title === null) {
    const found = await ask("/api/state");
    if (found.queries.length) await renew(found.queries[0].title);
    return;
  }
  page.query = await ask(`/api/query?title=${encodeURIComponent(page.title)}`);
  if (page.live && !page.playing) await show(page.query.figures.length - 1);
  status();
}

async function renew(title) {
  const found = await ask("/api/state");
  queries(found.queries);
  by("watch").hidden = !found.queries.length;
  if (page.title !== title || !page.query.figures.length) await choose(title);
}

function stop() {
  clearInterval(page.playing);
  page.playing = null;
  by("play").textContent = "▶";
}

function play() {
  if (page.playing) { stop(); return; }
  page.live = false;
  if (page.at >= page.query.figures.length - 1) page.at = -1;
  by("play").textContent = "❚❚";
  page.playing = setInterval(async () => {
    if (page.at >= page.query.figures.length - 1) { stop(); page.live = true; status(); return; }
    await show(page.at + 1);
  }, PACE);
}

by("queries").addEventListener("change", (event) => { stop(); choose(event.target.value); });
by("keys").addEventListener("change", (event) => { picture.key = event.target.value; draw(); });
by("scrub").addEventListener("input", (event) => { stop(); page.live = Number(event.target.value) === page.query.figures.length - 1; show(Number(event.target.value)); });
by("play").addEventListener("click", play);
by("live").addEventListener("click", () => { stop(); page.live = true; show(page.query.figures.length - 1); });
document.addEventListener("keydown", (event) => {
  if (/^(TEXTAREA|INPUT|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName) || !page.query) return;
  if (event.key === " ") { event.preventDefault(); play(); }
  if (event.key === "ArrowLeft") { stop(); page.live = false; show(Math.max(0, page.at - 1)); }
  if (event.key === "ArrowRight") { stop(); show(page.at + 1); }
});
let resized = 0;
addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => { if (page.frame) draw(); }, 120); });

start().catch((error) => state(String(error.message || error), "bad"));
