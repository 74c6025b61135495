import { expect, test } from "vitest";
import { showRequest } from "../../src/cli/commands/show-request.ts";
import type { UpstreamRequest } from "../../src/model/exchange.ts";
import { createSecretHider } from "../../src/run/hide-secrets.ts";

test.each<[body: string, shown: unknown]>([
  ['{"id":9007199254740993}', { id: "9007199254740993" }],
  ['{"id":-9007199254740993,"n":9007199254740991}', { id: "-9007199254740993", n: 9007199254740991 }],
  [
    '{"text":"9007199254740993 and \\"9007199254740993\\"","half":0.1234567890123456}',
    {
      text: '9007199254740993 and "9007199254740993"',
      half: 0.1234567890123456,
    },
  ],
  ["no JSON 9007199254740993", "no JSON 9007199254740993"],
])("the body %s is shown with every digit", (body, shown) => {
  const request = { operation: "o", method: "POST", url: "http://a/", headers: [], body } as unknown as UpstreamRequest;
  expect(showRequest(request, createSecretHider([]))["body"]).toStrictEqual(shown);
});
