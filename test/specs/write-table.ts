import { type Exception, explainException } from "./exceptions.ts";
import type { Proof } from "./prove-spec.ts";

/** One row a document, then every exception by its reason. */
export function writeTable(proofs: readonly Proof[]): string {
  const header = [
    "document",
    "operations",
    "compiled",
    "sent",
    "valid",
    "by types",
    "valid",
    "input max",
    "output max",
    "compile",
    "time",
    "memory",
  ];
  const rows = proofs.map((proof) => [
    proof.name,
    ...[proof.operations, proof.compiled, proof.sent, proof.valid, proof.sentByTypes, proof.validByTypes].map(String),
    kilo(proof.toolset.largestInput.bytes),
    kilo(proof.toolset.largestOutput.bytes),
    `${(proof.toolset.compileMs / 1000).toFixed(1)} s`,
    `${(proof.ms / 1000).toFixed(1)} s`,
    `${Math.round(proof.peakMB)} MB`,
  ]);
  const sum = (pick: (proof: Proof) => number) => String(proofs.reduce((total, proof) => total + pick(proof), 0));
  const total = [
    "all",
    sum((p) => p.operations),
    sum((p) => p.compiled),
    sum((p) => p.sent),
    sum((p) => p.valid),
    sum((p) => p.sentByTypes),
    sum((p) => p.validByTypes),
    "",
    "",
    "",
    "",
    "",
  ];
  const lines = [header, ...rows, total];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const table = lines.map((line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join("  "),
  );
  return [...table, "", ...writeFigures(proofs), ...proofs.flatMap(writeExceptions)].join("\n");
}

function writeFigures(proofs: readonly Proof[]): string[] {
  const notPortable = proofs.reduce((sum, { toolset }) => sum + toolset.notPortable.length, 0);
  const slowest = proofs.toSorted((a, b) => b.toolset.slowestMsPerTool - a.toolset.slowestMsPerTool)[0];
  const largest = proofs.toSorted((a, b) => b.toolset.largestInput.bytes - a.toolset.largestInput.bytes)[0];
  return [
    `input schemas outside the portable subset: ${notPortable}`,
    ...(largest === undefined
      ? []
      : [
          `largest input schema: ${kilo(largest.toolset.largestInput.bytes)}, ${largest.name} ${largest.toolset.largestInput.operation}`,
        ]),
    ...(slowest === undefined
      ? []
      : [`slowest to compile: ${slowest.name}, ${slowest.toolset.slowestMsPerTool.toFixed(1)} ms a tool`]),
  ];
}

function kilo(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function writeExceptions({ name, exceptions, toolset }: Proof): string[] {
  const groups = new Map<string, Exception[]>();
  for (const exception of exceptions) {
    const because = explainException(name, exception);
    const draw = exception.from === "types" ? " (by types)" : "";
    const kind = `${exception.stage}${draw}: ${because === undefined ? `OURS? ${kindOf(exception.reason)}` : because}`;
    groups.set(kind, [...(groups.get(kind) ?? []), exception]);
  }
  const lines = [...groups].flatMap(([kind, list]) => [
    `  ${list.length} × ${kind}`,
    `      ${list
      .slice(0, 5)
      .map(({ operation }) => operation)
      .join(", ")}${list.length > 5 ? " …" : ""}`,
    ...(kind.includes("OURS?") ? [`      ${list[0]!.reason.replace(/\s+/g, " ").slice(0, 900)}`] : []),
  ]);
  const portable = toolset.notPortable.map((fault) => `  OURS? not portable: ${fault}`).slice(0, 5);
  return lines.length + portable.length === 0 ? [] : ["", name, ...lines, ...portable];
}

/** What exceptions of one kind have in common. */
function kindOf(reason: string): string {
  return (reason.split("\n")[0] ?? "").replace(/`[^`]*`|"[^"]*"|'[^']*'|\d+|\/[\w.[\]{}/-]+/g, "…").slice(0, 140);
}
