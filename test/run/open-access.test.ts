import { expect, test } from "vitest";
import type { Credential, SchemeCredential } from "../../src/model/credential.ts";
import type { Identity } from "../../src/model/exchange.ts";
import type { Value } from "../../src/model/value.ts";
import { openAccess } from "../../src/run/open-access.ts";
import { toolsetOf } from "./confirm/confirm-fixture.ts";

const literal = (text: string): Value => ({ kind: "literal", value: text });
const apiKey = (text: string): Credential => ({ kind: "apiKey", in: "header", name: "X-Key", value: literal(text) });
const given = (scheme: string, text: string): SchemeCredential => ({ scheme, credential: apiKey(text) });
const whole = toolsetOf([], { pins: [] });
const EXCHANGE: Credential = { kind: "tokenExchange", tokenUrl: literal("https://id.example.com/token") };
const exchanging = {
  ...whole,
  upstream: { ...whole.upstream, credentials: [{ scheme: "key", credential: EXCHANGE }] },
};
const open = (who: Partial<Identity>, toolset = whole) =>
  openAccess(toolset, { KEY: "of-the-server" }, { key: {}, ...who });

test("a caller's credential stands in place of the curation's own of its scheme, and of no other", () => {
  const own = open({ credentials: [given("key", "of-the-caller"), given("other", "of-nobody")] });
  expect([...own.upstream.credentials]).toEqual([
    ["key", { kind: "apiKey", in: "header", name: "X-Key", value: "of-the-caller" }],
  ]);
  expect(own.hider.text("of-the-caller, of-the-server, of-nobody")).toBe("***, of-the-server, of-nobody");
});

test("with one of its own a caller needs none of the server's", () => {
  expect(() => openAccess(whole, {}, { key: {} })).toThrow(/KEY/);
  expect(() => openAccess(whole, {}, { key: {}, credentials: [given("key", "own")] })).not.toThrow();
});

test("what pins lack is told together with what the rest lacks", () => {
  const pin = (name: string) => ({
    name,
    value: { kind: "expression" as const, expression: { jmespath: `key.${name}` } },
  });
  const pinned = { ...whole, pins: [pin("tenant"), pin("org")] };
  expect(() => openAccess(pinned, {}, { key: { org: "o-1" } })).toThrow(
    /^The environment variable KEY is not set, which `.+` needs\. The pin `tenant` has no value: [^`]+$/,
  );
  expect(() => openAccess(pinned, { KEY: "k" }, { key: {} })).toThrow(/`tenant`.+`org`/);
});

test("what a caller showed at the door is secret", () => {
  expect(open({ subjectToken: "eyJ.abc.def" }).hider.text("Bearer eyJ.abc.def")).toBe("Bearer ***");
});

test.each<[title: string, one: Partial<Identity>, other: Partial<Identity>, isShared: boolean, toolset?: typeof whole]>(
  [
    ["who have the server's credential share", { id: "a" }, { id: "b", key: { tenant: "b" } }, true],
    ["with one of its own does not", {}, { credentials: [given("key", "own")] }, false],
    [
      "who have the same of their own share",
      { credentials: [given("key", "own")] },
      { credentials: [given("key", "own")] },
      true,
    ],
    ["whose tokens are exchanged do not share", { subjectToken: "a" }, { subjectToken: "b" }, false, exchanging],
    ["whose tokens are not exchanged share", { subjectToken: "a" }, { subjectToken: "b" }, true],
  ],
)("of connections: callers %s", (_, one, other, isShared, toolset = whole) => {
  expect(open(one, toolset).pool === open(other, toolset).pool).toBe(isShared);
});
