import { valueRoots } from "../../curation/expression.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Toolset, Upstream } from "../../model/tool.ts";
import { NOWHERE } from "../nowhere.ts";
import { inEveryState } from "../toolset/in-every-state.ts";

/** A toolset to be called with no network and no secret: without credentials, repeated requests, and states that nobody answers for. */
export function takeOffline(toolset: Toolset, env: Readonly<Record<string, string>>, claims: JsonObject): Toolset {
  const { upstream } = toolset;
  return {
    ...inEveryState(toolset),
    upstream: {
      ...withAddress(upstream, env, claims),
      headers: [],
      credentials: [],
      retries: 0,
    },
  };
}

/** Where the API is counts only where links of an answer lead there; then the example says what it is read from. */
function withAddress(upstream: Upstream, env: Readonly<Record<string, string>>, claims: JsonObject): Upstream {
  if (upstream.baseUrl === undefined) return upstream;
  const isKnown = valueRoots(upstream.baseUrl).every(
    ({ root, name }) => name === undefined || Object.hasOwn(root === "env" ? env : claims, name),
  );
  return isKnown ? upstream : { ...upstream, baseUrl: { kind: "literal", value: NOWHERE } };
}
