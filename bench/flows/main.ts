// Prints, as Markdown, what each flow takes: node bench/flows.mjs
import { bugs } from "./bugs.ts";
import type { Flow } from "./flow.ts";
import { powerdns } from "./powerdns.ts";
import type { Cost } from "./server.ts";
import { unleash } from "./unleash.ts";

const FLOWS: readonly Flow[] = [bugs, powerdns, unleash];

const HEAD = ["task", "server", "calls", "bytes of arguments", "bytes of replies", "tools", "bytes of their list"];
const COUNTS = ["calls", "sent", "received", "tools", "listBytes"] as const;

const lines = [line(HEAD), line(HEAD.map((_, at) => (at < 2 ? "---" : "---:")))];
for (const flow of FLOWS) {
  if (!flow.isPossible()) {
    lines.push(line([flow.task, "skipped: its server is not installed", ...COUNTS.map(() => "")]));
    continue;
  }
  const { ours, plain } = await flow.measure();
  const ratios = COUNTS.map((key) => `${(plain[key] / ours[key]).toFixed(1)}×`);
  lines.push(
    line([flow.task, "vitrine", ...cells(ours)]),
    line(["", "one tool an endpoint", ...cells(plain)]),
    line(["", "ratio", ...ratios]),
  );
}
console.log(lines.join("\n"));

function cells(cost: Cost): string[] {
  return COUNTS.map((key) => cost[key].toLocaleString("en"));
}

function line(columns: readonly string[]): string {
  return `| ${columns.join(" | ")} |`;
}
