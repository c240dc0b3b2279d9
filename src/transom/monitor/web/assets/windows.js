// The picture: windows as bars over event time, the frontier and the newest event, late tuples falling below.

import { el, put, svg } from "./dom.js";
import { count, length, marks, place } from "./format.js";

const LEFT = 54, RIGHT = 8, TOP = 38, MOST_HEIGHT = 280, ONE_LANE = 120, LATE = 58, AXIS = 22;
const LISTED = 200;
const THIN = 4, SHADES = 5; // lanes thinner than this many pixels are shaded, not filled

// Lanes, so that windows that overlap lie above each other.
function lanes(windows) {
  const ends = [];
  return windows.map(([, low, high]) => {
    let lane = ends.findIndex((end) => end <= low + 1e-6);
    if (lane < 0) lane = ends.push(0) - 1;
    ends[lane] = high;
    return lane;
  });
}

// Where the picture ends on the right, if the clock of a substream is wrong: its windows lie far in the future, and would leave the
// others no room. What lies beyond is counted at the edge.
export function parted(frame, windows) {
  const end = frame.newest_right ?? null, near = end === null ? windows : windows.filter(([, low]) => low <= Math.max(end, frame.frontier ?? end));
  const beyond = windows.filter((one) => !near.includes(one));
  if (!near.length || !beyond.length) return { near: windows, beyond: [], newest: frame.newest, last: null };
  return { near, beyond, newest: end, last: frame.newest };
}

export function domain(frame) {
  const xs = [frame.frontier, frame.newest, ...frame.windows.flatMap(([, low, high]) => [low, high]), ...frame.late_tuples.map(([at]) => at)];
  const known = xs.filter((x) => x !== null && x !== undefined && Number.isFinite(x));
  if (!known.length) return null;
  const low = Math.min(...known), high = Math.max(...known);
  const pad = (high - low || 1000) * 0.02;
  return [low - pad, high + pad];
}

export class Picture {
  constructor(node) {
    this.node = node;
    this.closed = new Set();
    this.title = null;
    this.tip = el("div", { class: "tip", hidden: "" });
    this.key = "";
  }

