import { checkUrl, type Destinations, readDestinations } from "./check-destination.ts";
import { decodeBody } from "./decode-body.ts";
import type { Egress, EgressPolicy } from "./egress.ts";
import { nextRequest } from "./follow-redirect.ts";
import { openConnections } from "./open-connections.ts";

export type { Egress, EgressPolicy, EgressReply, EgressRequest } from "./egress.ts";

/** Opens a client that reaches what `policy` allows and nothing else; connections are kept per origin. */
export function openEgress(policy: EgressPolicy): Egress {
  const destinations: Destinations = readDestinations(policy);
  const connections = openConnections(destinations, policy.tls ?? {});
  return {
    async request(first) {
      let request = first;
      for (let hops = 0; ; hops += 1) {
        const url = checkUrl(request.url, destinations);
        const answer = await connections.send(url, request);
        const next = nextRequest(first, request, answer, hops);
        if (next === undefined) {
          const { status, headers } = answer;
          return { status, headers, url: url.href, body: decodeBody(request, answer) };
        }
        first.onRedirect?.();
        request = next;
      }
    },
    close: () => connections.close(),
  };
}
