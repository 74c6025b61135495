import { type Command, parseCommand } from "../command.ts";
import { readWorkers, WORKERS_HELP } from "../read-workers.ts";

const HELP = `vitrine host HOST_FILE: serve many curations on one origin, to callers with keys or access tokens

${WORKERS_HELP}

  It reads its files again when one of them changes, or at SIGHUP; on any error the last good ones are served on. SIGTERM drains: /readyz says so
  at once, calls that run are finished. The log is on stderr, one line of JSON a fact.

  VITRINE_SECRET       in the environment: what page tokens are sealed with, the same on all replicas (see vitrine serve --help)

  MCP is served at /mcp/NAME; beside it are a page for callers at / (it asks for their key), /healthz, /readyz and, for private addresses that ask directly, /metrics.
  The format of the host file: vitrine schema --host. A key for a caller: vitrine key new SERVER`;

export const host: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "HOST_FILE",
      options: { workers: { type: "string" } },
    });
    const file = positionals[0] ?? "";
    const count = readWorkers(values.workers);
    // To nobody listening it would be the end, also while it starts, and of calls that finish.
    const stopHangup = shell.onHangup?.(() => {});
    try {
      if (count > 1) {
        const { hostWithWorkers } = await import("../host/host-with-workers.ts");
        return await hostWithWorkers(file, count, shell);
      }
      const { runHost } = await import("../host/run-host.ts");
      return await runHost(file, shell);
    } finally {
      stopHangup?.();
    }
  },
};
