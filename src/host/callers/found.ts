import type { HostFile, VerifiedCaller } from "../hosting.ts";

/** What is asked of the door, with the host file as it is at that moment. */
export interface Asked {
  readonly server: string;
  readonly now: Date;
  readonly file: Pick<HostFile, "publicUrl" | "servers" | "keys" | "oauth">;
}

/** What was found out about who calls. `why` is for the operator: no secret, and nothing that a stranger wrote. */
export type Found =
  | { readonly kind: "caller"; readonly caller: VerifiedCaller }
  | { readonly kind: "invalid"; readonly why: string }
  | { readonly kind: "scope"; readonly granted: ReadonlySet<string> }
  /** It cannot be found out now: the issuer gives no keys, or it is not known yet who was revoked. */
  | { readonly kind: "no-keys" | "no-revocations" };

/** Whether a key (by its name, or by `sha256:…`), or a token (by the ID of its caller, or by `jti:…`) has been revoked; unknown where nobody can be told from those who were. */
export type CheckRevoked = (who: Pick<VerifiedCaller, "kind" | "id">) => "good" | "revoked" | "unknown";
