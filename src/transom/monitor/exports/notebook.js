function text(parent, tag, content) { const one = document.createElement(tag); one.textContent = content; parent.append(one); return one; }
function draw(node, frame) {
  node.replaceChildren();
  if (!frame) { text(node, "p", "Nothing has arrived yet."); return; }
  text(node, "strong", frame.title + (frame.ended ? " (ended)" : ""));
  text(node, "div", frame.says || "");
  const xs = frame.windows.flatMap((w) => [w[1], w[2]]).concat([frame.frontier, frame.newest].filter((x) => x !== null && x !== undefined));
  if (!xs.length) return;
  const low = Math.min(...xs), high = Math.max(...xs), x = (at) => 4 + ((at - low) / (high - low || 1)) * 692;
  const svg = (name, attributes, parent) => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) one.setAttribute(key, attributes[key]);
    parent.append(one);
    return one;
  };
  const picture = svg("svg", { viewBox: "0 0 700 150", width: "100%", role: "img", "aria-label": "windows over event time" }, node);
  const ends = [], lanes = frame.windows.map((w) => {
    let lane = ends.findIndex((end) => end <= w[1]);
    if (lane < 0) lane = ends.push(0) - 1;
    ends[lane] = w[2];
    return lane;
  });
  const tall = Math.min(90, 110 / Math.max(1, ends.length)), most = Math.max(1, ...frame.windows.map((w) => w[3] || 0));
  frame.windows.forEach((w, n) => {
    const top = 12 + lanes[n] * tall, level = w[3] === null ? 1 : w[3] / most, wide = Math.max(0.5, x(w[2]) - x(w[1]) - 1);
    svg("rect", { x: x(w[1]), y: top, width: wide, height: Math.max(0.3, tall - 1), fill: "none", stroke: "#4493f8", "stroke-width": tall < 3 ? 0.2 : 1 }, picture);
    svg("rect", { x: x(w[1]), y: top + (tall - 1) * (1 - level), width: wide, height: (tall - 1) * level, fill: "#4493f8", "fill-opacity": w[4] ? 0.95 : 0.4 }, picture);
  });
  for (const [name, at, colour] of [["frontier", frame.frontier, "#3fb950"], ["newest", frame.newest, "#8c959f"]]) {
    if (at === null || at === undefined) continue;
    svg("line", { x1: x(at), x2: x(at), y1: 4, y2: 130, stroke: colour, "stroke-width": 2 }, picture);
    const label = svg("text", { x: Math.min(x(at), 560), y: name === "newest" ? 147 : 136, fill: colour, "font-size": 10 }, picture);
    label.textContent = name + " " + (frame.is_time ? new Date(at).toISOString().slice(11, 19) : at);
  }
  for (const [at] of frame.missed) svg("circle", { cx: x(at), cy: 126, r: 3, fill: "#f85149" }, picture);
}
export default { render({ model, el }) {
  const node = document.createElement("div");
  el.append(node);
  const show = () => draw(node, model.get("frame"));
  model.on("change:frame", show);
  show();
} };
