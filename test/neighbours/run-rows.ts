import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { Case } from "../cases-runner/read-case.ts";
import { modesOf, runCase } from "../cases-runner/run-case.ts";

/** A spec from `paths:` on, or whole; what is called, and what must come of it. */
export interface Row extends Pick<Case, "operation" | "args" | "credentials" | "upstream" | "expect" | "then_request"> {
  readonly title: string;
  readonly spec: string;
  /** A request unless said. */
  readonly kind?: Case["kind"];
  /** `apart` where the contract has it otherwise for a body of several inputs, and the other way round. */
  readonly only?: "apart" | "whole";
}

/** Runs rows as the cases are run: compiled, served, called, caught at a socket. */
export async function describeRows(title: string, rows: readonly Row[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-neighbours-"));
  const cases = await Promise.all(
    rows.map(async ({ title: name, spec, only, kind = "request", ...rest }, at) => {
      const own = mkdtempSync(join(folder, `${at}-`));
      writeFileSync(
        join(own, "spec.yaml"),
        /^(openapi|swagger):/.test(spec.trim()) ? spec.trim() : `${HEAD}${spec.trim()}\n`,
      );
      const given: Case = { ...rest, name, kind, folder: own };
      const modes = await modesOf(given);
      return { given, name, modes: only === undefined ? modes : modes.filter((mode) => mode === only) };
    }),
  );
  describe(title, () => {
    describe.each(cases)("$name", ({ given, modes }) => {
      test.each(modes)("with the body %s", (mode) => runCase(given, mode));
    });
  });
}

const HEAD = "openapi: 3.1.0\ninfo: {title: case, version: '1.0'}\nservers: [{url: 'https://api.example.com'}]\n";

/** One operation with parameters. */
export function withParameters(list: string, path = "/x", method = "get"): string {
  return `paths: {'${path}': {${method}: {operationId: x, parameters: [${list}], responses: {'200': {description: ok}}}}}`;
}

/** `POST /x` with a body. */
export function withBody(content: string, more = "required: true", head = ""): string {
  return `${head}paths: {/x: {post: {operationId: x, requestBody: {${more}${more && ", "}content: ${content}}, responses: {'200': {description: ok}}}}}`;
}
