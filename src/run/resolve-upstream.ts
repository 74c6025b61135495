import { MissingSetting } from "../model/errors.ts";
import type { ResolvedCredential, ResolvedUpstream } from "../model/exchange.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Credential, Upstream } from "../model/tool.ts";
import type { Expression, Value } from "../model/value.ts";
import { evaluateExpression, type Roots } from "./expressions/evaluate.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * `Upstream` with its `env` and `key` read. Throws `MissingSetting` where one that is needed is unset, empty or unusable: its message names the
 * variable and what needs it, never a value.
 */
export function resolveUpstream(upstream: Upstream, env: Environment, key: JsonObject): ResolvedUpstream {
  const secrets = new Set<string>();
  const roots: Roots = { input: {}, pins: {}, env, key };
  const read = (value: Value, use: string): string => readText(value, use, roots, secrets);
  const credentials = new Map(
    upstream.credentials.map(({ scheme, credential }) => [
      scheme,
      resolveCredential(credential, `api.auth.${scheme}`, read),
    ]),
  );
  for (const credential of credentials.values()) for (const text of credentialSecrets(credential)) secrets.add(text);
  const headers = upstream.headers.map(
    ({ name, value }) => [name.toLowerCase(), read(value, `api.headers.${name}`)] as const,
  );
  const baseUrl = upstream.baseUrl === undefined ? undefined : checkBaseUrl(read(upstream.baseUrl, "api.baseUrl"));
  return { ...(baseUrl !== undefined && { baseUrl }), headers, credentials, secrets: [...secrets] };
}

function resolveCredential(
  credential: Credential,
  use: string,
  read: (value: Value, use: string) => string,
): ResolvedCredential {
  switch (credential.kind) {
    case "apiKey":
      return { ...credential, value: read(credential.value, `${use}.apiKey`) };
    case "bearer":
      return { kind: "bearer", token: read(credential.token, `${use}.bearer`) };
    case "basic":
      return {
        kind: "basic",
        username: read(credential.username, `${use}.basic.username`),
        password: read(credential.password, `${use}.basic.password`),
      };
    default:
      return credential satisfies never;
  }
}

/** Of a credential everything is secret, also where it stands in the file as it is; a name is no secret by itself. */
function credentialSecrets(credential: ResolvedCredential): string[] {
  switch (credential.kind) {
    case "apiKey":
      return [credential.value];
    case "bearer":
      return [credential.token];
    case "basic": {
      const pair = `${credential.username}:${credential.password}`;
      return [credential.password, pair, Buffer.from(pair).toString("base64")];
    }
    default:
      return credential satisfies never;
  }
}

function readText(value: Value, use: string, roots: Roots, secrets: Set<string>): string {
  const parts = value.kind === "text" ? value.parts : value.kind === "expression" ? [value.expression] : undefined;
  if (parts === undefined)
    return checkText(textOf(value.kind === "literal" ? value.value : null), use, "it is no text");
  const texts = parts.map((part) => {
    if (typeof part === "string") return part;
    const text = textOf(evaluateExpression(part, roots, roots));
    if (text === undefined || text === "")
      throw new MissingSetting(`${describeSource(part, roots)}, which \`${use}\` needs.`);
    secrets.add(text);
    return text;
  });
  return checkText(texts.join(""), use, `it is read from ${parts.flatMap(sourceNames).join(", ")}`);
}

function textOf(value: Json): string | undefined {
  return value === null || typeof value === "object" ? undefined : String(value);
}

// A line break at the end of a secret, as files have it, would split a header.
function checkText(text: string | undefined, use: string, where: string): string {
  if (text === undefined) throw new MissingSetting(`\`${use}\` is no text.`);
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)) {
    throw new MissingSetting(`\`${use}\` holds a line break or another control character (${where}).`);
  }
  return text;
}

function sourceNames(part: string | Expression): string[] {
  if (typeof part === "string") return [];
  const found = part.jmespath.matchAll(/\b(env|key)\.(?:"([^"]+)"|(\w+))/g);
  return [...found].map(
    ([, root, quoted, plain]) => `${root === "env" ? "the environment variable" : "the claim"} ${quoted ?? plain}`,
  );
}

function describeSource(expression: Expression, roots: Roots): string {
  const unset = sourceNames(expression).filter((name) => {
    const bare = name.split(" ").at(-1) ?? "";
    return name.startsWith("the env") ? !roots.env?.[bare] : roots.key?.[bare] === undefined;
  });
  const [name = `\`${expression.jmespath}\``] = unset;
  return `${name.replace(/^t/, "T")} is not set`;
}

function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isPlain || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new MissingSetting("`api.baseUrl` is no absolute http or https URL without user, query and fragment.");
  }
  return url.href;
}
