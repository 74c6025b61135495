import * as z from "zod";
import { Flag, isSendable, key, may, Text, UNSENDABLE } from "../curation/format-scalar.ts";

// The host file (contract section 9). A line break in a message stands between what is wrong and the hint.

const SecretText = Text.meta({
  id: "SecretText",
  description: "Text, in which ${env.NAME} is read from the environment.",
});
const Names = z.array(Text).min(1, "must not be empty").meta({ id: "Names" });

/** RFC 6749 3.3 */
const Scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "is not a scope\nWrite one by itself, without spaces and quotes.");

const Address = z
  .string()
  .regex(
    /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/i,
    "is not an address\nWrite HOST:PORT, for example 127.0.0.1:3000.",
  );

const Rate = z
  .string()
  .regex(
    /^[1-9]\d{0,6}\/(?:s|min|h|day)$/,
    "is not a rate\nWrite a number of calls and s, min, h or day, for example 60/min.",
  )
  .meta({ id: "Rate", description: "Calls in a time: 10/s, 60/min, 1000/h or 10000/day." });

const Tags = z
  .strictObject({
    all: may(Names, "Only tools that carry all of these tags."),
    any: may(Names, "Only tools that carry one of these tags."),
    exclude: may(Names, "No tool that carries one of these tags."),
  })
  .meta({ id: "Tags", description: "Which tools are shown; the others are as if they did not exist." });

const Server = z
  .strictObject({
    curation: key(Text, "The curation, as seen from this file."),
    root: may(Text, "The folder that bounds the files that the curation names; by default the parent of its folder."),
    env: may(
      z.array(z.string().regex(/^[A-Za-z_]\w*$/, "is not the name of a variable\nWrite for example LEDGER_URL.")),
      "The environment variables that the curation may read; no others.",
    ),
    allowPrivate: may(Names, "Blocks of addresses (CIDR) that it may reach beside public ones."),
    tags: may(Tags, "The tools of the curation that the server shows."),
    expose: may(z.enum(["flat", "grouped"]), "How tools are shown, in place of what the curation says."),
    rate: may(Rate, "The calls that one caller may make."),
    totalRate: may(Rate, "The calls that all callers may make together."),
    explore: may(Flag, "True allows `server.explore` of the curation."),
    raw: may(
      Flag,
      "True lets the page show the upstream's own answers too, with all that the curation leaves out of them.",
    ),
  })
  .meta({ id: "Server", description: "One curation, served at /mcp/NAME." });

const ApiKey = z
  .strictObject({
    value: key(SecretText, "The key itself."),
    in: key(z.enum(["header", "query", "cookie"]), "Where it is sent."),
    name: key(Text, "The name of the header, parameter or cookie."),
  })
  .refine(isSendable, { path: ["name"], message: UNSENDABLE });

const Credential = z
  .strictObject({
    apiKey: may(z.union([SecretText, ApiKey]), "A key; without `in` and `name` it is sent as the curation's own is."),
    bearer: may(SecretText, "A bearer token."),
    basic: may(
      z.strictObject({ username: key(z.string(), "The user's name."), password: key(z.string(), "The password.") }),
      "User name and password.",
    ),
  })
  .meta({ id: "Credential", description: "One credential, of exactly one kind.", minProperties: 1, maxProperties: 1 });

const Key = z
  .strictObject({
    hash: key(
      z
        .string()
        .regex(
          /^sha256:[0-9a-f]{64}$/,
          "is not the SHA-256 of a key\nMake a key with vitrine key new, which prints this line. The key itself must not stand here.",
        ),
      "SHA-256 of the key, as `vitrine key new` prints it.",
    ),
    server: key(Text, "The one server that it is good for."),
    claims: may(z.record(z.string(), z.json()), "What the curation reads as ${key.NAME}."),
    credentials: may(z.record(z.string(), Credential), "In place of the curation's own, by security scheme."),
    writes: may(Flag, "True lets it call tools that write; it only reads unless said."),
    tags: may(Tags, "Of the tools that the server shows, those that it sees."),
    expires: may(Text, "The last day on which it is good (in UTC), or a moment (RFC 3339)."),
    rate: may(Rate, "The calls that it may make, in place of the server's rate."),
  })
  .meta({ id: "Key", description: "An API key, bound to one server and one set of claims." });

const Oauth = z
  .strictObject({
    issuer: key(Text, "The issuer of the access tokens, an https URL."),
    claims: may(
      z.record(z.string(), Text),
      "What the curation reads as ${key.NAME}: the claim of the token that holds it.",
    ),
    scopes: may(z.array(Scope).min(1, "must not be empty"), "Scopes that every caller needs."),
    writeScope: may(Scope, "The scope with which a caller may also write; without it nobody does."),
    severalAudiences: may(
      Flag,
      "True also takes tokens that are for other resources too: each of those could show them here.",
    ),
    plainJwt: may(
      Flag,
      "True also takes tokens of the type JWT, of an issuer that does not write at+jwt: that it gives its other tokens other audiences is then all that tells them apart.",
    ),
  })
  .meta({ id: "Oauth", description: "OAuth 2.1 access tokens (RFC 9068), each for the URL of one server." });

/** The host file, whole. */
export const HostSettings = z
  .strictObject({
    listen: key(Address, "Where to listen."),
    publicUrl: key(Text, "Where callers find it: scheme and host alone, for example https://tools.example.com."),
    proxies: may(
      z.int().min(0).max(8),
      "How many reverse proxies stand before it and add to X-Forwarded-For; 0 unless said, and then that header is not believed.",
    ),
    addressRate: may(
      Rate,
      "The requests for MCP that one address may make (of IPv6 one /64), whatever it shows; as many as it likes unless said.",
    ),
    addressConnections: may(
      z.int().min(1).max(10_000),
      "The connections that one address may hold (of IPv6 one /64); unless said a tenth of all for a public address, and as many as it likes for others.",
    ),
    origins: may(
      Names,
      "The origins of web pages that may call from a browser, for example https://app.example.com; none but its own unless said.",
    ),
    servers: key(z.record(z.string(), Server), "The servers by name."),
    keys: may(z.record(z.string(), Key), "The API keys by name; events and logs call them by it."),
    oauth: may(Oauth, "Whose access tokens are good."),
    shared: may(SecretText, "A Redis that all replicas share: a redis:// or rediss:// URL."),
    events: may(Text, "The file to which a line is appended for each call."),
  })
  .meta({ title: "A vitrine host file", description: "One YAML file that describes a hosted proxy." });
export type HostSettings = z.output<typeof HostSettings>;
