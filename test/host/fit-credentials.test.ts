import { expect, test } from "vitest";
import { fitCredentials } from "../../src/host/fit-credentials.ts";
import type { KeyCredential } from "../../src/host/hosting.ts";
import type { Credential } from "../../src/model/credential.ts";

const value = (text: string) => ({ kind: "literal" as const, value: text });
const OWN: { scheme: string; credential: Credential }[] = [
  { scheme: "header", credential: { kind: "apiKey", in: "header", name: "X-Key", value: value("own") } },
  { scheme: "oauth", credential: { kind: "bearer", token: value("own") } },
  { scheme: "default", credential: { kind: "apiKey", in: "query", name: "key", value: value("own") } },
  { scheme: "whole", credential: { kind: "apiKey", in: "header", name: "authorization", value: value("own") } },
];

const cases: [title: string, given: { scheme: string; credential: KeyCredential }[], want: object][] = [
  [
    "a key without a place goes where the curation's own goes",
    [{ scheme: "header", credential: { kind: "apiKey", value: value("mine") } }],
    {
      credentials: [
        { scheme: "header", credential: { kind: "apiKey", in: "header", name: "X-Key", value: value("mine") } },
      ],
      unfit: [],
    },
  ],
  [
    "one with a place of its own goes there",
    [{ scheme: "oauth", credential: { kind: "apiKey", in: "query", name: "k", value: value("mine") } }],
    {
      credentials: [{ scheme: "oauth", credential: { kind: "apiKey", in: "query", name: "k", value: value("mine") } }],
      unfit: [],
    },
  ],
  [
    "a key for a scheme that has no place for keys is unfit, and not sent",
    [{ scheme: "oauth", credential: { kind: "apiKey", value: value("mine") } }],
    { credentials: [], unfit: [{ scheme: "oauth", why: "no_place" }] },
  ],
  [
    "a bearer token is unfit where an API key goes, and fits where anything does",
    [
      { scheme: "header", credential: { kind: "bearer", token: value("mine") } },
      { scheme: "default", credential: { kind: "bearer", token: value("mine") } },
      { scheme: "whole", credential: { kind: "bearer", token: value("mine") } },
    ],
    { unfit: [{ scheme: "header", why: "not_a_key" }] },
  ],
  [
    "an unknown scheme is unfit",
    [{ scheme: "nope", credential: { kind: "bearer", token: value("mine") } }],
    {
      credentials: [{ scheme: "nope", credential: { kind: "bearer", token: value("mine") } }],
      unfit: [{ scheme: "nope", why: "unknown_scheme" }],
    },
  ],
];

test.each(cases)("%s", (_, given, want) => {
  expect(fitCredentials(OWN, given)).toMatchObject(want);
});