  draw(frame, before) {
    const every = this.windowsOf(frame), { near: windows, beyond, newest, last } = parted(frame, every);
    const edge = beyond.length ? Math.max(newest, ...windows.map(([, , to]) => to)) : Infinity;
    const span = domain({ ...frame, windows, newest, late_tuples: frame.late_tuples.filter(([at]) => at <= edge) });
    if (!span) { put(this.node, el("p", { class: "note" }, "No window is known yet.")); return null; }
    const wide = Math.max(280, this.node.clientWidth), [low, high] = span;
    const x = (at) => LEFT + 4 + ((at - low) / (high - low)) * (wide - LEFT - RIGHT - 4);
    const lane = lanes(windows), many = Math.max(1, ...lane.map((n) => n + 1));
    const each = many === 1 ? ONE_LANE : Math.min(26, MOST_HEIGHT / many), height = many * each;
    const bottom = TOP + height, base = bottom + LATE, isTime = frame.is_time !== false;
    const most = Math.max(1, ...windows.map((w) => w[3] || 0));
    const gap = each > 6 ? 2 : 0, thin = each < THIN;
    const paths = { "w-open": [], "w-fill": [], "w-closed": [], "w-closed-frame": [], "w-closed w-new": [] };
    for (let k = 0; k < SHADES; k++) paths[`w-shade s${k}`] = [];
    const old = new Set((before ? before.windows : []).filter((w) => w[4]).map((w) => w[0]));
    const seen = windows.map(([id, from, to, n, closed], k) => {
      const left = x(from), right = Math.max(x(to), left + 0.5), inset = right - left > 4 ? 0.75 : 0;
      const top = TOP + (many - 1 - lane[k]) * each, tall = Math.max(each - gap, 0.25);
      const box = (y, h) => `M${(left + inset).toFixed(1)} ${y.toFixed(2)}H${(right - inset).toFixed(1)}V${(y + h).toFixed(2)}H${(left + inset).toFixed(1)}Z`;
      const level = n === null ? (closed ? 1 : 0) : Math.max(0.04, n / most);
      paths[closed ? "w-closed-frame" : "w-open"].push(box(top, tall));
      if (thin && !closed) paths[`w-shade s${Math.min(SHADES - 1, Math.floor(level * SHADES))}`].push(box(top, tall));
      else if (thin) paths["w-closed"].push(box(top, tall));
      else if (level) {
        const fresh = closed && before && before.n < frame.n && !old.has(id);
        paths[fresh ? "w-closed w-new" : closed ? "w-closed" : "w-fill"].push(box(top + tall * (1 - level), tall * level));
      }
      return { id, from, to, n, closed, left, right, top, tall };
    });
    const drawn = Object.entries(paths).filter(([, d]) => d.length)
      .map(([name, d]) => svg("path", { class: name, d: d.join(""), "data-windows": d.length }));
    const lines = [["frontier", frame.frontier], ["newest", newest]].filter(([, at]) => at !== null && at !== undefined).map(([name, at], n, all) => {
      const text = `${name === "newest" ? "newest event" : name} ${place(at, isTime).slice(isTime ? 11 : 0)}`;
      const near = all.length > 1 && Math.abs(x(all[0][1]) - x(all[1][1])) < 130;
      const end = x(at) > wide - 170 || (near && name === "frontier" && x(at) > 170);
      return svg("g", { class: `at-${name}` }, svg("line", { class: `l-${name}`, x1: x(at), x2: x(at), y1: TOP - 6, y2: base }),
        svg("text", { class: `t-${name}`, x: x(at) + (end ? -5 : 5), y: name === "newest" ? 12 : 27, "text-anchor": end ? "end" : "start" }, text));
    });
    const fallen = this.fallen(frame).filter(([at]) => at >= low && at <= high);
    const farthest = Math.max(1, ...fallen.map(([at, by]) => by - at));
    const late = fallen.map(([at, by, key, fate, past]) => {
      const y = bottom + 12 + ((by - at) / farthest) * (LATE - 22);
      const kind = `late${fate === "missed" ? "" : " counted"}${past ? " past" : before && before.n !== frame.n ? " late-new" : ""}`;
      const text = `${key || "tuple"} of ${place(at, isTime)}\n${frame.missed_by_pane ? "about " : ""}${length(by - at, isTime)} late; ${fate === "missed" ? "missed a window" : "still counted"}`;
      return svg("circle", { class: kind, cx: x(at), cy: y, r: fate === "missed" ? 4 : 3.5, "data-text": text });
    });
    const scale = [
      ...(many === 1 && windows.some((w) => w[3] !== null) ? [["tuples", TOP - 8], [count(most), TOP + 10], ["0", bottom]] : [["windows", TOP + 10]]),
      ...(fallen.length ? [["late by", bottom + 18], [length(farthest, isTime).replace(/ (\S+) \S+ \S+$/, " $1"), base - 4]] : [["late", bottom + 18], ["none", bottom + 32]])];
    const grid = marks(low, high, Math.max(2, Math.floor(wide / 110)), isTime).map(([at, text]) => [
      svg("line", { class: "grid", x1: x(at), x2: x(at), y1: TOP, y2: base }), svg("text", { x: Math.min(Math.max(x(at), LEFT), wide - 20), y: base + 14, "text-anchor": "middle" }, text)]);
    const hover = svg("rect", { class: "w-hover", hidden: "" });
    const total = base + AXIS + (beyond.length ? 14 : 0);
    const picture = svg("svg", { viewBox: `0 0 ${wide} ${total}`, height: total, role: "img", "aria-label": says(frame, every, isTime) },
      scale.map(([text, y]) => svg("text", { x: LEFT - 8, y, "text-anchor": "end" }, text)),
      grid, svg("line", { class: "ground", x1: LEFT, x2: wide - RIGHT, y1: bottom + 1, y2: bottom + 1 }), svg("g", { class: thin ? "thin" : null }, drawn),
      late, lines, beyond.length ? this.arrow(frame, beyond, last, wide, base, isTime) : null, hover);
    picture.addEventListener("pointermove", (event) => this.point(event, seen, hover, isTime, wide));
    picture.addEventListener("pointerleave", () => { this.tip.hidden = true; hover.setAttribute("hidden", ""); });
    put(this.node, picture, this.tip);
    return { windows: every, thin };
  }

