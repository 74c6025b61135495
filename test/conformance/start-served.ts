import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../cli/running.ts";
import { vitrine } from "../setup/program.ts";
import { standBetween } from "./stand-between.ts";
import { startUpstream } from "./start-upstream.ts";

export interface Served {
  readonly url: string;
  stop(): void;
}

/** The two programs that serve MCP over HTTP. */
export const PROGRAMS = {
  /** `vitrine serve --http`, for everybody on this machine. */
  "vitrine serve": async (folder: string, upstream: string): Promise<Served> => {
    const args = ["serve", join(folder, "curation.yaml"), "--http", "127.0.0.1:0", "--watch"];
    const { child, said } = start(args, { UPSTREAM_URL: upstream });
    const url = /http:\S+/.exec(await said("err", "Serving"))![0];
    return { url, stop: () => child.kill("SIGKILL") };
  },
  /** `vitrine host`, for those with a key, which is shown on the way there. */
  "vitrine host": async (folder: string, upstream: string): Promise<Served> => {
    const made = await vitrine(["key", "new", "conformance", "--claims", "{}", "--writes", "--json"]);
    const { key, name, entry } = JSON.parse(made.stdout);
    const server = { curation: "./curation.yaml", root: ".", env: ["UPSTREAM_URL"], allowPrivate: ["127.0.0.0/8"] };
    const host = {
      listen: "127.0.0.1:0",
      publicUrl: "http://127.0.0.1",
      servers: { conformance: server },
      keys: { [name]: entry },
    };
    writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
    const { child, said } = start(["host", join(folder, "host.yaml")], { UPSTREAM_URL: upstream });
    const { port } = JSON.parse(await said("err", '"listening"'));
    const between = await standBetween(`http://127.0.0.1:${port}/mcp/conformance`, { key });
    return {
      url: between.url,
      stop: () => {
        between.stop();
        child.kill("SIGKILL");
      },
    };
  },
} as const;
export type Program = keyof typeof PROGRAMS;

/** Starts a program over the curation of this folder and its upstream, which adds a tool to the curation when it is asked to. */
export async function startServed(program: Program): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-conformance-"));
  const copy = (name: string): string => {
    const text = readFileSync(join(import.meta.dirname, name), "utf8");
    writeFileSync(join(folder, name), text);
    return text;
  };
  copy("api.yaml");
  const curation = copy("curation.yaml");
  let added = 0;
  const upstream = await startUpstream(() => {
    added += 1;
    const tool = `  added_${added}: { operation: getText, use: Get the text once more. }\n`;
    writeFileSync(join(folder, "curation.yaml"), curation + tool);
  });
  const served = await PROGRAMS[program](folder, upstream.url);
  return {
    url: served.url,
    stop: () => {
      served.stop();
      upstream.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
