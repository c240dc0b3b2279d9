// Numbers as people read them. Places and lengths of time are milliseconds.

const UNITS = [[86400000, "d"], [3600000, "h"], [60000, "min"], [1000, "s"], [1, "ms"]];
const short = (x, digits) => x.toLocaleString("en-US", { maximumFractionDigits: digits });

export function share(ratio) {
  if (ratio === null || ratio === undefined) return "–";
  const percent = 100 * ratio;
  return percent > 0 && percent < 0.001 ? "<0.001 %" : `${short(percent, percent < 1 ? 3 : 2)} %`;
}

// What is worth showing of a length of its size: three figures of seconds, then seconds, minutes, hours.
const DETAIL = [[10, 0.1], [1000, 1], [1e4, 10], [6e5, 100], [36e5, 1000], [864e5, 6e4], [Infinity, 36e5]];
const detail = (x) => DETAIL.find(([below]) => Math.abs(x) < below)[1];

function spoken(x, least, fixed) {
  const size = Math.round(Math.abs(x) / least) * least; // rounded before it is split: 59.99 s is 1 min
  if (!size && x) return `<${spoken(least, least, false)}`;
  const seconds = (ms, below) => { const digits = below < 100 ? 2 : below < 1000 ? 1 : 0; return fixed ? (ms / 1000).toFixed(digits) : short(ms / 1000, digits); };
  let text;
  if (size < 1000 && least < 100) text = `${short(size, least < 1 ? 1 : 0)} ms`;
  else if (size < 6e4) text = `${seconds(size, least)} s`;
  else {
    const at = UNITS.findIndex(([unit]) => size >= unit), [unit, name] = UNITS[at], [next, below] = UNITS[at + 1];
    const whole = Math.floor((size + least / 2) / unit), rest = Math.max(0, size - whole * unit);
    const more = next === 1000 ? seconds(rest, least) : String(Math.round(rest / next));
    text = `${whole} ${name}${Number(more) || fixed ? ` ${more} ${below}` : ""}`;
  }
  return `${x < 0 ? "−" : ""}${text}`;
}

export function length(x, isTime = true) {
  if (x === null || x === undefined) return "–";
  if (!isTime) return short(x, 6);
  // rounding may lift a length to where less is shown: 9.996 s is 10 s, 59.96 min is 1 h
  const least = detail(x);
  return spoken(x, Math.max(least, detail(Math.round(Math.abs(x) / least) * least)), false);
}

// Lengths of one column: in as much detail as the longest, and at least seconds.
export function lengths(all, isTime = true) {
  const known = all.filter((x) => x !== null && x !== undefined).map(Math.abs);
  const most = known.length ? Math.min(1000, detail(Math.max(...known))) : 1;
  return (x) => (!isTime || x === null || x === undefined ? length(x, isTime) : spoken(x, Math.max(most, detail(x)), Math.abs(x) < 36e5));
}

export function place(x, isTime = true) {
  if (x === null || x === undefined) return "–";
  return isTime ? new Date(x).toISOString().replace("T", " ").slice(0, 19) : short(x, 6);
}

// Places in one list: without the day where all have the same.
export function places(all, isTime = true) {
  const days = new Set(all.filter((x) => x !== null && x !== undefined).map((x) => place(x, isTime).slice(0, 10)));
  return (x) => (isTime && days.size === 1 && x !== null && x !== undefined ? place(x, isTime).slice(11) : place(x, isTime));
}

export const count = (x) => (x === null || x === undefined ? "–" : short(x, 0));

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5];

// Marks of an axis: about `most` of them.
export function marks(low, high, most, isTime) {
  const span = Math.max(high - low, 1e-9);
  let step = isTime ? STEPS.find((one) => span / one <= most) : undefined;
  if (step === undefined) {
    const power = 10 ** Math.floor(Math.log10(span / most));
    step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => span / one <= most);
    if (isTime) step = 864e5 * Math.ceil(span / most / 864e5);
  }
  const found = [];
  for (let x = Math.ceil(low / step) * step; x <= high; x += step) found.push(x);
  const text = (x) => {
    if (!isTime) return short(x, step < 1 ? 4 : 0);
    const iso = new Date(x).toISOString();
    return step >= 864e5 ? iso.slice(5, 10) : step >= 6e4 ? iso.slice(11, 16) : step >= 1e3 ? iso.slice(11, 19) : iso.slice(14, 23);
  };
  return found.map((x) => [x, text(x)]);
}
