// A table of what was measured: of each server its ratio against those without watchers, with how sure it is.
import { ERAS } from "../calls/messages.mjs";
import { median, quantile, table } from "../measure.mjs";
import { CALLS } from "./call-blocks.mjs";

const HEAD = ["at once", "blocks", "processor, ms a call", "ratio", "95 %", "ratio of sums"];
const RESAMPLES = 1_000;

export const METHOD = `Processes serve the same tools over HTTP, each watched in another way. They are called in turns by chance, in blocks of ${CALLS} calls, so many of them at
once, with replies of 1 kB; what a block causes is waited for. A ratio is the median of those of the single rounds, against the mean of the two servers that
nothing watches, and lies between these bounds in 95 % of bootstrap samples of the processes, of which each is compiled in its own way. Those two against each
other say how fit the method was: 1.00 ± 0.01. Where calls come one at a time one process serves them all, watched at one address and not at the other.`;

/** `scenes` are what `measureOverhead` gave, each of a process of its own. */
export function overheadTable(what, scenes) {
  return table([what, "era", ...HEAD], scenes.flatMap(sceneRows));
}

function sceneRows([first, second, ...others]) {
  const rows = (one, against) => ERAS.map((era, at) => row(one, era, one.eras[at], against[at]));
  const floor = first.eras.map((processes, era) =>
    processes.map((own, at) => own.map((one, round) => (one + second.eras[era][at][round]) / 2)),
  );
  return [...rows(second, first.eras), ...others.flatMap((one) => rows(one, floor))];
}

function row({ name, atOnce }, era, own, floor) {
  const ratios = own.map((rounds, at) => rounds.map((one, round) => one / floor[at][round]));
  const [low, high] = groupBounds(ratios);
  const sum = (of) => of.flat().reduce((all, spent) => all + spent, 0);
  return [
    name,
    era,
    atOnce,
    own.flat().length,
    median(own.flat()).toFixed(3),
    median(ratios.flat()).toFixed(3),
    `${low.toFixed(3)} to ${high.toFixed(3)}`,
    (sum(own) / sum(floor)).toFixed(3),
  ];
}

/** As `bounds`, where numbers of one group have more in common than others: groups are drawn, not numbers. */
function groupBounds(groups) {
  const drawn = Array.from({ length: RESAMPLES }, () =>
    median(groups.flatMap(() => groups[Math.floor(Math.random() * groups.length)])),
  );
  return [quantile(drawn, 0.025), quantile(drawn, 0.975)];
}
