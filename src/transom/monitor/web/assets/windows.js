// The picture: windows as bars over event time, the frontier and the newest event, late tuples falling below.

import { el, put, svg } from "./dom.js";
import { count, length, marks, place } from "./format.js";

const LEFT = 8, RIGHT = 8, TOP = 30, MOST_HEIGHT = 260, LATE = 54, AXIS = 20;
const LISTED = 200;

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

export function domain(frame) {
  const xs = [frame.frontier, frame.newest, ...frame.windows.flatMap(([, low, high]) => [low, high]), ...frame.missed.map(([at]) => at)];
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
    const windows = this.windowsOf(frame);
    const span = domain({ ...frame, windows });
    if (!span) { put(this.node, el("p", { class: "note" }, "No window is known yet.")); return null; }
    const wide = Math.max(280, this.node.clientWidth), [low, high] = span;
    const x = (at) => LEFT + ((at - low) / (high - low)) * (wide - LEFT - RIGHT);
    const lane = lanes(windows), many = Math.max(1, ...lane.map((n) => n + 1));
    const each = many === 1 ? 90 : Math.min(26, MOST_HEIGHT / many), height = many * each;
    const bottom = TOP + height, base = bottom + LATE, isTime = frame.is_time !== false;
    const most = Math.max(1, ...windows.map((w) => w[3] || 0));
    const gap = each > 6 ? 2 : 0;
    const paths = { "w-open": [], "w-fill": [], "w-closed": [], "w-closed-frame": [], "w-new": [] };
    const old = new Set((before ? before.windows : []).filter((w) => w[4]).map((w) => w[0]));
    const seen = windows.map(([id, from, to, n, closed], k) => {
      const left = x(from), right = Math.max(x(to), left + 0.5), inset = right - left > 4 ? 0.75 : 0;
      const top = TOP + (many - 1 - lane[k]) * each, tall = Math.max(each - gap, 0.25);
      const box = (y, h) => `M${(left + inset).toFixed(1)} ${y.toFixed(2)}H${(right - inset).toFixed(1)}V${(y + h).toFixed(2)}H${(left + inset).toFixed(1)}Z`;
      const level = n === null ? (closed ? 1 : 0) : Math.max(0.04, n / most);
      paths[closed ? "w-closed-frame" : "w-open"].push(box(top, tall));
      if (level) {
        paths[closed ? "w-closed" : "w-fill"].push(box(top + tall * (1 - level), tall * level));
        if (closed && before && before.n < frame.n && !old.has(id)) paths["w-new"].push(box(top + tall * (1 - level), tall * level));
      }
      return { id, from, to, n, closed, left, right, top, tall };
    });
    const drawn = Object.entries(paths).filter(([, d]) => d.length)
      .map(([name, d]) => svg("path", { class: name === "w-new" ? "w-closed w-new" : name, d: d.join(""), "data-windows": d.length, "stroke-width": each < 3 ? 0.2 : 1 }));
    const lines = [["frontier", frame.frontier], ["newest", frame.newest]].filter(([, at]) => at !== null && at !== undefined).map(([name, at], n, all) => {
      const near = all.length > 1 && Math.abs(x(all[0][1]) - x(all[1][1])) < 130;
      const end = x(at) > wide - 170 || (near && name === "frontier" && x(at) > 170);
      return svg("g", { class: `at-${name}` }, svg("line", { class: `l-${name}`, x1: x(at), x2: x(at), y1: TOP - 6, y2: base }),
        svg("text", { class: `t-${name}`, x: x(at) + (end ? -5 : 5), y: name === "newest" ? 12 : 24, "text-anchor": end ? "end" : "start" }, `${name} ${place(at, isTime).slice(isTime ? 11 : 0)}`));
    });
    const farthest = Math.max(1, ...frame.missed.map(([at, by]) => by - at));
    const late = frame.missed.filter(([, , key]) => !this.key || key === this.key).map(([at, by, key]) => {
      const y = bottom + 10 + ((by - at) / farthest) * (LATE - 20);
      return svg("circle", { class: `late${before && before.n !== frame.n ? " late-new" : ""}`, cx: x(at), cy: y, r: 3.5 },
        svg("title", {}, `${key || "tuple"}: ${place(at, isTime)}, ${frame.missed_by_pane ? "about " : ""}${length(by - at, isTime)} late`));
    });
    const grid = marks(low, high, Math.max(2, Math.floor(wide / 110)), isTime).map(([at, text]) => [
      svg("line", { class: "grid", x1: x(at), x2: x(at), y1: TOP, y2: base }), svg("text", { x: Math.min(Math.max(x(at), 18), wide - 20), y: base + 14, "text-anchor": "middle" }, text)]);
    const hover = svg("rect", { class: "w-hover", hidden: "" });
    const picture = svg("svg", { viewBox: `0 0 ${wide} ${base + AXIS}`, height: base + AXIS, role: "img", "aria-label": says(frame, windows, isTime) },
      grid, svg("line", { class: "grid", x1: LEFT, x2: wide - RIGHT, y1: bottom + 2, y2: bottom + 2 }), drawn,
      late, frame.missed_count ? svg("text", { x: wide - RIGHT, y: base - 4, "text-anchor": "end" }, `missed a window: ${count(frame.missed_count)}${frame.missed.length < frame.missed_count ? `, ${frame.missed.length} shown` : ""}`) : null,
      lines, hover);
    picture.addEventListener("pointermove", (event) => this.point(event, seen, hover, isTime, wide));
    picture.addEventListener("pointerleave", () => { this.tip.hidden = true; hover.setAttribute("hidden", ""); });
    put(this.node, picture, this.tip);
    return { x, low, high, wide, windows };
  }

  windowsOf(frame) {
    if (!this.key || !frame.keys || !frame.keys[this.key]) return frame.windows;
    const own = new Map(frame.keys[this.key]);
    return frame.windows.filter(([id]) => own.has(id)).map(([id, low, high, , closed]) => [id, low, high, own.get(id), closed]);
  }

  point(event, seen, hover, isTime, wide) {
    const box = this.node.getBoundingClientRect(), scale = wide / box.width;
    const px = (event.clientX - box.left) * scale, py = (event.clientY - box.top) * scale;
    const found = seen.find((w) => px >= w.left && px <= w.right && py >= w.top - 0.2 && py <= w.top + Math.max(w.tall, 0.5));
    this.tip.hidden = !found;
    if (!found) { hover.setAttribute("hidden", ""); return; }
    hover.removeAttribute("hidden");
    for (const [name, value] of [["x", found.left], ["y", found.top], ["width", found.right - found.left], ["height", Math.max(found.tall, 2)]]) hover.setAttribute(name, value);
    const tuples = found.n === null ? "tuples are not counted" : `${count(found.n)} tuples`;
    this.tip.textContent = `${place(found.from, isTime)} to ${place(found.to, isTime)}\n${found.closed ? "closed" : "open"}, ${tuples}`;
    this.tip.style.left = `${Math.min(px / scale + 12, box.width - 230)}px`;
    this.tip.style.top = `${py / scale + 14}px`;
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
