// A table of what was measured: of each address its ratio against those without watchers, with how sure it is.
import { ERAS } from "../calls/messages.mjs";
import { bounds, median, table } from "../measure.mjs";
import { CALLS } from "./call-blocks.mjs";

const HEAD = ["blocks", "processor, ms a call", "ratio", "95 %", "ratio of sums"];

export const METHOD = `One process serves the same tools over HTTP at several addresses, each watched in another way. They are called in turns by chance, in blocks of ${CALLS} calls, 32 at
once, with replies of 1 kB; what a block causes is waited for. A ratio is the median of those of the single rounds, against the mean of the two addresses that
nothing watches, and lies between these bounds in 95 % of bootstrap samples. Those two against each other say how fit the method was: 1.00 ± 0.01.`;

/** `scenes` are what `measureOverhead` gave, each of a process of its own. */
export function overheadTable(what, scenes) {
  return table([what, "era", ...HEAD], scenes.flatMap(sceneRows));
}

function sceneRows([first, second, ...others]) {
  const rows = (one, against) => ERAS.map((era, at) => row(one, era, one.eras[at], against[at]));
  const floor = ERAS.map((_, at) => first.eras[at].map((own, round) => (own + second.eras[at][round]) / 2));
  return [...rows(second, first.eras), ...others.flatMap((one) => rows(one, floor))];
}

function row({ name }, era, own, floor) {
  const ratios = own.map((one, round) => one / floor[round]);
  const [low, high] = bounds(ratios);
  const sum = (of) => of.reduce((all, spent) => all + spent, 0);
  return [
    name,
    era,
    own.length,
    median(own).toFixed(3),
    median(ratios).toFixed(3),
    `${low.toFixed(3)} to ${high.toFixed(3)}`,
    (sum(own) / sum(floor)).toFixed(3),
  ];
}
