import { fork } from "node:child_process";
import { once } from "node:events";
import { faultsOf, type Proof, proveSpec } from "./prove-spec.ts";
import { listSpecs, type PublishedSpec, specsFolder } from "./published-specs.ts";
import { writeTable } from "./write-table.ts";

/** `npm run specs [-- NAME…] [--seed TEXT] [--every N] [--folder PATH]`: one process a document, so that memory is given back. */
async function main(args: readonly string[]): Promise<number> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const names = args.filter((arg, at) => !arg.startsWith("--") && !args[at - 1]?.startsWith("--"));
  const all = listSpecs(specsFolder(option("--folder")));
  const wanted = names.length === 0 ? all : all.filter(({ name }) => names.some((one) => name.includes(one)));
  const proofs: Proof[] = [];
  const queue = [...wanted];
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      for (let spec = queue.shift(); spec !== undefined; spec = queue.shift()) {
        const proof = await proveApart(spec, option("--seed") ?? "1", Number(option("--every") ?? 1));
        if (proof !== undefined) proofs.push(proof);
      }
    }),
  );
  const order = wanted.map(({ name }) => name);
  proofs.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  process.stdout.write(`${writeTable(proofs)}\n`);
  return proofs.length === wanted.length && proofs.every((proof) => faultsOf(proof).length === 0) ? 0 : 1;
}

async function proveApart(spec: PublishedSpec, seed: string, every: number): Promise<Proof | undefined> {
  const child = fork(process.argv[1]!, [], { env: { ...process.env, PROVE: JSON.stringify({ spec, seed, every }) } });
  const proofs: Proof[] = [];
  child.on("message", (proof) => proofs.push(proof as Proof));
  await once(child, "exit");
  const [proof] = proofs;
  process.stderr.write(
    `${spec.name}: ${proof === undefined ? "FAILED" : `${proof.valid} of ${proof.operations} in ${(proof.ms / 1000).toFixed(1)} s`}\n`,
  );
  return proof;
}

const work = process.env["PROVE"];
if (work === undefined) process.exitCode = await main(process.argv.slice(2));
else {
  const { spec, seed, every } = JSON.parse(work) as { spec: PublishedSpec; seed: string; every: number };
  process.send?.(await proveSpec(spec, seed, every), () => process.exit());
}
