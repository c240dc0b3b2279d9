// The live cell: windows over event time, the frontier, the newest event and late tuples. Text of the data only ever becomes text.

const STYLE = `
.transom-cell{--ink:#1b2129;--soft:#566270;--rule:#dfe4ea;--panel:#fff;--blue:#0b63ce;--red:#c4232f;--green:#187a37;--grey:#7f8994;
font:13px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--panel);border:1px solid var(--rule);border-radius:8px;padding:10px 14px;max-width:900px}
@media (prefers-color-scheme:dark){.transom-cell{--ink:#e7ecf2;--soft:#9aa5b1;--rule:#2b323b;--panel:#12171e;--blue:#58a2ff;--red:#ff6a60;--green:#45c463}}
.transom-cell .head{display:flex;flex-wrap:wrap;gap:2px 14px;align-items:baseline}.transom-cell .soft{color:var(--soft);font-size:12px}
.transom-cell .live{color:var(--green);font-size:12px}.transom-cell text{font:10.5px system-ui,sans-serif;fill:var(--soft)}
.transom-cell .frame{fill:var(--blue);fill-opacity:.06;stroke:var(--blue);stroke-opacity:.5}.transom-cell .open{fill:var(--blue);fill-opacity:.42}
.transom-cell .closed{fill:var(--blue);fill-opacity:.9}.transom-cell .rule{stroke:var(--rule)}
.transom-cell .frontier{stroke:var(--green);stroke-width:2}.transom-cell text.at-frontier{fill:var(--green);font-weight:600}
.transom-cell .newest{stroke:var(--grey);stroke-width:1.5;stroke-dasharray:4 3}
.transom-cell .missed{fill:var(--red)}.transom-cell .late{fill:var(--panel);stroke:var(--red);stroke-width:1.5}`;

const WIDE = 760, LEFT = 48, TOP = 30, HEIGHT = 96, LATE = 26;

function text(parent, tag, content, kind) {
  const one = document.createElement(tag);
  one.textContent = content;
  if (kind) one.className = kind;
  parent.append(one);
  return one;
}

function svg(parent, name, attributes, content) {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) one.setAttribute(key, attributes[key]);
  if (content !== undefined) one.textContent = content;
  parent.append(one);
  return one;
}

function lanes(windows) {
  const ends = [], found = windows.map((w) => {
    let lane = ends.findIndex((end) => end <= w[1] + 1e-6);
    if (lane < 0) lane = ends.push(0) - 1;
    ends[lane] = w[2];
    return lane;
  });
  return [found, Math.max(1, ends.length)];
}

function draw(node, frame) {
  node.replaceChildren();
  text(node, "style", STYLE);
  if (!frame) { text(node, "p", "Nothing has arrived yet."); return; }
  const head = text(node, "div", "", "head");
  text(head, "strong", frame.title);
  text(head, "span", frame.ended ? "ended" : "live", frame.ended ? "soft" : "live");
  text(head, "span", frame.says || "");
  const known = (x) => x !== null && x !== undefined && Number.isFinite(x);
  const all = frame.windows, last = frame.newest;
  const near = known(frame.newest_right) ? all.filter((w) => w[1] <= Math.max(frame.newest_right, frame.frontier ?? frame.newest_right)) : all;
  const beyond = near.length ? all.length - near.length : 0; // windows of a clock that is wrong: they would leave the others no room
  if (beyond) frame = { ...frame, windows: near, newest: frame.newest_right };
  const xs = [...frame.windows.flatMap((w) => [w[1], w[2]]), frame.frontier, frame.newest].filter(known);
  if (!xs.length) { text(node, "p", "Windows of this kind depend on the tuples: they are known when they close.", "soft"); return; }
  picture(node, frame, Math.min(...xs), Math.max(...xs), known);
  const open = all.filter((w) => !w[4]).length;
  const more = beyond ? ` ${beyond} windows lie beyond the right edge, to ${frame.is_time ? new Date(last).toISOString().slice(11, 19) : last}: the clock of a substream is wrong.` : "";
  text(node, "div", `${open} windows open (pale), ${all.length - open} closed (dark);${more} Dots are late tuples, filled ones missed a window.${frame.is_time ? " Times are UTC." : ""}`, "soft");
}

function picture(node, frame, low, high, known) {
  const x = (at) => LEFT + 4 + ((at - low) / (high - low || 1)) * (WIDE - LEFT - 12), bottom = TOP + HEIGHT, base = bottom + LATE;
  const at = (place) => (frame.is_time ? new Date(place).toISOString().slice(11, 19) : String(place));
  const drawn = svg(node, "svg", { viewBox: `0 0 ${WIDE} ${base + 16}`, width: "100%", role: "img", "aria-label": "windows over event time" });
  const [lane, count] = lanes(frame.windows), tall = HEIGHT / count, gap = tall > 6 ? 2 : 0;
  const most = Math.max(1, ...frame.windows.map((w) => w[3] || 0));
  frame.windows.forEach((w, n) => {
    const top = TOP + (count - 1 - lane[n]) * tall, each = Math.max(0.3, tall - gap), wide = Math.max(0.5, x(w[2]) - x(w[1]) - 1);
    const level = w[3] === null ? (w[4] ? 1 : 0) : Math.max(0.03, w[3] / most);
    svg(drawn, "rect", { class: "frame", x: x(w[1]), y: top, width: wide, height: each, "stroke-width": tall < 4 ? 0.15 : 1 });
    svg(drawn, "rect", { class: w[4] ? "closed" : "open", x: x(w[1]), y: top + each * (1 - level), width: wide, height: each * level });
  });
  svg(drawn, "line", { class: "rule", x1: LEFT, x2: WIDE, y1: bottom + 1, y2: bottom + 1 });
  if (count === 1 && frame.windows.some((w) => w[3] !== null)) {
    for (const [label, y] of [["tuples", TOP - 4], [most.toLocaleString("en-US"), TOP + 10], ["0", bottom]]) svg(drawn, "text", { x: LEFT - 6, y, "text-anchor": "end" }, label);
  }
  svg(drawn, "text", { x: LEFT - 6, y: bottom + 17, "text-anchor": "end" }, "late");
  for (const [place, , , fate] of frame.recent_late_tuples || []) {
    if (known(place) && place >= low && place <= high) svg(drawn, "circle", { class: fate === "missed" ? "missed" : "late", cx: x(place), cy: bottom + 14, r: 3.5 });
  }
  for (const [name, place, y] of [["newest", frame.newest, 11], ["frontier", frame.frontier, 24]]) {
    if (!known(place)) continue;
    svg(drawn, "line", { class: name, x1: x(place), x2: x(place), y1: TOP - 4, y2: base });
    const end = x(place) > WIDE - 150;
    svg(drawn, "text", { class: `at-${name}`, x: x(place) + (end ? -4 : 4), y, "text-anchor": end ? "end" : "start" }, `${name === "newest" ? "newest event" : name} ${at(place)}`);
  }
  svg(drawn, "text", { x: LEFT, y: base + 12 }, at(low));
  svg(drawn, "text", { x: WIDE - 4, y: base + 12, "text-anchor": "end" }, at(high));
}

export default { render({ model, el }) {
  const node = document.createElement("div");
  node.className = "transom-cell";
  el.append(node);
  const show = () => draw(node, model.get("frame"));
  model.on("change:frame", show);
  show();
} };