  // What lies beyond the right edge, and whose clock that is.
  arrow(frame, beyond, last, wide, base, isTime) {
    const whose = frame.substreams.filter((one) => one.clock_ahead).map((one) => one.name).join(", ");
    const many = `${count(beyond.length)}${wide < 600 ? "" : ` window${beyond.length > 1 ? "s" : ""}`} beyond`;
    const text = `${many}, to ${place(last, isTime).slice(isTime ? 11 : 0)}${wide < 600 || whose.length > 30 ? "" : ` (clock of ${whose})`} →`;
    return svg("text", { class: "t-beyond", x: wide - RIGHT, y: base + AXIS + 8, "text-anchor": "end" }, text);
  }

  // Late tuples of this micro-batch, and paler those before it.
  fallen(frame) {
    const own = frame.late_tuples.map((one) => [...one, false]);
    const past = (frame.recent_late_tuples || []).slice(own.length).map((one) => [...one, true]);
    return [...past, ...own].filter(([, , key]) => !this.key || key === this.key);
  }

  windowsOf(frame) {
    if (!this.key || !frame.keys || !frame.keys[this.key]) return frame.windows;
    const own = new Map(frame.keys[this.key]);
    return frame.windows.filter(([id]) => own.has(id)).map(([id, low, high, , closed]) => [id, low, high, own.get(id), closed]);
  }

  point(event, seen, hover, isTime, wide) {
    const box = this.node.getBoundingClientRect(), scale = wide / box.width;
    const px = (event.clientX - box.left) * scale, py = (event.clientY - box.top) * scale;
    const late = event.target.dataset ? event.target.dataset.text : null;
    const found = late ? null : seen.find((w) => px >= w.left && px <= w.right && py >= w.top - 0.2 && py <= w.top + Math.max(w.tall, 0.5));
    this.tip.hidden = !found && !late;
    if (late) this.show(late, px / scale, py / scale, box.width);
    if (!found) { hover.setAttribute("hidden", ""); return; }
    hover.removeAttribute("hidden");
    for (const [name, value] of [["x", found.left], ["y", found.top], ["width", found.right - found.left], ["height", Math.max(found.tall, 2)]]) hover.setAttribute(name, value);
    const tuples = found.n === null ? "tuples are not counted" : `${count(found.n)} tuples`;
    this.show(`${place(found.from, isTime)} to ${place(found.to, isTime)}\n${found.closed ? "closed" : "open"}, ${tuples}`, px / scale, py / scale, box.width);
  }

  // The tip beside the pointer, inside of the picture.
  show(text, x, y, room) {
    this.tip.style.left = "0px";
    this.tip.textContent = text;
    this.tip.style.left = `${Math.max(0, Math.min(x + 12, room - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${y + 14}px`;
  }
}

function says(frame, windows, isTime) {
  const open = windows.filter((w) => !w[4]).length;
  return `${open} windows open, frontier ${place(frame.frontier, isTime)}, newest event ${place(frame.newest, isTime)}`;
}

export function listed(frame, windows, make) {
  const isTime = frame.is_time !== false;
  const rows = windows.slice(0, LISTED).map(([, low, high, n, closed]) => ({ cells: [place(low, isTime), place(high, isTime), n === null ? "not counted" : n, closed ? "closed" : "open"] }));
  return [make(["start", "end", "tuples", "state"], rows), windows.length > LISTED ? el("p", { class: "note" }, `the first ${LISTED} of ${count(windows.length)}`) : null];
}
