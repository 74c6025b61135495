import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBugs, TOKEN } from "../../test/bugs/start-bugs.ts";
import type { Flow } from "./flow.ts";
import { openPlainTools } from "./plain-tools.ts";
import { play, type Script } from "./server.ts";
import { openVitrineTools } from "./vitrine-tools.ts";

const around = (at: string) => [-1_000, 1_000].map((ms) => new Date(Date.parse(at) + ms).toISOString());

const ours: Script = async (call) => {
  const task = await call("bugs_get_task", { task: "#42" });
  const { report } = task.json.reports[0];
  const summary = await call("bugs_get_report", { report });
  const [{ request, at }] = summary.json.failed_requests;
  await call("bugs_get_request", { report, request });
  const [since, until] = around(at);
  await call("bugs_list_console", { report, level: "error", since, until });
};

/** By an agent that uses every parameter that helps, and was told which project it is. */
const plain: Script = async (call) => {
  const projectId = "shop";
  const found = await call("listTasks", { projectId, number: 42 });
  const taskId = found.json.tasks[0].id;
  const task = await call("getTask", { projectId, taskId });
  const reportId = task.json.reports[0].id;
  const failed = await call("listNetworkEntries", { projectId, reportId, outcome: "failed" });
  const { id, at } = failed.json.entries.find(({ status }: { status: number }) => status >= 500);
  await call("getNetworkEntry", { projectId, reportId, entryId: id });
  const [since, until] = around(at);
  await call("listConsoleEntries", { projectId, reportId, level: "error", since, until });
};

export const bugs: Flow = {
  task: "Look at task #42 and find the failing request",
  isPossible: () => true,
  measure: async () => {
    const upstream = await startBugs();
    const folder = mkdtempSync(join(tmpdir(), "vitrine-flows-"));
    const claims = join(folder, "as.yaml");
    writeFileSync(claims, "claims: { projectId: shop }\n");
    const env = { BUGS_URL: upstream.url, BUGS_TOKEN: TOKEN };
    const server = await openVitrineTools(["curation/bugs.yaml", "--as", claims], env);
    try {
      const endpoints = openPlainTools("specs/bugs.yaml", upstream.url, { authorization: `Bearer ${TOKEN}` });
      return { ours: await play(server, ours), plain: await play(endpoints, plain) };
    } finally {
      await server.close();
      await upstream.stop();
      rmSync(folder, { recursive: true });
    }
  },
};
