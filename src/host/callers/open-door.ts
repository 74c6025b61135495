import type { Door, DoorAnswer, Refusal, VerifiedCaller } from "../hosting.ts";
import { checkKey } from "./check-key.ts";
import type { Asked, CheckRevoked, Found } from "./found.ts";
import { isKey } from "./make-key.ts";
import { openTokenCheck, type TokenCheck, type TokenCheckOptions } from "./open-token-check.ts";
import { readBearer } from "./read-bearer.ts";
import { refuseForNow, refuseInvalid, refuseLacking, refuseScope, refuseUnknown } from "./refuse.ts";
import { type Lacking, sayLacking } from "./say-lacking.ts";

export interface DoorOptions extends Partial<TokenCheckOptions> {
  /** The host file as it is now. */
  readonly file: () => Asked["file"];
  /** What a caller lacks of what a server's curation needs; the same function for as long as it is the same curation. */
  readonly lacking: (server: string) => FindLacking | undefined;
  readonly checkRevoked?: CheckRevoked;
  /** Told why somebody was refused, for the log: no secret, and nothing that a stranger wrote. */
  readonly refused?: (why: string) => void;
}

export type FindLacking = (caller: VerifiedCaller) => Lacking;

export interface OpenedDoor extends Door {
  /** Asks for what the first caller would wait for; never rejects. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the door: API keys (contract section 9), and access tokens of the file's issuer (RFC 6750, RFC 9068). */
export function openDoor(options: DoorOptions): OpenedDoor {
  const { checkRevoked = () => "good", issuerFailed = () => {}, refused = () => {} } = options;
  const tokens = openTokenCheck({ ...options, checkRevoked, issuerFailed });
  const satisfied = new WeakMap<VerifiedCaller, FindLacking>();
  return {
    async verify({ server, authorization, now }) {
      const asked: Asked = { server, now, file: options.file() };
      const [answer, why] = admit(
        await identify(authorization, asked, { tokens, checkRevoked }),
        asked,
        options,
        satisfied,
      );
      if (why !== undefined) refused(why);
      return answer;
    },
    async prepare() {
      const { oauth } = options.file();
      if (oauth !== undefined) await tokens.prepare(oauth);
    },
    close: () => tokens.close(),
  };
}

interface Checks {
  readonly tokens: TokenCheck;
  readonly checkRevoked: CheckRevoked;
}

async function identify(
  authorization: string | undefined,
  asked: Asked,
  { tokens, checkRevoked }: Checks,
): Promise<Found | { readonly kind: "nothing" }> {
  const bearer = readBearer(authorization);
  if (bearer.kind === "none") return { kind: "nothing" };
  if (bearer.kind === "malformed") return { kind: "invalid", why: "malformed" };
  if (isKey(bearer.token)) return checkKey(bearer.token, asked, checkRevoked);
  const { oauth, servers } = asked.file;
  // A server that does not exist is like one for which nobody has a token.
  if (oauth === undefined || !servers.has(asked.server)) return { kind: "invalid", why: "token: none is good here" };
  return tokens.check(bearer.token, oauth, asked);
}

/** The answer, and why it is a refusal. */
function admit(
  found: Awaited<ReturnType<typeof identify>>,
  { file, server }: Asked,
  { lacking }: DoorOptions,
  satisfied: WeakMap<VerifiedCaller, FindLacking>,
): readonly [answer: DoorAnswer] | readonly [answer: Refusal, why: string] {
  switch (found.kind) {
    case "nothing":
      return [refuseUnknown(file, server), "nothing shown"];
    case "invalid":
      return [refuseInvalid(file, server), found.why];
    case "scope":
      return [refuseScope(file, server, found.granted), "token: scope"];
    case "no-keys":
      return [refuseForNow(), "token: its issuer gives no keys"];
    case "no-revocations":
      return [refuseForNow(), "nobody knows yet who was revoked"];
    case "caller": {
      const find = lacking(server);
      if (find === undefined || satisfied.get(found.caller) === find) return [found];
      const lacks = sayLacking(find(found.caller), found.caller, file.oauth);
      if (lacks !== undefined) return [refuseLacking(lacks), "claims missing"];
      satisfied.set(found.caller, find);
      return [found];
    }
    default:
      return found satisfies never;
  }
}
