import { execFileSync } from "node:child_process";
import { preferAll } from "../measure.mjs";

/**
 * Has these processes run before all others that are here, where that may be asked for: the slowest calls would else be those that had to wait, and what
 * is interrupted takes longer. Gives the function that ends it, for one that goes on with something else.
 */
export function preferBefore(...pids) {
  preferAll(...pids);
  const schedule = (...how) => {
    for (const pid of pids) {
      try {
        execFileSync("chrt", ["--all-tasks", ...how, "--pid", how[0] === "--fifo" ? "1" : "0", `${pid}`], {
          stdio: "ignore",
        });
      } catch {}
    }
  };
  schedule("--fifo");
  return () => schedule("--other");
}
