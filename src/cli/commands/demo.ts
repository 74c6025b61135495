import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type RunningLedger, startLedger } from "../../demo/start-ledger.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { type Command, parseCommand, UsageError } from "../command.ts";
import { type Address, isLoopback, parseAddress } from "../parse-address.ts";
import { canServe } from "../toolset/can-serve.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { serveToolset } from "../toolset/serve-toolset.ts";

const HELP = `vitrine demo: start the demo API, a ledger of technology spend, and serve its tools over HTTP

  --http HOST:PORT    where to serve (default 127.0.0.1:3000, or a free port where that is taken)`;

const DEFAULT: Address = { hostname: "127.0.0.1", port: 3000 };
const QUESTION = "Why did the Azure bill of acme rise last month?";

export const demo: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseCommand(args, { positionals: "", options: { http: { type: "string" } } });
    const address = values.http === undefined ? DEFAULT : parseAddress(values.http);
    if (!isLoopback(address)) throw new UsageError("The demo knows no callers: serve it at a loopback address.");
    const request = { file: findCuration(), root: undefined, readOnly: false, servedOnly: true };
    const loaded = await loadToolset(request, shell.env);
    if (!(await canServe(loaded, shell))) return 1;
    const key = randomBytes(16).toString("hex");
    shell.note("Starting the ledger: a year of charges, in memory.");
    const ledger = await startLedger({ key });
    try {
      const env = { ...shell.env, LEDGER_URL: ledger.url, LEDGER_KEY: key };
      const serve = (at: Address): Promise<number> =>
        serveToolset(
          {
            loaded,
            request,
            caller: { claims: {}, writes: true },
            env,
            watch: false,
            http: { address: at, allowHosts: [] },
            onListening: (url) => shell.print(welcome(url, request.file, ledger, key)),
          },
          shell,
        );
      return await serve(address).catch((error: unknown) => {
        if (values.http !== undefined || !isTaken(error)) throw error;
        shell.note(`Port ${address.port} is taken, so the demo takes a free one.`);
        return serve({ ...address, port: 0 });
      });
    } finally {
      await ledger.close();
    }
  },
};

/** In the source three folders up, in a package beside `dist`. */
function findCuration(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const found = ["..", join("..", "..", "..")]
    .map((up) => join(here, up, "curation", "ledger.yaml"))
    .find((file) => existsSync(file));
  if (found === undefined) throw new UnreadableInput("The demo's curation is missing: curation/ledger.yaml.");
  return found;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

function welcome(url: string, curation: string, ledger: RunningLedger, key: string): string {
  const env = { LEDGER_URL: ledger.url, LEDGER_KEY: key };
  const program = process.argv[1] ?? "vitrine";
  // Whoever has not put it on their PATH starts the file itself.
  const command = basename(program) === "vitrine" ? "vitrine" : `node ${relative("", program)}`;
  const http = { mcpServers: { ledger: { type: "http", url } } };
  const stdio = { mcpServers: { ledger: { command: process.execPath, args: [program, "serve", curation], env } } };
  return `The ledger's tools are served at ${url}

Paste this into your MCP client:

${JSON.stringify(http, null, 2)}

or, for a client that starts its servers itself (the demo must stay running, it is the API behind them):

${JSON.stringify(stdio, null, 2)}

Then ask: ${QUESTION}

To see what an agent sees, and try it yourself: ${new URL("/", url)}

To call a tool from another terminal:

export LEDGER_URL=${ledger.url} LEDGER_KEY=${key}
${command} call ${relative("", curation)} ledger_list_tenants

Ctrl-C ends the demo.`;
}
