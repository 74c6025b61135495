import { expect, test } from "vitest";
import { isNear } from "../../src/host/is-near.ts";

const cases: [address: string | undefined, headers: Record<string, string>, near: boolean][] = [
  ["127.0.0.1", {}, true],
  ["::ffff:127.0.0.1", {}, true],
  ["::1", {}, true],
  ["10.1.2.3", {}, true],
  ["172.31.0.1", {}, true],
  ["192.168.1.1", {}, true],
  ["fd00::1", {}, true],
  ["fe80::1%eth0", {}, true],
  ["172.32.0.1", {}, false],
  ["9.9.9.9", {}, false],
  ["::ffff:9.9.9.9", {}, false],
  ["2001:db8::1", {}, false],
  ["127.0.0.1", { "x-forwarded-for": "127.0.0.1" }, false],
  ["10.1.2.3", { forwarded: "for=9.9.9.9" }, false],
  ["10.1.2.3", { via: "1.1 proxy" }, false],
  [undefined, {}, false],
  ["10.1.2.3", { host: "10.1.2.3:3000" }, true],
  ["::1", { host: "[::1]:3000" }, true],
  ["127.0.0.1", { host: "localhost:3000" }, true],
  ["10.1.2.3", { host: "vitrine:3000" }, true],
  ["10.1.2.3", { host: "vitrine.tools.svc.cluster.local" }, true],
  // A proxy that says nothing of itself, or a page whose name leads here (DNS rebinding).
  ["127.0.0.1", { host: "tools.example.com" }, false],
  ["127.0.0.1", { host: "evil.example:3000" }, false],
  ["127.0.0.1", { host: "127.0.0.1.evil.example" }, false],
  ["127.0.0.1", { host: "evil.example." }, false],
  ["127.0.0.1", { host: "local.evil@x" }, false],
];

test("whoever names no host is not near", () => {
  const socket = { remoteAddress: "127.0.0.1" } as Parameters<typeof isNear>[0]["socket"];
  expect(isNear({ headers: {}, socket })).toBe(false);
});

test.each(cases)("%s with %o: %s", (remoteAddress, headers, near) => {
  const socket = { remoteAddress } as Parameters<typeof isNear>[0]["socket"];
  expect(isNear({ headers: { host: "127.0.0.1", ...headers }, socket })).toBe(near);
});
