import { createServer } from "node:https";
import type { TlsOptions } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { openEgress } from "../../src/egress/open-egress.ts";
import { makeAuthority } from "./certificate-tree.ts";
import { listen, type Served, serve } from "./serve.ts";

const root = makeAuthority();
const stranger = makeAuthority();
const good = root.issue("DNS:api.example.com");

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function kept(served: Promise<Served>): Promise<Served> {
  open.push(await served);
  return served;
}

let asked = 0;
const serveTls = (options: TlsOptions): Promise<Served> =>
  kept(
    listen(
      createServer(options, (_request, response) => {
        asked += 1;
        response.end("safe");
      }),
    ),
  );

/** By a name, as an API has one; `ca` are the authorities of the curation. */
async function get(url: string, tls: { ca?: string; cert?: string; key?: string }, redirects: string[] = []) {
  const egress = openEgress({
    trustedHosts: ["api.example.com"],
    allowPrivate: ["127.0.0.0/8"],
    lookup: async () => ["127.0.0.1"],
    tls,
  });
  open.push(egress);
  const signal = AbortSignal.timeout(5_000);
  const { body } = await egress.request({ method: "GET", url, headers: [], signal, maxBytes: 100, redirects });
  let text = "";
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}

describe("a server that cannot prove who it is gets no request, and the reason is told", () => {
  const cases: [title: string, options: TlsOptions, ca: string | undefined, reason: RegExp][] = [
    ["a certificate that is over", root.issue("DNS:api.example.com", -1), root.cert, /CERT_HAS_EXPIRED/],
    ["one for another name", root.issue("DNS:api.example.org"), root.cert, /ERR_TLS_CERT_ALTNAME_INVALID/],
    ["one for a part of the name", root.issue("DNS:example.com"), root.cert, /ERR_TLS_CERT_ALTNAME_INVALID/],
    ["one for its address and not its name", root.issue("IP:127.0.0.1"), root.cert, /ERR_TLS_CERT_ALTNAME_INVALID/],
    ["one that vouches for itself", root, stranger.cert, /SELF_SIGNED|UNABLE_TO/],
    ["one of another authority", good, stranger.cert, /UNABLE_TO|SELF_SIGNED/],
    ["one of an authority that no system knows", good, undefined, /UNABLE_TO|SELF_SIGNED/],
    [
      "one signed by a certificate that is no authority's",
      root.delegate(false).issue("DNS:api.example.com"),
      root.cert,
      /INVALID_|UNABLE_TO/,
    ],
    ["TLS 1.1", old(), root.cert, /ERR_SSL|EPROTO/],
    ["a demand for our certificate, where we have none", demanding(), root.cert, /ERR_SSL|broke the connection/],
  ];
  test.each(cases)("%s", async (_title, options, ca, reason) => {
    const { port } = await serveTls(options);
    asked = 0;
    const getting = get(`https://api.example.com:${port}/`, ca === undefined ? {} : { ca });
    await expect(getting).rejects.toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      message: expect.stringMatching(reason),
    });
    expect(asked).toBe(0);
  });

  test("a good one is believed, also where another stands between it and the root", async () => {
    for (const issued of [good, root.delegate().issue("DNS:api.example.com"), root.issue("DNS:*.example.com")]) {
      const { port } = await serveTls(issued);
      expect(await get(`https://api.example.com:${port}/`, { ca: root.cert })).toBe("safe");
    }
  });

  test("one that demands our certificate gets it", async () => {
    const { port } = await serveTls(demanding());
    const own = root.issue("DNS:vitrine");
    expect(await get(`https://api.example.com:${port}/`, { ca: root.cert, ...own })).toBe("safe");
  });

  function old(): TlsOptions {
    return { ...good, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" };
  }
  function demanding(): TlsOptions {
    return { ...good, ca: root.cert, requestCert: true, rejectUnauthorized: true };
  }
});

test("a redirect from https to http is not followed, not even to a host that is listed", async () => {
  const plain = await kept(serve((_request, response) => response.end("plain")));
  const { port } = await kept(
    listen(
      createServer(good, (_request, response) => {
        response.writeHead(302, { location: `http://api.example.com:${plain.port}/` }).end();
      }),
    ),
  );
  const getting = get(`https://api.example.com:${port}/`, { ca: root.cert }, [`api.example.com:${plain.port}`]);
  await expect(getting).rejects.toMatchObject({ code: "DESTINATION_BLOCKED" });
  expect(plain.sockets.accepted).toBe(0);
});
