import { onceFor } from "../../model/once-for.ts";
import type { KeyEntry, VerifiedCaller } from "../hosting.ts";
import { findKey } from "./find-key.ts";
import type { Asked, CheckRevoked, Found } from "./found.ts";
import { hashId } from "./make-key.ts";

/** Who shows this API key. It is good at its own server alone. */
export function checkKey(key: string, { file, server, now }: Asked, checkRevoked: CheckRevoked): Found {
  const entry = findKey(key, file.keys);
  if (entry === undefined) return { kind: "invalid", why: "key: not known" };
  if (entry.server !== server) return { kind: "invalid", why: "key: of another server" };
  if (entry.expires !== undefined && entry.expires <= now) return { kind: "invalid", why: "key: expired" };
  const standings = [entry.id, hashId(entry.sha256)].map((id) => checkRevoked({ kind: "key", id }));
  if (standings.includes("revoked")) return { kind: "invalid", why: "key: revoked" };
  if (standings.includes("unknown")) return { kind: "no-revocations" };
  return { kind: "caller", caller: callerOf(entry) };
}

const callerOf = onceFor(
  ({ id, server, claims, writes, tags, credentials, rate, expires }: KeyEntry): VerifiedCaller => ({
    kind: "key",
    id,
    server,
    claims,
    writes,
    tags,
    credentials,
    ...(rate !== undefined && { rate }),
    ...(expires !== undefined && { expires }),
  }),
);
