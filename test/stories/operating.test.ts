import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Running, start } from "../cli/running.ts";
import { readBlocks } from "../setup/doc-page.ts";
import { hashOf, keyOf } from "../setup/keys.ts";
import { LIST } from "../setup/post-message.ts";
import { freePort } from "../setup/processes.ts";
import { findProgram } from "../setup/servers.ts";

// What docs/hosting.md tells an operator to put around the program, checked against the program.

const block = (name: string): string => readBlocks("docs/hosting.md").find(({ mark }) => mark === `save=${name}`)!.text;

interface Container {
  readonly args: string[];
  readonly ports: { name: string; containerPort: number }[];
  readonly env: { name: string; value?: string }[];
  readonly volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  readonly lifecycle: { preStop: { exec: { command: string[] } } };
  readonly securityContext: object;
  readonly [probe: string]: unknown;
}

const [deployment, budget, service] = parseAllDocuments(block("kubernetes.yaml")).map((one) => one.toJS());
const pod = deployment.spec.template.spec;
const [container] = pod.containers as [Container];

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  paths: { "/tickets": { get: { operationId: "listTickets", responses: { "200": { description: "Ok." } } } } },
};

let folder: string;
let running: Running;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-operating-"));
  port = await freePort();
  writeFileSync(join(folder, "desk.json"), JSON.stringify(SPEC));
  writeFileSync(
    join(folder, "desk.yaml"),
    `vitrine: 1
api: { spec: ./desk.json, baseUrl: "\${env.DESK_URL}", headers: { X-Key: "\${env.DESK_KEY}" } }
server: { name: desk }
tools: { list_tickets: { operation: listTickets, use: List the tickets of the desk. } }
`,
  );
  const host = {
    listen: `127.0.0.1:${port}`,
    publicUrl: "https://tools.example.com",
    proxies: 1,
    servers: { desk: { curation: "./desk.yaml", root: ".", env: ["DESK_URL", "DESK_KEY"] } },
    keys: { ann: { hash: hashOf("ann"), server: "desk" } },
  };
  writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
  const given = container.env.map(({ name, value }) => [name, value ?? "canary-of-a-secret-of-32-characters"]);
  const [mount] = container.volumeMounts;
  const args = container.args.slice(1).map((one) => one.replace(mount?.mountPath ?? "", folder));
  mkdirSync(join(folder, "cache"));
  running = start(args, { ...Object.fromEntries(given), XDG_CACHE_HOME: join(folder, "cache") });
  await running.said("err", '"listening"');
});
afterAll(() => {
  running.child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

const PUBLIC = "tools.example.com";

/** A request under a Host of one's own, which `fetch` does not allow. */
async function ask(to: number, path: string, host: string, message?: object) {
  const headers = {
    host,
    authorization: `Bearer ${keyOf("ann")}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const options = { port: to, path, headers, method: message === undefined ? "GET" : "POST", agent: false };
  return new Promise<{ readonly status: number | undefined; readonly body: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", ...options }, async (response) => {
      resolve({ status: response.statusCode, body: await readText(response) });
    });
    sent.on("error", reject).end(message && JSON.stringify(message));
  });
}

describe("the Deployment", () => {
  test("runs what there is, and its probes are answered where they ask", async () => {
    expect(container.args[0]).toBe("vitrine");
    const http = container.ports.find(({ name }) => name === "http");
    expect(http?.containerPort).toBe(3000);
    for (const name of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      const { httpGet } = container[name] as { httpGet: { path: string; port: string } };
      expect(httpGet.port).toBe(http?.name);
      // The kubelet asks by the pod's address.
      const { status } = await ask(port, httpGet.path, `10.1.2.3:${port}`);
      expect([name, status]).toStrictEqual([name, 200]);
    }
    expect(service.spec.ports[0].targetPort).toBe(http?.name);
  });

  test("gives calls that run the time that draining gives them", () => {
    const [sleep, seconds] = container.lifecycle.preStop.exec.command;
    expect(sleep).toBe("sleep");
    // Two seconds of leaving, 0.3 of saying so, 50 for calls: cli/host/run-host.ts.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 2.3 + 50);
  });

  test("may do nothing that it need not, and writes only to its cache", () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    const cache = container.env.find(({ name }) => name === "XDG_CACHE_HOME")?.value;
    const mounted = container.volumeMounts.filter(({ readOnly }) => readOnly !== true);
    expect(mounted.map(({ mountPath }) => mountPath)).toStrictEqual([cache]);
    for (const { name, value } of container.env) if (/KEY|SECRET|REDIS/.test(name)) expect(value).toBeUndefined();
  });

  test("is one with the budget and the service", () => {
    const { labels } = deployment.spec.template.metadata;
    for (const selector of [
      deployment.spec.selector.matchLabels,
      budget.spec.selector.matchLabels,
      service.spec.selector,
    ])
      expect(selector).toStrictEqual(labels);
    expect(budget.spec.maxUnavailable).toBeLessThan(deployment.spec.replicas);
    const names = pod.volumes.map(({ name }: { name: string }) => name);
    expect(names).toStrictEqual(container.volumeMounts.map(({ name }) => name));
  });
});

/** Asks a proxy as its callers do, once it has found the program. */
async function askThrough(proxied: number): Promise<void> {
  const found = async () => expect((await ask(proxied, "/readyz", PUBLIC)).status).toBe(200);
  await vi.waitFor(found, { timeout: 8_000, interval: 100 });
  const listed = await ask(proxied, "/mcp/desk", PUBLIC, LIST);
  expect(listed).toStrictEqual({ status: 200, body: expect.stringContaining("list_tickets") });
  // Under a name of its own network and without a proxy it is there.
  expect((await ask(port, "/metrics", "vitrine")).status).toBe(200);
  expect((await ask(proxied, "/metrics", "vitrine")).status).toBe(404);
}

async function within(child: ChildProcess, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    child.kill("SIGKILL");
  }
}

describe("in front of it", () => {
  const nginx = findProgram("nginx");
  test.skipIf(nginx === undefined)("nginx passes on what is needed", { timeout: 20_000 }, async () => {
    const proxied = await freePort();
    const location = block("nginx.conf").replace("127.0.0.1:3000", `127.0.0.1:${port}`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const conf = join(folder, "nginx.conf");
    const server = `server { listen 127.0.0.1:${proxied};\n${location}}`;
    writeFileSync(
      conf,
      `pid ${join(folder, "nginx.pid")};\nmaster_process off;\nevents {}\nhttp { access_log off;\n${temporary.join("\n")}\n${server} }\n`,
    );
    const args = ["-c", conf, "-e", join(folder, "nginx.err"), "-g", "daemon off;"];
    await within(spawn(nginx!, args, { stdio: "ignore" }), () => askThrough(proxied));
  });

  const haproxy = findProgram("haproxy");
  test.skipIf(haproxy === undefined)("haproxy passes on what is needed", { timeout: 20_000 }, async () => {
    const proxied = await freePort();
    const conf = join(folder, "haproxy.cfg");
    const text = block("haproxy.cfg").replace("bind :8443", `bind 127.0.0.1:${proxied}`);
    writeFileSync(conf, text.replace("127.0.0.1:3000", `127.0.0.1:${port}`));
    const checked = spawnSync(haproxy!, ["-c", "-f", conf], { encoding: "utf8" });
    expect([checked.status, checked.stderr]).toStrictEqual([0, ""]);
    await within(spawn(haproxy!, ["-f", conf], { stdio: "ignore" }), () => askThrough(proxied));
  });
});

describe("the unit of systemd", () => {
  const unit = block("vitrine.service");

  test("starts what there is, and lets calls that run end", () => {
    const [, args = ""] = /^ExecStart=\/usr\/bin\/env vitrine (.*)$/m.exec(unit) ?? [];
    expect(args.split(" ")).toStrictEqual([container.args[1], expect.stringMatching(/host\.yaml$/)]);
    expect(unit).toMatch(/^ExecReload=kill -HUP \$MAINPID$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(2.3 + 50);
  });

  const analyze = findProgram("systemd-analyze");
  test.skipIf(analyze === undefined)("is one that systemd takes", () => {
    const file = join(folder, "vitrine.service");
    writeFileSync(file, unit);
    const { stderr } = spawnSync(analyze!, ["verify", "--man=no", file], { encoding: "utf8" });
    expect(stderr.split("\n").filter((line) => line.includes("vitrine.service"))).toStrictEqual([]);
  });
});
