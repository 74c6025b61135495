import { describe, expect, test } from "vitest";
import { annotateTool } from "../../src/compile/words/annotate-tool.ts";
import { curationOf } from "./spec-stub.ts";

type Entry = Parameters<typeof annotateTool>[0];

const at = ["tools", "t"];
const curation = curationOf({ t: { operation: "x" } });

function annotate(entry: Entry, ...methods: string[]) {
  const {
    annotations: a,
    safe,
    problems,
  } = annotateTool(
    entry,
    at,
    methods.map((method) => ({ method })),
    curation,
  );
  const hints = [a.readOnlyHint, a.destructiveHint, a.idempotentHint].map((hint) => (hint ? "yes" : "no")).join(" ");
  return {
    hints,
    open: a.openWorldHint,
    safe,
    notes: problems.map(({ code, severity, file }) => `${severity} ${code} ${file}`),
  };
}

const note = (key: string) => `note declared_safer tools.t.${key}`;
const reads = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"];

/** For each method: undeclared, read, write, destroy, as `readOnly destructive idempotent`. */
const byMethod: readonly (readonly [method: string, unsaid: string, read: string, write: string, destroy: string])[] = [
  ...reads.map((method) => [method, "yes no yes", "yes no yes", "no no no", "no yes no"] as const),
  ["PUT", "no yes yes", "yes no yes", "no no yes", "no yes yes"],
  ["DELETE", "no yes yes", "yes no yes", "no no yes", "no yes yes"],
  ["PATCH", "no yes no", "yes no yes", "no no no", "no yes no"],
  ["POST", "no yes no", "yes no yes", "no no no", "no yes no"],
  ["LINK", "no yes no", "yes no yes", "no no no", "no yes no"],
];

describe("hints", () => {
  test.each(byMethod)("%s, undeclared %s, read %s, write %s, destroy %s", (method, unsaid, read, write, destroy) => {
    const isRead = reads.includes(method);
    expect(annotate({}, method)).toEqual({ hints: unsaid, open: true, safe: isRead, notes: [] });
    const noted = isRead ? [] : [note("effect")];
    expect(annotate({ effect: "read" }, method)).toEqual({ hints: read, open: true, safe: true, notes: noted });
    expect(annotate({ effect: "write" }, method)).toEqual({ hints: write, open: true, safe: false, notes: noted });
    expect(annotate({ effect: "destroy" }, method)).toEqual({ hints: destroy, open: true, safe: false, notes: [] });
  });

  const declared: readonly (readonly [entry: Entry, method: string, hints: string, notes: string[]])[] = [
    [{ idempotent: true }, "POST", "no yes yes", [note("idempotent")]],
    [{ idempotent: true }, "PATCH", "no yes yes", [note("idempotent")]],
    [{ idempotent: true }, "PUT", "no yes yes", []],
    [{ idempotent: true }, "GET", "yes no yes", []],
    [{ idempotent: true, effect: "write" }, "GET", "no no yes", [note("idempotent")]],
    [{ idempotent: true, effect: "write" }, "POST", "no no yes", [note("effect"), note("idempotent")]],
    [{ idempotent: true, effect: "read" }, "POST", "yes no yes", [note("effect")]],
    [{ idempotent: false }, "PUT", "no yes no", []],
    [{ idempotent: false }, "GET", "yes no no", []],
  ];
  test.each(declared)("%j on %s", (entry, method, hints, notes) => {
    expect(annotate(entry, method)).toMatchObject({ hints, notes });
  });

  test("come from the least safe of several operations", () => {
    expect(annotate({}, "GET", "HEAD")).toMatchObject({ hints: "yes no yes", safe: true });
    expect(annotate({}, "GET", "DELETE")).toMatchObject({ hints: "no yes no", safe: false });
    expect(annotate({}, "GET", "PUT", "POST")).toMatchObject({ hints: "no yes no", safe: false });
    expect(annotate({ effect: "read" }, "GET", "POST").notes).toEqual([note("effect")]);
  });

  test("a method counts in any letter case", () => {
    expect(annotate({}, "get").hints).toBe("yes no yes");
  });

  test("the world is open unless declared closed, and a tool that sends nothing is closed", () => {
    expect(annotate({ openWorld: false }, "GET").open).toBe(false);
    expect(annotate({}).open).toBe(false);
    expect(annotate({}).hints).toBe("yes no yes");
  });
});
