import type * as z from "zod";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Problem, SourcePosition } from "../model/problem.ts";
import { createLocator } from "./create-locator.ts";
import { explainIssues, type Telling } from "./explain-issues.ts";
import type { Finding, Path } from "./finding.ts";
import { nameKnownKeys } from "./name-known-keys.ts";
import { inOrder, withoutEchoes, withoutUnread } from "./order-findings.ts";
import { readYaml } from "./read-yaml.ts";

export type { Telling } from "./explain-issues.ts";
export type { Finding } from "./finding.ts";

/** A settings file as its schema reads it, and every mistake in it at its place, in the order of the text. */
export interface Settings<T> {
  /** Absent where the schema found mistakes. */
  readonly content?: T;
  readonly problems: readonly Problem[];
  /** The same with what else was found in `content`. */
  withFindings(more: readonly Finding[]): readonly Problem[];
  locate(path: Path, at?: Finding["at"]): SourcePosition;
}

/** Reads a YAML file by a schema of it, in the way that curations are read. Throws `UnreadableInput` for a text that is not YAML at all. */
export function readSettings<S extends z.ZodType>(
  file: string,
  text: string,
  schema: S,
  telling: Telling,
): Settings<z.output<S>> {
  const source = text.replace(/^\uFEFF/, "");
  const { tree, value, findings } = readYaml(file, source);
  const locate = createLocator(file, source, tree);
  const root: JsonObject = isJsonObject(value) ? value : {};
  const parsed = schema.safeParse(root, { error: nameKnownKeys, jitless: true });
  const issues = withoutUnread(withoutEchoes(explainIssues(parsed.error?.issues ?? [], root, telling)), findings);
  const own = [...findings, ...(isJsonObject(value) ? [] : [noMapping(value === null)]), ...issues];
  const place = (all: readonly Finding[]) =>
    inOrder(all.map((finding) => ({ finding, position: locate(finding.path, finding.at) })));
  return {
    ...(parsed.success && { content: parsed.data }),
    problems: place(own),
    withFindings: (more) => place([...own, ...more]),
    locate: (path, at = "key") => locate(path, at),
  };
}

function noMapping(isEmpty: boolean): Finding {
  const message = isEmpty ? "The file is empty." : "The file must be a mapping.";
  return { code: "wrong_type", path: [], at: "value", message };
}
