import { UsageError } from "./command.ts";

export const WORKERS_HELP = `  --workers N          serve with N processes at the one address, for a machine with several cores; one that ends is replaced (default: 1)`;

const MOST = 64;

/** How many processes are to serve. Throws `UsageError`. */
export function readWorkers(text = "1"): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST) return count;
  throw new UsageError(`--workers ${text} is no number of processes: write a number from 1 to ${MOST}.`);
}
