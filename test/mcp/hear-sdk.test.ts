import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ProtocolError } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { hearSdk } from "../../src/mcp/hear-sdk.ts";
import { isRefusal } from "../../src/mcp/is-refusal.ts";

function told(error: unknown): Error {
  const heard: Error[] = [];
  hearSdk((one) => heard.push(one as Error))(error);
  return heard[0]!;
}

test.each<[of: string, error: Error]>([
  ["a client's error", new ProtocolError(-32000, "SAID")],
  ["a message of another form", Object.assign(new Error("[SAID]"), { name: "ZodError" })],
  ["a rejected header", new Error("Rejected inbound request (name-mismatch): Bad Request: SAID")],
  ["a version", new Error("Bad Request: Unsupported protocol version: SAID")],
])("nothing of what a client sent is told on: %s", (_, error) => {
  const { message } = told(error);
  expect(isRefusal(told(error))).toBe(true);
  expect(message).not.toBe("");
  expect(message).not.toContain("SAID");
});

test("a fault is told on as it is", () => {
  const fault = new Error("Failed to send response: EPIPE");
  expect(told(fault)).toBe(fault);
});

test("every message that the SDK would write into what it tells is known here", () => {
  const folder = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/server")));
  const sources = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  const spelled = sources.flatMap((name) => [
    ...readFileSync(`${folder}/${name}`, "utf8").matchAll(
      /onerror\??\.?\([^`\n]*new Error\(`([^`]*JSON\.stringify[^`]*)`/g,
    ),
  ]);
  expect(spelled.length).toBeGreaterThan(2);
  expect(spelled.map(([, text = ""]) => text).filter((text) => !isRefusal(told(new Error(text))))).toStrictEqual([]);
});
