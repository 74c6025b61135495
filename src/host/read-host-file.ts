import { dirname, isAbsolute, join } from "node:path";
import { readSettings, type Telling } from "../curation/read-settings.ts";
import type { JsonObject } from "../model/json.ts";
import type { Problem, SourcePosition } from "../model/problem.ts";
import { checkHostFile, checkShared } from "./check-host-file.ts";
import type { HostFile, KeyEntry, OauthEntry, ServerEntry } from "./hosting.ts";
import { readCredentials } from "./read-credentials.ts";
import { type Env, openEnvReading, readTexts, UNSET } from "./read-env-text.ts";
import { readAddress, readExpiry, readOrigin, readRate } from "./read-host-values.ts";
import { HostSettings } from "./settings.ts";

export interface ReadHostFile {
  /** Absent beside any error. */
  readonly host?: HostFile;
  /** Where nothing is wrong but variables that are unset: what else can be found wrong is found in it. It is never served. */
  readonly incomplete?: HostFile;
  readonly problems: readonly Problem[];
  /** Where an entry of the file stands. */
  locate(path: readonly (string | number)[]): SourcePosition;
}

/**
 * Reads the host file `file` (contract section 9) with the environment that it names, and tells every mistake at its place. Names of files in it are
 * seen from its folder. Throws `UnreadableInput` for a text that is not YAML at all.
 */
export function readHostFile(file: string, text: string, env: Env): ReadHostFile {
  const { content, problems, withFindings, locate } = readSettings(file, text, HostSettings, TELLING);
  if (content === undefined) return { problems, locate };
  const reading = openEnvReading(env);
  const host = makeHostFile(content, dirname(file), reading);
  const all = withFindings([
    ...reading.findings,
    ...checkHostFile(content),
    ...checkShared(host.shared, reading.findings),
  ]);
  if (all.length === 0) return { host, problems: all, locate };
  const isIncomplete = all.every(({ code }) => code === UNSET);
  return { problems: all, locate, ...(isIncomplete && { incomplete: host }) };
}

type Reading = ReturnType<typeof openEnvReading>;

function makeHostFile(content: HostSettings, folder: string, reading: Reading): HostFile {
  const { oauth, shared, events, servers, addressRate, addressConnections, origins, keys = {} } = content;
  const at = (name: string): string => (isAbsolute(name) ? name : join(folder, name));
  return {
    listen: readAddress(content.listen),
    publicUrl: readOrigin(content.publicUrl) ?? "",
    proxies: content.proxies ?? 0,
    ...(origins !== undefined && { origins: new Set(origins.map((one) => readOrigin(one) ?? "")) }),
    ...(addressRate !== undefined && { addressRate: readRate(addressRate) }),
    ...(addressConnections !== undefined && { addressConnections }),
    servers: new Map(Object.entries(servers).map(([name, one]) => [name, makeServer(name, one, at)])),
    keys: new Map(Object.entries(keys).map(([id, one]) => [id, makeKeyEntry(id, one, reading)])),
    ...(oauth !== undefined && { oauth: makeOauth(oauth) }),
    ...(shared !== undefined && { shared: reading.read(shared, ["shared"]) }),
    ...(events !== undefined && { events: at(events) }),
  };
}

function makeServer(name: string, one: HostSettings["servers"][string], at: (name: string) => string): ServerEntry {
  const { curation, root, env = [], allowPrivate = [], tags = {}, expose, rate, totalRate, explore = false, raw } = one;
  return {
    name,
    curation: at(curation),
    ...(root !== undefined && { root: at(root) }),
    env,
    allowPrivate,
    tags,
    ...(expose !== undefined && { expose }),
    ...(rate !== undefined && { rate: readRate(rate) }),
    ...(totalRate !== undefined && { totalRate: readRate(totalRate) }),
    explore,
    ...(raw !== undefined && { raw }),
  };
}

function makeKeyEntry(id: string, one: NonNullable<HostSettings["keys"]>[string], reading: Reading): KeyEntry {
  const { hash, server, claims = {}, credentials = {}, writes = false, tags = {}, expires, rate } = one;
  const end = expires === undefined ? undefined : readExpiry(expires);
  return {
    id,
    sha256: hash.slice("sha256:".length),
    server,
    claims: readTexts(claims as JsonObject, ["keys", id, "claims"], reading),
    credentials: readCredentials(credentials, ["keys", id, "credentials"], reading),
    writes,
    tags,
    ...(end !== undefined && { expires: end }),
    ...(rate !== undefined && { rate: readRate(rate) }),
  };
}

function makeOauth(oauth: NonNullable<HostSettings["oauth"]>): OauthEntry {
  const { issuer, claims = {}, scopes = [], writeScope, severalAudiences = false, plainJwt = false } = oauth;
  return {
    issuer,
    severalAudiences,
    plainJwt,
    claims: new Map(Object.entries(claims)),
    scopes,
    ...(writeScope !== undefined && { writeScope }),
  };
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ["listen", "listen: 127.0.0.1:3000"],
  ["publicUrl", "publicUrl: https://tools.example.com"],
  ["servers", "servers: { ledger: { curation: ./ledger.yaml, env: [LEDGER_URL, LEDGER_KEY] } }"],
  ["curation", "curation: ./ledger.yaml"],
  ["env", "env: [LEDGER_URL, LEDGER_KEY]"],
  ["allowPrivate", "allowPrivate: [10.0.0.0/8]"],
  ["rate", "rate: 60/min"],
  ["totalRate", "totalRate: 1000/min"],
  ["origins", "origins: [https://app.example.com]"],
  ["addressRate", "addressRate: 600/min"],
  ["addressConnections", "addressConnections: 200"],
  ["tags", "tags: { any: [public] }"],
  ["claims", "claims: { tenantID: t-1 }"],
  ["writes", "writes: false"],
  ["expires", "expires: 2027-06-30"],
  ["issuer", "issuer: https://id.example.com"],
  ["credentials", 'credentials: { apiKeyScheme: { apiKey: "${env.CI_KEY}" } }'],
]);

/** What holds a key or a password, or may where it is written wrong, is not shown. */
export const TELLING: Telling = {
  exampleFor: (path) => {
    const example = EXAMPLES.get(String(path.at(-1)));
    return example && `For example ${example}`;
  },
  isSecret: ([section, , part]) =>
    section === "shared" || (section === "keys" && ["hash", "credentials", "claims"].includes(String(part))),
};
