// A table of how long calls took: of each server the quantiles, and their ratio to what nothing watches, with how sure it is.
import { quantile, table } from "../measure.mjs";

const SHARES = [0.5, 0.99];
const RESAMPLES = 200;

const HEAD = ["watched by", "calls", ...SHARES.flatMap((share) => [`p${share * 100}, ms`, "ratio", "95 %"])];

export const METHOD = `Processes serve the same tools over HTTP, each watched in another way. They are called in turns by chance, in blocks of 256 calls, two at
once, in the way of both eras, by a process that collects no garbage within a block. A quantile is that of all calls of a server; its ratio, to that of the
two servers that nothing watches, lies between these bounds in 95 % of bootstrap samples of the rounds. Those two against each other say how fit the method was.`;

/** `runs` are what `measureTails` gave. */
export function tailTable([first, second, ...others]) {
  const draws = Array.from({ length: RESAMPLES }, () =>
    first.rounds.map(() => Math.floor(Math.random() * first.rounds.length)),
  );
  const measure = (rounds) => ({
    all: quantilesOf(rounds),
    drawn: draws.map((at) => quantilesOf(at.map((one) => rounds[one]))),
  });
  const [one, other] = [first, second].map(({ rounds }) => measure(rounds));
  const floor = measure(first.rounds.map((own, round) => [...own, ...second.rounds[round]]));
  const rows = others.map(({ name, rounds }) => row(name, rounds, measure(rounds), floor));
  return table(HEAD, [row(second.name, second.rounds, other, one), ...rows]);
}

function quantilesOf(rounds) {
  const sorted = Float64Array.from(rounds.flat()).sort();
  return SHARES.map((share) => sorted[Math.floor(sorted.length * share)]);
}

function row(name, rounds, own, floor) {
  const cells = SHARES.flatMap((_, at) => {
    const ratios = own.drawn.map((quantiles, draw) => quantiles[at] / floor.drawn[draw][at]);
    const [low, high] = [0.025, 0.975].map((share) => quantile(ratios, share).toFixed(3));
    return [own.all[at].toFixed(3), (own.all[at] / floor.all[at]).toFixed(3), `${low} to ${high}`];
  });
  return [name, rounds.flat().length, ...cells];
}
