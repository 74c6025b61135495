import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { clientAddress } from "../../src/host/client-address.ts";

const cases: [forwarded: string | undefined, proxies: number, address: string][] = [
  ["9.9.9.9", 0, "10.0.0.1"],
  [undefined, 1, "10.0.0.1"],
  ["9.9.9.9", 1, "9.9.9.9"],
  ["1.1.1.1, 9.9.9.9", 1, "9.9.9.9"],
  ["1.1.1.1, 9.9.9.9,10.0.0.2", 2, "9.9.9.9"],
  ["9.9.9.9", 2, "10.0.0.1"],
  ["unknown", 1, "10.0.0.1"],
  ["9.9.9.9, ", 1, "10.0.0.1"],
  ["2001:db8::1", 1, "2001:db8::1"],
  // As some load balancers write it.
  ["9.9.9.9:51234", 1, "9.9.9.9"],
  ["[2001:db8::1]:51234", 1, "2001:db8::1"],
  ["[2001:db8::1]", 1, "2001:db8::1"],
  ["9.9.9.9:512345", 1, "10.0.0.1"],
  ["9.9.9:1", 1, "10.0.0.1"],
  ["[9.9.9.9", 1, "10.0.0.1"],
];

test.each(cases)("X-Forwarded-For %o behind %i proxies is %s", (forwarded, proxies, address) => {
  const request = {
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    socket: { remoteAddress: "10.0.0.1" },
  } as unknown as IncomingMessage;
  expect(clientAddress(request, proxies)).toBe(address);
});
