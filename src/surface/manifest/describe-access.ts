import type { Call, OperationPlan } from "../../model/call.ts";
import { expressionsOf } from "../../model/expressions-of.ts";
import type { Tool, Toolset, Upstream } from "../../model/tool.ts";

/** What the operations of these calls ask for, `scheme` or `scheme: scope`: the alternative that is used, as far as the curation has credentials. */
export function describeAccess(calls: readonly Call[], { operations, upstream }: Toolset): readonly string[] {
  const asked = calls.flatMap(({ operation }) => {
    const plan = operations[operation];
    return plan === undefined ? [] : accessOf(plan, upstream);
  });
  return [...new Set(asked)].toSorted();
}

function accessOf({ security }: OperationPlan, { credentials }: Upstream): readonly string[] {
  const known = new Set(credentials.map(({ scheme }) => scheme));
  const used =
    security.find((alternative) => alternative.length > 0 && alternative.every(({ scheme }) => known.has(scheme))) ??
    // Nothing is a way as well, and the one where there is no credential for another.
    security.find((alternative) => alternative.length === 0) ??
    security[0];
  if (used === undefined) return [];
  return used.flatMap(({ scheme, scopes }) =>
    scopes.length === 0 ? [scheme] : scopes.map((scope) => `${scheme}: ${scope}`),
  );
}

/** The pins that some request of the tool goes without. */
export function findUnpinned({ filter }: Tool, calls: readonly Call[], { pins }: Toolset): readonly string[] {
  const filtered = new Set((filter?.always ?? []).flatMap(([, value]) => expressionsOf(value).flatMap(pinsIn)));
  return pins
    .map(({ name }) => name)
    .filter((name) => calls.some((call) => !carries(call, name) && !(call.filter !== undefined && filtered.has(name))))
    .toSorted();
}

function carries({ bindings }: Call, pin: string): boolean {
  return bindings.some(
    ({ value, pinned, whereSent }) =>
      pinned && whereSent !== true && expressionsOf(value).some((one) => pinsIn(one).includes(pin)),
  );
}

function pinsIn({ jmespath }: { readonly jmespath: string }): string[] {
  const found = jmespath.matchAll(/\bpins\.(?:("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*))/g);
  return [...found].map(([, quoted, plain = ""]) => (quoted === undefined ? plain : String(JSON.parse(quoted))));
}
