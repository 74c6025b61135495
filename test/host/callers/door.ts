import { makeKey } from "../../../src/host/callers/make-key.ts";
import { type DoorOptions, openDoor } from "../../../src/host/callers/open-door.ts";
import type {
  HostFile,
  KeyEntry,
  OauthEntry,
  Refusal,
  ServerEntry,
  VerifiedCaller,
} from "../../../src/host/hosting.ts";
import { NOW, PUBLIC_URL } from "./open-issuer.ts";

export type File = Pick<HostFile, "publicUrl" | "servers" | "keys"> & { readonly oauth?: OauthEntry };

const entry = (name: string): ServerEntry => ({
  name,
  curation: `./${name}.yaml`,
  env: [],
  allowPrivate: [],
  tags: {},
  explore: false,
});

/** A host file of two servers, with these keys. */
export const hostFile = (keys: readonly KeyEntry[] = [], oauth?: OauthEntry): File => ({
  publicUrl: PUBLIC_URL,
  servers: new Map(["ledger", "people"].map((name) => [name, entry(name)])),
  keys: new Map(keys.map((key) => [key.id, key])),
  ...(oauth !== undefined && { oauth }),
});

export const oauthOf = (issuer: string, more: Partial<OauthEntry> = {}): OauthEntry => ({
  issuer,
  claims: new Map([["tenantID", "tenant_id"]]),
  scopes: [],
  writeScope: "tools:write",
  severalAudiences: false,
  plainJwt: false,
  ...more,
});

/** A new key and its entry. */
export function giveKey(more: Partial<KeyEntry> = {}): { readonly key: string; readonly entry: KeyEntry } {
  const { key, id, sha256 } = makeKey();
  const common = { credentials: [], writes: false, tags: {} };
  return { key, entry: { id, sha256, server: "ledger", claims: { tenantID: "t-1" }, ...common, ...more } };
}

export interface TestDoor {
  readonly reasons: string[];
  /** What the door says of an Authorization header, or of a bearer token. */
  ask(authorization: string | undefined, server?: string, now?: Date): Promise<VerifiedCaller | Refusal>;
  show(token: string, server?: string, now?: Date): Promise<VerifiedCaller | Refusal>;
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export function openTestDoor(file: File | (() => File), more: Partial<DoorOptions> = {}): TestDoor {
  const reasons: string[] = [];
  const door = openDoor({
    file: typeof file === "function" ? file : () => file,
    lacking: () => undefined,
    refused: (why) => reasons.push(why),
    ...more,
  });
  const ask: TestDoor["ask"] = async (authorization, server = "ledger", now = NOW) => {
    const answer = await door.verify({ server, authorization, now });
    return answer.kind === "caller" ? answer.caller : answer;
  };
  return {
    reasons,
    ask,
    show: (token, ...rest) => ask(`Bearer ${token}`, ...rest),
    prepare: () => door.prepare(),
    close: () => door.close(),
  };
}

export const header = (answer: VerifiedCaller | Refusal, name: string): string | undefined =>
  answer.kind === "refused" ? answer.headers.find(([one]) => one === name)?.[1] : undefined;
