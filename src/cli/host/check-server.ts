import { fitCredentials } from "../../host/fit-credentials.ts";
import type { HostFile, KeyEntry, ServerEntry } from "../../host/hosting.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Problem, SourcePosition } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import { findLacking } from "../../run/find-lacking.ts";
import { checkValues, type Locate } from "./check-values.ts";
import { readsIn } from "./reads-in.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A tag that no tool carries is misspelt: taken as it is, `exclude` of it would show what was to be hidden. */
export function checkTags({ name, tags }: ServerEntry, whole: Toolset, host: HostFile, locate: Locate): Problem[] {
  const known = [...new Set(whole.tools.flatMap((tool) => tool.tags))];
  const keys = [...host.keys.values()].filter(({ server }) => server === name);
  const choices = [
    { at: ["servers", name, "tags"], tags },
    ...keys.map((key) => ({ at: ["keys", key.id, "tags"], tags: key.tags })),
  ];
  return choices.flatMap(({ at, tags: { all = [], any = [], exclude = [] } }) =>
    [...all, ...any, ...exclude].flatMap((tag) => {
      if (known.includes(tag)) return [];
      const message = `No tool of \`${name}\` carries the tag \`${tag}\`.`;
      return problem("unknown_tag", locate(at), message, hintAt(tag, known, "Tags"));
    }),
  );
}

/** Where the host file does not give a server, or one of its keys, what the curation needs. Values are never told. */
export function checkServer(entry: ServerEntry, toolset: Toolset, host: HostFile, env: Env, locate: Locate): Problem[] {
  const keys = [...host.keys.values()].filter(({ server }) => server === entry.name);
  const used = withoutReplaced(toolset, keys, host);
  const lacking = [
    ...checkEnv(entry, used, env, locate),
    ...keys.flatMap((key) => [
      ...checkClaims(entry, key, toolset, env, locate),
      ...checkCredentials(key, toolset, locate),
    ]),
  ];
  return lacking.length > 0
    ? lacking
    : checkValues(toolset, { ...entry, ofAll: used.upstream, keys }, grantedEnv(entry, env), locate);
}

function problem(code: string, at: SourcePosition, message: string, hint: string): Problem {
  return { code, severity: "error", ...at, message, hint };
}

function hintAt(name: string, known: readonly string[], what: string): string {
  const [nearest] = nearestNames(name, known);
  return nearest === undefined ? `${what}: ${known.join(", ") || "none"}.` : `Did you mean \`${nearest}\`?`;
}

/** Without the curation's own credentials that nobody uses, as every caller brings one in its place. */
function withoutReplaced(toolset: Toolset, keys: readonly KeyEntry[], { oauth }: HostFile): Toolset {
  if (oauth !== undefined || keys.length === 0) return toolset;
  const isReplaced = (scheme: string): boolean =>
    keys.every(({ credentials }) => credentials.some((one) => one.scheme === scheme));
  const credentials = toolset.upstream.credentials.filter(({ scheme }) => !isReplaced(scheme));
  return { ...toolset, upstream: { ...toolset.upstream, credentials } };
}

function checkEnv(
  { name, env: granted }: ServerEntry,
  { pins, upstream }: Toolset,
  env: Env,
  locate: Locate,
): Problem[] {
  const { errors: _, ...read } = upstream;
  const names = [
    ...new Set([...variablesIn(pins as unknown as Json), ...variablesIn(read as unknown as Json)]),
  ].toSorted();
  const at = locate(["servers", name, "env"]);
  return names.flatMap((variable) => {
    if (!granted.includes(variable)) {
      const message = `The curation of \`${name}\` reads \`\${env.${variable}}\`, which it is not granted.`;
      return problem("env_not_granted", at, message, `Add ${variable} to \`servers.${name}.env\`, if it may read it.`);
    }
    if (env[variable] !== undefined && env[variable] !== "") return [];
    const message = `The environment variable \`${variable}\`, which the curation of \`${name}\` reads, is not set.`;
    return problem("unset_variable", at, message, "Set it before the host starts.");
  });
}

/** The variables that expressions in the data read. */
function variablesIn(data: Json): string[] {
  return readsIn(data).flatMap(({ root, name }) => (root === "env" && name !== undefined ? [name] : []));
}

function grantedEnv({ env: granted }: ServerEntry, env: Env): Env {
  return Object.fromEntries(granted.map((variable) => [variable, env[variable]]));
}

function checkClaims(entry: ServerEntry, key: KeyEntry, toolset: Toolset, env: Env, locate: Locate): Problem[] {
  const own = grantedEnv(entry, env);
  const schemes = new Set(key.credentials.map(({ scheme }) => scheme));
  const { claims, token } = findLacking(toolset, own, { key: key.claims, schemes, hasToken: false });
  const at = locate(["keys", key.id, "claims"]);
  const missing = claims.map((claim) =>
    problem(
      "missing_claim",
      at,
      `The curation of \`${entry.name}\` needs the claim \`${claim}\`, which the key lacks.`,
      `Add \`${claim}\` to \`claims\`.`,
    ),
  );
  if (!token) return missing;
  const message = `The curation of \`${entry.name}\` exchanges the caller's access token, and a key is none.`;
  return [
    ...missing,
    problem("key_without_token", at, message, "Give the key `credentials` of its own for that scheme, or use `oauth`."),
  ];
}

function checkCredentials(key: KeyEntry, { upstream }: Toolset, locate: Locate): Problem[] {
  const schemes = upstream.credentials.map(({ scheme }) => scheme);
  return fitCredentials(upstream.credentials, key.credentials).unfit.map(({ scheme, why }) => {
    const at = locate(["keys", key.id, "credentials", scheme]);
    if (why === "no_place") {
      const message = `Nothing says where the API key for \`${scheme}\` is sent.`;
      return problem("bad_value", at, message, "Write apiKey: { value: …, in: header, name: … }.");
    }
    if (why === "not_a_key") {
      const message = `The curation's own credential for \`${scheme}\` is an API key, and this is none.`;
      return problem(
        "scheme_mismatch",
        at,
        message,
        "Write `apiKey`; with { value: …, in: header, name: … } where it goes elsewhere.",
      );
    }
    const message = `\`api.auth\` of the curation has no \`${scheme}\`.`;
    return problem("unknown_scheme", at, message, hintAt(scheme, schemes, "Schemes"));
  });
}
