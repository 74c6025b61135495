import { fitCredentials } from "../../host/fit-credentials.ts";
import type { KeyEntry } from "../../host/hosting.ts";
import { MissingSetting } from "../../model/errors.ts";
import type { Identity } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { Problem, SourcePosition } from "../../model/problem.ts";
import type { Toolset, Upstream } from "../../model/tool.ts";
import { openAccess } from "../../run/open-access.ts";
import { readsIn } from "./reads-in.ts";

export type Locate = (path: readonly (string | number)[]) => SourcePosition;
type Env = Readonly<Record<string, string | undefined>>;

export interface Used {
  readonly name: string;
  /** Without credentials in whose place every key has its own. */
  readonly ofAll: Upstream;
  readonly keys: readonly KeyEntry[];
}

/**
 * Where all is set that the curation needs, but to something of which no request can be made, for example a base URL that is none: every call would
 * fail. Of a setting that reads the caller what keys say is looked at, and not what access tokens may. `env` is what the server was granted.
 */
export function checkValues(toolset: Toolset, { name, ofAll, keys }: Used, env: Env, locate: Locate): Problem[] {
  const { upstream } = toolset;
  const told = (path: readonly string[], message: string | undefined): Problem[] => {
    if (message === undefined) return [];
    return [{ code: "bad_value", severity: "error", ...locate(path), message, hint: "Correct what it is read from." }];
  };
  const whyUnusable = (used: Upstream, who: Identity): string | undefined => {
    try {
      openAccess({ ...toolset, pins: [], upstream: used }, env, who);
      return undefined;
    } catch (error) {
      if (error instanceof MissingSetting) return error.message;
      throw error;
    }
  };
  const forAll = told(["servers", name, "env"], whyUnusable(withoutCaller(ofAll), { key: {} }));
  if (forAll.length > 0) return forAll;
  const readsAny = readsCaller({ ...upstream, errors: {} });
  return keys.flatMap((key) => {
    if (!readsAny && key.credentials.length === 0) return [];
    const { credentials } = fitCredentials(upstream.credentials, key.credentials);
    return told(["keys", key.id], whyUnusable(upstream, { key: key.claims, credentials }));
  });
}

function withoutCaller({ baseUrl, ...upstream }: Upstream): Upstream {
  const isMoving = baseUrl !== undefined && readsCaller(baseUrl);
  return {
    ...upstream,
    ...(baseUrl !== undefined && !isMoving && { baseUrl }),
    headers: upstream.headers.filter((one) => !readsCaller(one)),
    // Where tokens come from may be relative to the base.
    credentials: upstream.credentials.filter((one) => !readsCaller(one) && !(isMoving && "tokenUrl" in one.credential)),
  };
}

function readsCaller(part: object): boolean {
  return readsIn(part as unknown as Json).some(({ root }) => root === "key");
}
