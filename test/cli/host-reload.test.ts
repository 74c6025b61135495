import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadHost } from "../../src/cli/host/load-host.ts";
import { reloadHost } from "../../src/cli/host/reload-host.ts";
import type { HostLog } from "../../src/host/host-log.ts";
import type { Served } from "../../src/host/opened-server.ts";

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
