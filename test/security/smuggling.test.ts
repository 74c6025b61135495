import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "../setup/processes.ts";
import { haveProxies, PROXIES } from "../setup/reverse-proxies.ts";
import { callBody, head, rawCall, sendRaw } from "./raw.ts";
import { type RunningHost, startHost } from "./running-host.ts";
import { type Echo, startEcho } from "./start-echo.ts";
import { callThings, thingsFiles } from "./things.ts";

// Two that read one stream of bytes must see the same requests in it: vitrine behind real reverse proxies, whose connections to it are shared by strangers.

const MALLORY = "one-mallory";
const BOB = "one-bob";

let api: Echo;
let host: RunningHost;
beforeAll(async () => {
  api = await startEcho();
  const { files, env } = thingsFiles({ upstreams: { one: api.url }, keys: [MALLORY, BOB] });
  const behind = { ...JSON.parse(files["host.yaml"]), proxies: 1 };
  host = await startHost({ ...files, "host.yaml": JSON.stringify(behind) }, env);
});
afterAll(async () => {
  await host.end();
  await api.close();
});

const hidden = rawCall(BOB, "smuggled");
const body = callBody("outer");
const size = body.length;
const chunks = (text: string, more = ""): string => `${text.length.toString(16)}${more}\r\n${text}\r\n0\r\n\r\n`;

/** Each hides a second request where one of two readers may see the end of the first. */
const ATTACKS: [title: string, bytes: string][] = [
  [
    "CL.TE",
    head(MALLORY, [`Content-Length: ${size + hidden.length + 5}`, "Transfer-Encoding: chunked"]) +
      `0\r\n\r\n${hidden}${body}`,
  ],
  ["TE.CL", head(MALLORY, ["Transfer-Encoding: chunked", "Content-Length: 4"]) + chunks(hidden)],
  ["TE.TE, with a space", `${head(MALLORY, ["Transfer-Encoding : chunked", "Content-Length: 5"])}0\r\n\r\n${hidden}`],
  ["TE.TE, with a tab", `${head(MALLORY, ["Transfer-Encoding:\tchunked", "Content-Length: 5"])}0\r\n\r\n${hidden}`],
  ["TE.TE, in other words", `${head(MALLORY, ["Transfer-Encoding: xchunked", "Content-Length: 5"])}0\r\n\r\n${hidden}`],
  [
    "TE.TE, twice",
    head(MALLORY, ["Transfer-Encoding: chunked", "Transfer-Encoding: identity", `Content-Length: ${size}`]) +
      chunks(body) +
      hidden,
  ],
  ["TE.TE, in quotes", `${head(MALLORY, ['Transfer-Encoding: "chunked"', "Content-Length: 5"])}0\r\n\r\n${hidden}`],
  [
    "TE.TE, with a vertical tab",
    `${head(MALLORY, ["Transfer-Encoding: \vchunked", "Content-Length: 5"])}0\r\n\r\n${hidden}`,
  ],
  ["a folded header", `${head(MALLORY, ["Transfer-Encoding:", " chunked", "Content-Length: 5"])}0\r\n\r\n${hidden}`],
  [
    "a header behind LF alone",
    head(MALLORY, [`X-A: b\nTransfer-Encoding: chunked`, `Content-Length: ${size}`]) + body + hidden,
  ],
  [
    "a header behind CR alone",
    head(MALLORY, [`X-A: b\rTransfer-Encoding: chunked`, `Content-Length: ${size}`]) + body + hidden,
  ],
  ["two lengths", head(MALLORY, ["Content-Length: 0", `Content-Length: ${hidden.length}`]) + hidden],
  ["a length with a sign", head(MALLORY, [`Content-Length: +${hidden.length}`]) + hidden],
  ["a length with a list", head(MALLORY, [`Content-Length: 0, ${hidden.length}`]) + hidden],
  ["a length that overflows", head(MALLORY, ["Content-Length: 18446744073709551616"]) + hidden],
  [
    "an extension of a chunk with LF",
    `${head(MALLORY, ["Transfer-Encoding: chunked"])}2;\nxx\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  ],
  [
    "an end of a chunk that is none",
    `${head(MALLORY, ["Transfer-Encoding: chunked"])}${size.toString(16)}\r\n${body}XX0\r\n\r\n${hidden}`,
  ],
  [
    "a trailer that is a header",
    head(MALLORY, ["Transfer-Encoding: chunked"]) +
      `${size.toString(16)}\r\n${body}\r\n0\r\nContent-Length: 5\r\nAuthorization: Bearer x\r\n\r\n`,
  ],
  [
    "Connection that takes headers away",
    head(MALLORY, ["Connection: close, Content-Length, Authorization", `Content-Length: ${size}`]) + body,
  ],
  [
    "an upgrade to HTTP/2",
    head(MALLORY, [
      "Connection: Upgrade, HTTP2-Settings",
      "Upgrade: h2c",
      "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
      `Content-Length: ${size}`,
    ]) + body,
  ],
];

describe.skipIf(!haveProxies)("behind a real reverse proxy", () => {
  describe.each(["haproxy", "nginx"] as const)("%s", (name) => {
    let proxy: RunningServer;
    let url: string;
    beforeAll(async () => {
      proxy = await PROXIES[name](new URL(host.url).host);
      url = new URL(proxy.url).origin;
    });
    afterAll(() => proxy.stop());

    test("calls are answered, also many over few connections, each to whoever made it", async () => {
      const modes = Array.from({ length: 40 }, (_, n) => `mine-${n}-`);
      const answers = await Promise.all(
        modes.map((mode, n) => callThings({ url }, n % 2 === 0 ? MALLORY : BOB, "get_things", { mode })),
      );
      expect(answers.map(({ text }) => text.match(/mine-\d+-/)?.[0])).toEqual(modes);
    });

    test.each(ATTACKS)("%s hides no request, and the next one is answered as itself", async (_title, bytes) => {
      api.heard.length = 0;
      const before = host.lines.filter(({ event }) => event === "request").length;
      const answers = await sendRaw(url, bytes, 300);
      const next = await callThings({ url }, BOB, "get_things", { mode: "next" });
      expect(next.text).toContain("next");
      expect(api.heard.filter((mode) => mode !== "outer")).toEqual(["next"]);
      // Where the first was taken for two, there is a third line by now.
      const lines = host.lines.filter(({ event }) => event === "request").slice(before);
      expect(lines.filter(({ key_id }) => key_id === BOB)).toHaveLength(1);
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const { text } of answers) expect(text).not.toContain("smuggled");
    });
  });
});
