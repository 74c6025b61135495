import type { ResolvedCredential, UpstreamRequest } from "../../model/exchange.ts";
import type { Outside } from "../../run/run-tool.ts";

const HIDDEN = "***";

export interface DryRun {
  /** Everything that would have been sent, with its credentials hidden. */
  readonly requests: readonly UpstreamRequest[];
  around(outside: Outside): Outside;
}

/** An outside that notes requests and sends none; each is taken for answered with 204. */
export function openDryRun(): DryRun {
  const requests: UpstreamRequest[] = [];
  return {
    requests,
    around: (outside) => ({
      ...outside,
      authorize: async (request, security, credentials, authorizing) => {
        const hidden = new Map([...credentials].map(([scheme, credential]) => [scheme, hide(credential)]));
        const authorized = await outside.authorize(request, security, hidden, authorizing);
        requests.push(authorized.request);
        return authorized;
      },
      egress: {
        request: async ({ url }) => ({ status: 204, headers: new Map(), url, body: nothing() }),
        close: async () => {},
      },
    }),
  };
}

function hide(credential: ResolvedCredential): ResolvedCredential {
  switch (credential.kind) {
    case "apiKey":
      return { ...credential, value: HIDDEN };
    case "bearer":
      return { ...credential, token: HIDDEN };
    case "basic":
      // As base64 of two hidden parts nobody would know it for hidden.
      return { kind: "apiKey", in: "header", name: "authorization", value: `Basic ${HIDDEN}` };
    case "mutualTLS":
      return credential;
    case "clientCredentials":
    case "tokenExchange":
      // Nor is a token asked for.
      return { kind: "bearer", token: HIDDEN };
    default:
      return credential satisfies never;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
