import type { ArgumentFault } from "./argument-faults.ts";

const MOST_DEPTH = 32;
const MOST_NODES = 10_000;

/** What is too deep or too large to be looked at any further; walks without recursion, so that depth cannot hurt it. */
export function boundArguments(raw: unknown, path = ""): ArgumentFault | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: raw, depth: 0 }];
  for (let nodes = 0; open.length > 0; nodes += 1) {
    const { value, depth } = open.pop()!;
    if (depth > MOST_DEPTH) return tooMuch(path, `nested more than ${MOST_DEPTH} levels deep`);
    if (nodes + open.length > MOST_NODES) return tooMuch(path, `made of more than ${MOST_NODES} values`);
    if (typeof value !== "object" || value === null) continue;
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (inside.length > MOST_NODES) return tooMuch(path, `made of more than ${MOST_NODES} values`);
    for (const one of inside) open.push({ value: one, depth: depth + 1 });
  }
  return undefined;
}

function tooMuch(path: string, how: string): ArgumentFault {
  const name = path === "" ? "The arguments are" : `\`${path}\` is`;
  return { code: "invalid_arguments", path, message: `${name} ${how}, which is more than this tool reads.` };
}
