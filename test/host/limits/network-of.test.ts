import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { networkOf } from "../../../src/host/limits/network-of.ts";

describe("what counts as one address", () => {
  test.each([
    ["an IPv4 address is itself", "203.0.113.9", "203.0.113.9"],
    ["mapped into IPv6, as a socket says it", "::ffff:203.0.113.9", "203.0.113.9"],
    ["mapped into IPv6, in hex", "::FFFF:cb00:7109", "203.0.113.9"],
    ["IPv6 by its first 64 bits", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["with the zeros left out", "2001:db8::6", "2001:db8:0:0::/64"],
    ["with the zeros left out inside the first half", "2001::2:3:4:5:6", "2001:0:0:2::/64"],
    ["loopback", "::1", "0:0:0:0::/64"],
    ["with a zone", "fe80::1%eth0", "fe80:0:0:0::/64"],
    ["in capitals and with leading zeros", "2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
    ["with an IPv4 tail", "64:ff9b::203.0.113.9", "64:ff9b:0:0::/64"],
    ["what is no address stays, cut", "x".repeat(100), "x".repeat(64)],
  ])("%s", (_, given, want) => {
    expect(networkOf(given)).toBe(want);
  });

  test("two IPv6 addresses count as one exactly when their first four groups are the same, however they are written", () => {
    const group = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16));
    const half = fc.tuple(group, group, group, group);
    fc.assert(
      fc.property(half, half, half, half, (a, b, tail, other) => {
        const same = networkOf([...a, ...tail].join(":")) === networkOf([...b, ...other].join(":").toUpperCase());
        expect(same).toBe(a.join(":") === b.join(":"));
        expect(networkOf([...a, ...tail].join(":"))).toBe(networkOf([...a, ...other].join(":")));
      }),
    );
  });
});
