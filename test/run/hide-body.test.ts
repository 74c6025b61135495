import { expect, test } from "vitest";
import type { ReplyBody } from "../../src/model/exchange.ts";
import { hideBody } from "../../src/run/hide-body.ts";
import { createSecretHider } from "../../src/run/hide-secrets.ts";

const hider = createSecretHider(["canary-key-1", "canäry-key-2"]);
const binary = (data: Uint8Array, mediaType = "x/y"): ReplyBody => ({ kind: "binary", data, mediaType });

test("a secret inside data is hidden, and all around it stays byte for byte", () => {
  const around = Buffer.from([0, 255, 1, 254]);
  const hidden = hideBody(binary(Buffer.concat([around, Buffer.from("canary-key-1"), around])), hider);
  expect(hidden).toStrictEqual(binary(Buffer.concat([around, Buffer.from("***"), around])));
});

test("a secret that is no ASCII is hidden in data too", () => {
  const hidden = hideBody(binary(Buffer.from("\u0000 canäry-key-2 canary-key-1")), hider);
  expect(hidden).toStrictEqual(binary(Buffer.from("\u0000 *** ***")));
});

test("data without a secret is not copied", () => {
  const body = binary(Buffer.from([1, 2, 3]));
  expect(hideBody(body, hider)).toStrictEqual(body);
});

test.each<[string, ReplyBody]>([
  ["of data", binary(Buffer.from([1]), "x/canary-key-1")],
  ["of a text", { kind: "text", text: "plain", mediaType: "x/canary-key-1" }],
])("a secret in the media type %s is hidden", (_, body) => {
  expect(hideBody(body, hider)).toMatchObject({ mediaType: "x/***" });
});

test("a secret is found wherever it stands among many rows", () => {
  const rows = (at: number) =>
    Array.from({ length: 2_500 }, (_, row) => ({ row, text: row === at ? "canary-key-1" : "-" }));
  for (const at of [0, 999, 1_000, 2_499]) {
    for (const wrap of [(list: object[]) => list, (list: object[]) => ({ total: 1, items: list })]) {
      const hidden = hideBody({ kind: "json", value: wrap(rows(at)) as never }, hider);
      expect(JSON.stringify(hidden)).toBe(
        JSON.stringify({ kind: "json", value: wrap(rows(at)) }).replace("canary-key-1", "***"),
      );
    }
    const clean: ReplyBody = { kind: "json", value: { items: rows(-1) } };
    expect(hideBody(clean, hider)).toBe(clean);
  }
  const named: ReplyBody = { kind: "json", value: { "canary-key-1": rows(-1) } };
  expect(hideBody(named, hider)).toEqual({ kind: "json", value: { "***": rows(-1) } });
});
