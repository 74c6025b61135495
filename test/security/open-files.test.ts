import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { cleanEnv, program } from "../setup/program.ts";
import { folderOf } from "../spec/spec-folder.ts";
import { openRaw, rawCall } from "./raw.ts";
import { callThings, thingsFiles } from "./things.ts";

const FILES = 96;

test.runIf(process.platform === "linux")(
  `a process that may open ${FILES} files takes half as many clients, has files left for its API, and takes others when those have gone`,
  async () => {
    const upstream = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"things":[]}');
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const { files, env } = thingsFiles({ upstreams: { one: url }, keys: ["one-ann"] });
    const folder = folderOf(files);
    const limited = ["-c", `ulimit -n ${FILES} && exec "$0" "$@"`, process.execPath, program, "host"];
    const child = spawn("sh", [...limited, join(folder, "host.yaml")], { env: cleanEnv(env) });
    const lines = createInterface({ input: child.stderr });
    const listening = new Promise<number>((resolve) => {
      lines.on("line", (line) => line.includes('"listening"') && resolve(JSON.parse(line).port));
    });
    const own = `http://127.0.0.1:${await listening}`;
    const sockets = await Promise.all(Array.from({ length: 2 * FILES }, () => openRaw(own)));
    const taken = (): Socket[] => sockets.filter(({ closed }) => !closed);
    for (const socket of sockets) socket.resume();
    await expect.poll(() => taken().length, { timeout: 10_000 }).toBe(FILES / 2);
    const [first] = taken();
    first!.write(rawCall("one-ann", "one"));
    expect(String((await once(first!, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() => callThings({ url: own }, "one-ann", "list_things").then(({ reply }) => reply.data, String))
      .toEqual([]);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    upstream.close().closeAllConnections();
    rmSync(folder, { recursive: true });
  },
);
