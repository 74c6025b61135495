import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeKey } from "../../../src/host/callers/make-key.ts";
import { giveKey, header, hostFile, openTestDoor } from "./door.ts";
import { NOW } from "./open-issuer.ts";

describe("an API key", () => {
  const ci = giveKey({ writes: true, tags: { exclude: ["internal"] }, rate: { calls: 5, perMs: 1_000 } });
  const other = giveKey({ server: "people", claims: {} });
  const old = giveKey({ expires: NOW });
  const still = giveKey({ expires: new Date(NOW.getTime() + 1) });
  const keys = [ci, other, old, still].map(({ entry }) => entry);

  test("is whom its entry says, and always the same one", async () => {
    const door = openTestDoor(hostFile(keys));
    const caller = await door.show(ci.key);
    const { server, claims, writes, tags, rate } = ci.entry;
    const said = { kind: "key", id: ci.entry.id, server, claims, writes, tags, rate, credentials: [] };
    expect(caller).toStrictEqual(said);
    expect(await door.ask(`bEARER   ${ci.key}`)).toBe(caller);
    expect(await door.show(still.key)).toMatchObject({ kind: "key", expires: still.entry.expires });
  });

  test.each([
    ["one that nobody has", makeKey().key, "key: not known"],
    ["one of another server", other.key, "key: of another server"],
    ["one that has just expired", old.key, "key: expired"],
    ["one without its end", ci.key.slice(0, -1), "key: not known"],
    ["one in capitals", ci.key.toUpperCase(), "token: none is good here"],
    ["its public part alone", ci.key.slice(0, 15), "key: not known"],
    ["its hash", ci.entry.sha256, "token: none is good here"],
    ["two at once", `${ci.key}, Bearer ${ci.key}`, "malformed"],
    ["one in pieces", `${ci.key.slice(0, 9)} ${ci.key.slice(9)}`, "malformed"],
    ["one with a space behind", `${ci.key} `, "malformed"],
    ["one of 9,000 characters", `vtr_${"a".repeat(9_000)}`, "malformed"],
  ])("is refused like any other: %s", async (_, key, why) => {
    const door = openTestDoor(hostFile(keys));
    const wrong = await door.show(key);
    expect(door.reasons).toEqual([why]);
    expect(wrong).toStrictEqual(await door.show("vtr_nobody"));
    expect(wrong).toMatchObject({ status: 401, code: -32000 });
    expect(header(wrong, "www-authenticate")).toMatch(
      /^Bearer realm="mcp", error="invalid_token", error_description="/,
    );
  });

  test("is asked for by a bare challenge where nothing, or another scheme, is shown", async () => {
    const door = openTestDoor(hostFile(keys));
    for (const shown of [undefined, "", "Basic dTpw", `Basic ${ci.key}`, ci.key, "Bearerx", `Token ${ci.key}`]) {
      const answer = await door.ask(shown);
      expect(header(answer, "www-authenticate"), shown).toBe('Bearer realm="mcp"');
    }
    expect(header(await door.ask("Bearer"), "www-authenticate")).toContain("invalid_token");
  });

  test("at a server that does not exist is answered as one that is not known", async () => {
    const door = openTestDoor(hostFile(keys));
    const [nowhere, unknown] = [await door.show(ci.key, "nowhere"), await door.show(makeKey().key)];
    expect(nowhere).toStrictEqual(unknown);
    expect(await door.ask(undefined, "nowhere")).toStrictEqual(await door.ask(undefined));
  });

  test("is refused from the moment that it is revoked or taken out of the file", async () => {
    const revoked = new Set<string>();
    let file = hostFile(keys);
    const door = openTestDoor(() => file, {
      checkRevoked: ({ kind, id }) => (revoked.has(`${kind} ${id}`) ? "revoked" : "good"),
    });
    expect(await door.show(ci.key)).toMatchObject({ kind: "key" });
    revoked.add(`key ${ci.entry.id}`);
    expect(await door.show(ci.key)).toMatchObject({ status: 401 });
    revoked.clear();
    expect(await door.show(ci.key)).toMatchObject({ kind: "key" });
    file = hostFile([]);
    expect(await door.show(ci.key)).toMatchObject({ status: 401 });
    expect(door.reasons).toEqual(["key: revoked", "key: not known"]);
  });

  test("that stands in the file twice is good nowhere", async () => {
    const twin = { ...ci.entry, id: "twin", server: "people" };
    const door = openTestDoor(hostFile([ci.entry, twin]));
    expect(await door.show(ci.key)).toMatchObject({ status: 401 });
    expect(await door.show(ci.key, "people")).toMatchObject({ status: 401 });
  });

  test("with any character changed is no key, and nothing that is shown throws", async () => {
    const door = openTestDoor(hostFile(keys));
    const changed = fc
      .tuple(fc.nat({ max: ci.key.length - 1 }), fc.constantFrom(..."AZaz09_-~"))
      .map(([at, character]) => ci.key.slice(0, at) + character + ci.key.slice(at + 1))
      .filter((text) => text !== ci.key);
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, fc.string({ unit: "binary" })), async (text) => {
        expect(await door.show(text)).toMatchObject({ kind: "refused", status: 401 });
      }),
    );
  });

  test("is made of 256 random bits, and says nothing of them in its name and hash", () => {
    const made = Array.from({ length: 50 }, makeKey);
    expect(new Set(made.map(({ key }) => key)).size).toBe(50);
    for (const { key, id, sha256 } of made) {
      expect(key).toMatch(/^vtr_k[a-z2-7]{9}_[\w-]{43}$/);
      expect(key.startsWith(`vtr_${id}_`)).toBe(true);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});
