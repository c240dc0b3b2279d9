// Numbers as people read them. Places and lengths of time are milliseconds.

const UNITS = [[86400000, "d"], [3600000, "h"], [60000, "min"], [1000, "s"], [1, "ms"]];
const short = (x, digits) => x.toLocaleString("en-US", { maximumFractionDigits: digits });

export function share(ratio) {
  if (ratio === null || ratio === undefined) return "–";
  const percent = 100 * ratio;
  return percent > 0 && percent < 0.001 ? "<0.001 %" : `${short(percent, percent < 1 ? 3 : 2)} %`;
}

export function length(x, isTime = true) {
  if (x === null || x === undefined) return "–";
  if (!isTime) return short(x, 6);
  const sign = x < 0 ? "−" : "";
  const size = Math.abs(x);
  const [unit, name] = UNITS.find(([least]) => size >= least) || UNITS[4];
  if (unit >= 60000) { // 7 min 30 s says more than 7.5 min
    const next = UNITS[UNITS.findIndex(([least]) => least === unit) + 1];
    const whole = Math.floor(size / unit), rest = Math.round((size - whole * unit) / next[0]);
    return `${sign}${whole} ${name}${rest ? ` ${rest} ${next[1]}` : ""}`;
  }
  return `${sign}${short(size / unit, unit === 1000 && size < 10000 ? 2 : 1)} ${name}`;
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
