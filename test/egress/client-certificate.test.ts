import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { type Egress, openEgress } from "../../src/egress/open-egress.ts";
import { makeCertificate } from "./make-certificate.ts";
import { listen, type Served } from "./serve.ts";

const server = makeCertificate("server");
const client = makeCertificate("client");
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Answers with the name in the client's certificate; `/away` leads to `target`. */
async function serveTls(target = ""): Promise<Served> {
  const options = { key: server.key, cert: server.cert, requestCert: true, rejectUnauthorized: false };
  const served = await listen(
    createServer(options, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      if (request.url === "/away") response.writeHead(302, { location: target });
      response.end(subject?.CN ?? "nobody");
    }),
  );
  open.push(served);
  return served;
}

const get = async (egress: Egress, port: number, path = "/", redirects: string[] = []): Promise<string> => {
  const request = { method: "GET", url: `https://127.0.0.1:${port}${path}`, headers: [], maxBytes: 1000, redirects };
  const { body } = await egress.request({ ...request, signal: AbortSignal.timeout(5000) });
  let text = "";
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
};

function openWith(tls: { ca?: string; cert?: string; key?: string }): Egress {
  const egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [], tls });
  open.push(egress);
  return egress;
}

test("is shown to the API, and to no other origin that it leads to", async () => {
  const other = await serveTls();
  const api = await serveTls(`https://127.0.0.1:${other.port}/file`);
  const egress = openWith({ ca: server.cert, cert: client.cert, key: client.key });
  expect(await get(egress, api.port)).toBe("client");
  expect(await get(egress, api.port, "/away", [`127.0.0.1:${other.port}`])).toBe("nobody");
  // The connection that was kept without it is not taken for one with it, and the other way about.
  expect(await get(egress, other.port)).toBe("client");
  expect(await get(egress, api.port, "/away", [`127.0.0.1:${other.port}`])).toBe("nobody");
});

test("that cannot be read is a fault of TLS", async () => {
  const api = await serveTls();
  const broken = openWith({ ca: server.cert, cert: client.cert, key: server.key });
  await expect(get(broken, api.port)).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE", reason: "tls" });
  const nonsense = openWith({ ca: server.cert, cert: "no PEM", key: "no PEM" });
  await expect(get(nonsense, api.port)).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE", reason: "tls" });
});
