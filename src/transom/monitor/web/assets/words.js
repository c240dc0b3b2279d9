// The words of the page, as docs/glossary.md has them: at each place where one stands, and all of them in a list.

import { el, put } from "./dom.js";

export const WORDS = new Map([
  ["tuple", "a row of a stream"],
  ["event time", "the time in a tuple, which says when it happened, and not when it arrived"],
  ["window", "a specification, such as RANGE 5 MINUTES SLIDE 1 MINUTE, and each of the sets of tuples it cuts out of a stream"],
  ["frontier", "the largest x promised so far; it never moves back. Spark calls it watermark"],
  ["newest event", "the tuple with the largest value so far"],
  ["delay", "how far the frontier is behind the newest tuple"],
  ["late", "below the frontier when it arrived"],
  ["dropped", "late, and in no window because of that"],
  ["substream", "a part of a stream with its own order: a Kafka partition, a file, the rows of one device"],
  ["micro-batch", "the tuples that Spark takes in one go, and the work on them"],
  ["state", "what a query keeps from micro-batch to micro-batch: tuples, or partials"],
  ["partial", "the aggregate of one key's tuples in one pane"],
  ["pane", "a piece of the axis that successive windows share, gcd(range, slide) long"],
  ["operator", "what turns the slices of a shard into results"],
  ["SLACK", "a fixed delay"],
  ["DRATIO", "the share of tuples that may come late"],
  ["IDLE AFTER", "how long a substream may be silent before the others no longer wait for it"],
  ["AHEAD", "how far the time of a tuple may be ahead of its arrival; what is farther is set aside"],
]);

// A word with its meaning, to point at.
export const word = (name, text = name) => el("abbr", { title: `${name}: ${WORDS.get(name)}` }, text);

// Elements that name a word get its meaning; all words together make a list.
export function explained(body, node) {
  for (const one of body.querySelectorAll("[data-word]")) one.title = `${one.dataset.word}: ${WORDS.get(one.dataset.word)}`;
  put(node, [...WORDS].flatMap(([name, meaning]) => [el("dt", {}, name), el("dd", {}, meaning)]));
}
