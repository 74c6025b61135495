import { execFile } from "node:child_process";
import { join } from "node:path";
import { node24, peersFolder } from "../setup/peers.ts";
import { cleanEnv } from "../setup/program.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a script or a command line of `test/peers/` on Node 24 to its end, without anything of this process's environment. */
export function runPeer(path: readonly string[], args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) =>
    execFile(node24, [join(peersFolder, ...path), ...args], { env: cleanEnv() }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    ),
  );
}

/** `["--env", "A=1", "--env", "B=2"]` */
export function flagPairs(flag: string, values: Readonly<Record<string, string>> = {}, between = "="): string[] {
  return Object.entries(values).flatMap(([name, value]) => [flag, `${name}${between}${value}`]);
}
