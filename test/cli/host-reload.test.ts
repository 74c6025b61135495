import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadHost } from "../../src/cli/host/load-host.ts";
import { reloadHost } from "../../src/cli/host/reload-host.ts";
import type { HostLog } from "../../src/host/host-log.ts";
import type { Served } from "../../src/host/opened-server.ts";
import { makeCaller } from "../host/make-caller.ts";

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  servers: [{ url: "https://desk.example.com" }],
  paths: { "/items": { get: { operationId: "find", responses: { 200: { description: "Ok." } } } } },
};
const hostOf = (curation: string): string => `listen: 127.0.0.1:0
publicUrl: http://127.0.0.1
servers: { desk: { curation: ${curation}, root: . } }
`;
const curationOf = (tool: string): string => `vitrine: 1
api: { spec: ./spec.json }
server: { name: desk }
tools: { ${tool}: { operation: find, use: Find what is there. } }
`;
const toolsOf = ({ servers }: Served): string[] =>
  servers
    .get("desk")!
    .generation({ tags: {}, writes: false })
    .tools.map(({ name }) => name);

test("a file that is named for the first time, and is another right after it was read, is read again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-reload-"));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("spec.json", JSON.stringify(SPEC));
  write("old.yaml", curationOf("find_old"));
  write("new.yaml", curationOf("find_one"));
  write("host.yaml", hostOf("./old.yaml"));
  const file = join(folder, "host.yaml");
  const running = { env: {}, secrets: [], report: () => undefined };
  const first = await loadHost(file, running);
  const served: string[][] = [];
  const replace = (next: Served): void => {
    if (served.length === 0) write("new.yaml", curationOf("find_two"));
    served.push(toolsOf(next));
  };
  const log = { tell: () => undefined } as unknown as HostLog;
  const generations = { served: 1, isLast: true };
  const reload = reloadHost({ file, first, running, host: { replace }, log, generations });
  write("host.yaml", hostOf("./new.yaml"));
  await reload.now();
  expect(served).toStrictEqual([["find_one"], ["find_two"]]);
  reload.close();
  rmSync(folder, { recursive: true });
});

test("what a caller brings is one thing for as long as it is known, so that what is kept for it is found again by the page and by MCP", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-reload-"));
  const file = join(folder, "host.yaml");
  writeFileSync(join(folder, "spec.json"), JSON.stringify(SPEC));
  writeFileSync(join(folder, "one.yaml"), curationOf("find_one"));
  writeFileSync(file, hostOf("./one.yaml"));
  const { served } = await loadHost(file, { env: {}, secrets: [], report: () => undefined });
  const desk = served!.servers.get("desk")!;
  const [ann, bob] = [makeCaller({ server: "desk" }), makeCaller({ server: "desk" })];
  expect(desk.credentialsOf(ann)).toBe(desk.credentialsOf(ann));
  expect(desk.credentialsOf(ann)).not.toBe(desk.credentialsOf(bob));
  await desk.close();
  rmSync(folder, { recursive: true });
});

test("what is unset is told at once, of the host file and of what its curations read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-reload-"));
  const file = join(folder, "host.yaml");
  const claims = '{ a: "${env.CLAIM}" }';
  writeFileSync(join(folder, "spec.json"), JSON.stringify(SPEC));
  writeFileSync(
    join(folder, "one.yaml"),
    curationOf("find_one").replace("api: {", 'api: { baseUrl: "${env.URL}", headers: { X-A: "${key.a}" },'),
  );
  writeFileSync(
    file,
    `${hostOf("./one.yaml").replace("root: .", "root: ., env: [URL]")}keys: { ann: { hash: "sha256:${"a".repeat(64)}", server: desk, claims: ${claims} } }\nshared: redis://\${env.STORE}\n`,
  );
  const { served, problems } = await loadHost(file, { env: {}, secrets: [], report: () => undefined });
  expect(served).toBeUndefined();
  expect(problems.map(({ code, message }) => `${code} ${/`(\w+)`/.exec(message)?.[1]}`).toSorted()).toStrictEqual([
    "unset_variable CLAIM",
    "unset_variable STORE",
    "unset_variable URL",
  ]);
  rmSync(folder, { recursive: true });
});
