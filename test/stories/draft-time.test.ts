import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanEnv, program, repository } from "../setup/program.ts";
import { listSpecs, specsFolder } from "../specs/published-specs.ts";

// What a user waits for, by processor time of whole processes: what else the machine does is not counted.

const SHOWN = new Set(["powerdns-auth-2.0", "resend", "stripe", "kubernetes-2.0", "github-3.0"]);
const specs = listSpecs(specsFolder()).filter(({ name }) => SHOWN.has(name));
/** Says at its end what a process has cost. */
const TELL =
  'import { writeSync } from "node:fs"; process.on("exit", () => { const { user, system } = process.cpuUsage(); writeSync(2, `CPU ${user + system}\\n`); });';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "draft-time-"));
});
afterAll(() => rmSync(root, { recursive: true }));

const run = promisify(execFile);
const rows: string[] = [];

test.each(specs)("to draft $name takes at most twice what checking the draft takes", async ({ name, file }) => {
  const target = join(root, `${name}.yaml`);
  const load = `import { loadApi } from ${JSON.stringify(join(repository, "dist", "index.js"))}; (await loadApi(process.argv[1], {})).index.length;`;
  const loaded = await costOf("--input-type=module", "-e", load, file);
  const drafted = await costOf(program, "draft", file, "-o", target);
  // Under one root with its document, whatever folder that is in.
  writeFileSync(target, readFileSync(target, "utf8").replace(/^( {2}spec: ).*$/m, `$1${JSON.stringify(file)}`));
  const checked = await costOf(program, "check", target, "--root", "/");
  rows.push(
    `${name.padEnd(20)} load ${loaded.toFixed(0)} ms, draft ${drafted.toFixed(0)} ms (${(drafted / loaded).toFixed(1)}), check ${checked.toFixed(0)} ms (${(drafted / checked).toFixed(2)})`,
  );
  expect(drafted).toBeLessThan(2 * checked);
});

test("the table of them", () => {
  process.stderr.write(`\n${rows.join("\n")}\n`);
  expect(rows).toHaveLength(specs.length);
});

/** Milliseconds of processor time of a whole process of Node.js. */
async function costOf(...args: readonly string[]): Promise<number> {
  const env = cleanEnv({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(TELL)}` });
  const { stderr } = await run(process.execPath, args, { cwd: repository, env, maxBuffer: 64_000_000 });
  return Number(/^CPU (\d+)$/m.exec(stderr)?.[1]) / 1_000;
}
