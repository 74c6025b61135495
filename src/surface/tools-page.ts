import { compareTexts } from "../model/compare-texts.ts";
import { counted } from "../model/counted.ts";
import type { Said } from "../model/said.ts";
import type { PortableSchema } from "../model/schema.ts";
import { canonicalLine, shortDigest } from "./manifest/canonical.ts";
import { block, span, spans } from "./manifest/code-marks.ts";
import type { Conduct, Manifest, ManifestAction, ManifestTool } from "./manifest-format.ts";

/**
 * The tool list as a page of Markdown that a person reads, and reviews line by line when it changes. Whatever the spec or the curation says stands in
 * blocks and spans of code, where nothing acts (CommonMark 4.5, 6.1), and with what cannot be seen as numbers.
 */
export function writeToolsPage({ made, server, tokens, pins, tools }: Manifest): string {
  const facts = [
    ...(server.title === undefined ? [] : [`Title: ${span(server.title)}`]),
    `${counted(tools.length, "tool")}, ${tokens} tokens (o200k_base)`,
    ...(pins.length === 0 ? [] : [`Pinned: ${spans(pins)}`]),
    `Structured replies: ${server.structured ? "yes" : "no"}`,
    `Page tokens are good for ${server.pageTokenTtlMs / 1000} s`,
    ...made.from.map(({ path, sha256 }) => `From ${span(path)}, SHA-256 ${span(sha256)}`),
    `Made by vitrine ${span(made.vitrine)}; make it anew with ${span("vitrine tools CURATION --lock")}, do not edit`,
  ];
  const head = [
    `# ${span(server.name)}`,
    list(facts),
    ...(server.instructions === "" ? [] : [block(server.instructions)]),
  ];
  return `${[...head, ...tools.flatMap(describeTool)].join("\n\n")}\n`;
}

function describeTool(tool: ManifestTool): readonly string[] {
  const { conduct, group, name } = tool;
  const facts = [`${tool.tokens} tokens`, ...factsOf(tool), ...(conduct === undefined ? [] : describeConduct(conduct))];
  const actions = Object.entries(group?.actions ?? {});
  const shown = group === undefined ? facts : [...facts, `The action is in ${span(group.discriminator)}`];
  return [
    `## ${span(name)}`,
    block(`${tool.title}\n\n${tool.description}`),
    list(shown),
    // What an action takes stands with it.
    ...(group === undefined ? [block(describeInputs(tool.inputSchema)), ...describeSaid(conduct)] : []),
    ...actions.flatMap(([action, one]) => describeAction(`${name}/${action}`, one)),
  ];
}

function describeAction(name: string, action: ManifestAction): readonly string[] {
  return [
    `### ${span(name)}`,
    block(`${action.title}\n\n${action.description}`),
    list([...factsOf(action), ...describeConduct(action.conduct)]),
    block(describeInputs(action.inputSchema)),
    ...describeSaid(action.conduct),
  ];
}

function factsOf({ annotations, tags, aliases = [], outputSchema }: ManifestAction | ManifestTool): readonly string[] {
  const hints = Object.entries({
    "read-only": annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    idempotent: annotations.idempotentHint,
    "open world": annotations.openWorldHint,
  }).filter(([, holds]) => holds);
  return [
    `Hints: ${hints.map(([words]) => words).join(", ") || "none"}`,
    ...(tags.length === 0 ? [] : [`Tags: ${spans(tags)}`]),
    ...(aliases.length === 0 ? [] : [`Old names: ${spans(aliases)}`]),
    ...(outputSchema === undefined ? [] : [`Replies with ${spans(Object.keys(outputSchema.properties ?? {}))}`]),
  ];
}

/** Every key of it in a line, so that whatever changes shows. */
function describeConduct(conduct: Conduct): readonly string[] {
  const { operations, access, budget, deadlineMs, limit, requests, replies, said: _, ...others } = conduct;
  return [
    `Sends ${operations.length === 0 ? "nothing" : spans(operations)}`,
    ...(access.length === 0 ? [] : [`Asks for ${spans(access)}`]),
    ...(limit === undefined ? [] : [`Rows: ${limit.default}, at most ${limit.max}`]),
    `Replies have at most ${budget} bytes and come within ${deadlineMs / 1000} s`,
    ...Object.entries(others)
      .toSorted(([a], [b]) => compareTexts(a, b))
      .flatMap(([key, value]) => linesOf(key, value)),
    `Requests ${span(shortDigest(requests))}, replies ${span(shortDigest(replies))}`,
  ];
}

function linesOf(key: string, value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return [`${key}: ${spans(value)}`];
  if (Array.isArray(value)) return value.map((one) => `${key}: ${span(canonicalLine(one))}`);
  return [`${key}: ${span(canonicalLine(value))}`];
}

/** An input a line, what is in it indented under it. */
function describeInputs(schema: PortableSchema, indent = ""): string {
  const inputs = Object.entries(schema.properties ?? {});
  if (inputs.length === 0) return `${indent}no arguments`;
  return inputs
    .flatMap(([name, one]) => {
      const needed = schema.required?.includes(name) === true ? ", required" : "";
      const said = one.description === undefined ? "" : `: ${oneLine(one.description)}`;
      const inner = one.items ?? one;
      const inside = inner.properties === undefined ? [] : [describeInputs(inner, `${indent}  `)];
      return [`${indent}${oneLine(name)} (${typeText(one)}${needed})${said}`, ...inside];
    })
    .join("\n");
}

/** What the spec says of the reply, a name a line. */
function describeSaid(conduct: Conduct | undefined): readonly string[] {
  if (conduct?.said === undefined) return [];
  return [block([`Reply, as the spec says (${saidText(conduct.said)})`, ...saidLines(conduct.said, "  ")].join("\n"))];
}

function saidLines({ properties = {}, items }: Said, indent: string): readonly string[] {
  const inside = items === undefined ? [] : saidLines(items, indent);
  return [
    ...Object.entries(properties).flatMap(([name, one]) => [
      `${indent}${oneLine(name)} (${saidText(one)})`,
      ...saidLines(one, `${indent}  `),
    ]),
    ...inside,
  ];
}

function saidText({ type = "any", nullable, optional, format, enum: values, enumDigest, items }: Said): string {
  const kind = values === undefined ? type : values.map((one) => JSON.stringify(one)).join(" | ");
  return [
    items === undefined ? kind : `${kind} of ${saidText(items)}`,
    ...(format === undefined ? [] : [oneLine(format)]),
    ...(enumDigest === undefined ? [] : [oneLine(enumDigest)]),
    ...(nullable === true ? ["or null"] : []),
    ...(optional === true ? ["optional"] : []),
  ].join(", ");
}

function typeText(schema: PortableSchema): string {
  const { type, items, enum: values, description: _, properties: _inside, required: _needed, ...others } = schema;
  const bounds = Object.entries(others).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const kind = values === undefined ? (type ?? "any") : values.map((one) => JSON.stringify(one)).join(" | ");
  return [items === undefined ? kind : `list of ${typeText(items)}`, ...bounds].join(", ");
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
