// What was measured of calls, as Markdown: of each server its ratios against a floor, round by round, with how sure they are.
import { bounds, median, quantile, table } from "../measure.mjs";

export const METHOD = `Servers take turns by chance, in blocks of calls; the upstream and each server are processes of their own. A ratio is the median of those of the single
rounds, that of sums is over all of them, and either lies between its bounds in 95 % of bootstrap samples. The processor's time is all of the process, user and system, all threads.`;

/**
 * `rows` are `{ cells, blocks, floor }`: first cells, and blocks as of `measureBlocks`, the floor's of the same rounds.
 */
export function callsTable(head, rows) {
  const measured = [
    "processor, ms a call",
    "ratio",
    "95 %",
    "ratio of sums",
    "calls a second",
    "ratio",
    "p50, ms",
    "p99, ms",
    "bytes",
  ];
  return table(
    [...head, ...measured],
    rows.map(({ cells, blocks, floor }) => {
      const ratios = ratiosOf(blocks, floor, "spent");
      const [low, high] = bounds(ratios);
      const times = blocks.flatMap((block) => block.times);
      return [
        ...cells,
        median(blocks.map(({ spent }) => spent)).toFixed(3),
        median(ratios).toFixed(2),
        `${low.toFixed(2)} to ${high.toFixed(2)}`,
        tellSums(blocks, floor),
        median(blocks.map(({ perSecond }) => perSecond)).toFixed(0),
        median(ratiosOf(blocks, floor, "perSecond")).toFixed(2),
        quantile(times, 0.5).toFixed(2),
        quantile(times, 0.99).toFixed(1),
        blocks[0].bytes.toLocaleString("en"),
      ];
    }),
  );
}

/** Collections of garbage fall into few blocks, which a median leaves out. */
function tellSums(blocks, floor) {
  const rounds = blocks.map(({ spent }, round) => [spent, floor[round].spent]);
  const [low, high] = bounds(rounds, ratioOfSums);
  return `${ratioOfSums(rounds).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function ratioOfSums(rounds) {
  const sumOf = (side) => rounds.reduce((sum, round) => sum + round[side], 0);
  return sumOf(0) / sumOf(1);
}

function ratiosOf(blocks, floor, key) {
  return blocks.map((block, round) => block[key] / floor[round][key]);
}
